import { nothingAtLast, type EntryOf, type LedgerPoint } from './check-point.ts';
import { has, type Execution, type Past } from './check-past.ts';
import type { Entry, OperationBegun, OperationEnded } from './entry.ts';
import type { Step } from './vocabulary.ts';

/** Points 5 to 7: the executions of the steps, and what the saved report rests on. */
export const workPoints: readonly LedgerPoint[] = [
  {
    number: 5,
    sentence: 'Executions begin in the order of their steps, one at a time of each, and none after the report is saved.',
    objectsTo: (entry, past) => (entry.kind === 'operation_begun' ? badBegin(entry, past) : null),
    objectsAtLast: nothingAtLast,
  },
  {
    number: 6,
    sentence: 'An execution has one end and at most one loss, an end after a cancel is never done, and nothing rests on a lost one.',
    objectsTo: badEndOrLoss,
    objectsAtLast: nothingAtLast,
  },
  {
    number: 7,
    sentence: 'The saved report rests on a finished summary from before any cancel, and carries its hash.',
    objectsTo: badSave,
    objectsAtLast: nothingAtLast,
  },
];

function badBegin(entry: OperationBegun, past: Past): string | null {
  const { operation, step } = entry;
  if (past.executions[operation] !== undefined) return `Operation ${operation} began twice.`;
  if (has(past, 'saved')) return `Operation ${operation} began after the report was saved.`;
  if (past.stepsDone[step] === true) return `Operation ${operation} began ${step}, which was done.`;
  if ((past.openExecutions[step] ?? 0) > 0) return `Operation ${operation} began while another execution of ${step} was open.`;
  return isDue(step, past) ? null : `Operation ${operation} began ${step} before its turn.`;
}

function isDue(step: Step, past: Past): boolean {
  if (step === 'collect') return true;
  if (past.documents === null) return false;
  if (step === 'combine') return past.summarised === past.documents;
  const number = Number(step.slice('summarise/'.length));
  return number >= 1 && number <= past.documents;
}

function badEndOrLoss(entry: Entry, past: Past): string | null {
  if (entry.kind !== 'operation_ended' && entry.kind !== 'operation_lost') return null;
  const execution = past.executions[entry.operation];
  if (execution === undefined) return `Operation ${entry.operation} is over without having begun.`;
  if (execution.step !== entry.step) return `Operation ${entry.operation} began ${execution.step} and is over as ${entry.step}.`;
  if (execution.ended) return `Operation ${entry.operation} is over after it had ended.`;
  return entry.kind === 'operation_lost' ? badLoss(entry, execution) : (badState(entry, execution, past) ?? badResult(entry));
}

function badLoss(entry: EntryOf<'operation_lost'>, execution: Execution): string | null {
  if (execution.lost) return `Operation ${entry.operation} was lost twice.`;
  return entry.because === 'deadline' && entry.at < execution.deadlineAt ? `Operation ${entry.operation} was lost before its deadline.` : null;
}

/** What an end counts as follows from what the ledger said before it. */
function badState(entry: OperationEnded, execution: Execution, past: Past): string | null {
  const isCancelled = has(past, 'cancel_accepted');
  const counts = !isCancelled && !execution.lost && !has(past, 'saved');
  switch (entry.state) {
    case 'done':
      return counts ? null : `Operation ${entry.operation} counts as done after a cancel, a loss or the save.`;
    case 'discarded':
      return counts ? `Operation ${entry.operation} was discarded without a cancel, a loss or a save.` : null;
    case 'stopped':
      return isCancelled ? null : `Operation ${entry.operation} counts as stopped without a cancel.`;
    case 'interrupted':
      return isCancelled ? `Operation ${entry.operation} counts as interrupted after a cancel.` : null;
    case 'failed':
      return null;
  }
}

/** What came back has a digest, a failure a reason, and a finished collection says how many documents it stored. */
function badResult(entry: OperationEnded): string | null {
  const { operation, state, step } = entry;
  const cameBack = state === 'done' || state === 'discarded';
  if ((entry.digest !== null) !== cameBack) return `The digest of operation ${operation} does not fit its end, ${state}.`;
  if ((entry.reason !== null) !== (state === 'failed')) return `The reason of operation ${operation} does not fit its end, ${state}.`;
  const collected = state === 'done' && step === 'collect';
  return collected === (entry.documents ?? 0) > 0 ? null : `The documents of operation ${operation} do not fit its end, ${state}.`;
}

function badSave(entry: Entry, past: Past): string | null {
  if (entry.kind !== 'saved') return null;
  if (entry.operation !== past.summary) return `The saved report rests on ${entry.operation}, which is no finished summary from before any cancel.`;
  return entry.hash === '' ? 'The saved report carries no hash.' : null;
}

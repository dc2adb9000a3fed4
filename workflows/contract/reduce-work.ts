import type { Entry, OperationBegun, OperationEnded, OperationLost, Saved } from './entry.ts';
import type { Operation, Report, State } from './state.ts';
import type { Phase, Step } from './vocabulary.ts';

type Dated = { readonly sequence: number; readonly at: string };
type WorkEntry = (OperationBegun | OperationEnded | OperationLost | Saved) & Dated & Entry;

/** Folds what concerns collecting, summarising and saving. */
export function reduceWork(state: State, entry: WorkEntry): State {
  switch (entry.kind) {
    case 'operation_begun':
      return begun(state, entry);
    case 'operation_ended':
      return ended(state, entry);
    case 'operation_lost':
      return lost(state, entry);
    case 'saved':
      return { ...state, report: { ...state.report, phase: 'saved', document: { state: 'saved', hash: entry.hash, savedAt: entry.at } } };
  }
}

function phaseOf(step: Step): Phase {
  return step === 'collect' ? 'collecting' : 'summarising';
}

function begun(state: State, entry: OperationBegun & Dated): State {
  const { operation: id, step, owner, holder, deadlineAt } = entry;
  const nothingYet = { toldAt: null, toldBy: null, lostAt: null, endedAt: null, digest: null, reason: null } as const;
  const operation: Operation = { id, step, owner, holder, state: 'running', startedAt: entry.at, deadlineAt, ...nothingYet };
  const { report } = state;
  return withOperation(state, operation, { phase: phaseOf(step), lastBegun: { step, owner }, openOperations: report.openOperations + 1 });
}

function ended(state: State, entry: OperationEnded & Dated): State {
  const operation = state.operations[entry.operation];
  if (operation === undefined) throw new Error(`an operation ends that never began: ${entry.operation}`);
  const { digest, toldAt, toldBy, reason } = entry;
  const { report } = state;
  const wasLost = operation.state === 'lost';
  const counters = wasLost ? { lostOperations: report.lostOperations - 1 } : { openOperations: report.openOperations - 1 };
  const change = entry.state === 'done' ? { ...counters, ...result(report, entry) } : counters;
  return withOperation(state, { ...operation, state: entry.state, endedAt: entry.at, digest, toldAt, toldBy, reason }, change);
}

/** What the report gains when a step is done. */
function result(report: Report, entry: OperationEnded): Partial<Report> {
  if (entry.step === 'collect') return { documents: entry.documents };
  if (entry.step === 'combine') return { summary: { operation: entry.operation, digest: entry.digest ?? '' } };
  return { summarised: report.summarised + 1 };
}

function lost(state: State, entry: OperationLost & Dated): State {
  const operation = state.operations[entry.operation];
  if (operation === undefined) throw new Error(`an operation is lost that never began: ${entry.operation}`);
  const { report } = state;
  const change = { openOperations: report.openOperations - 1, lostOperations: report.lostOperations + 1 };
  return withOperation(state, { ...operation, state: 'lost', lostAt: entry.at }, change);
}

function withOperation(state: State, operation: Operation, change: Partial<Report>): State {
  return { ...state, operations: { ...state.operations, [operation.id]: operation }, report: { ...state.report, ...change } };
}

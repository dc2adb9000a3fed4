import type { Account, Begin, Draft, EndOperation, Fail, Refusal, Save } from './command.ts';
import { accept, refuse, repeat, type Decision } from './decision.ts';
import { isOf } from './owner.ts';
import type { Event, OperationEnded } from './entry.ts';
import type { Operation, Report, State } from './state.ts';
import { isEnd, type Step } from './vocabulary.ts';

type WorkCommand = Begin | Draft | EndOperation | Fail | Save;

/** Decides on the steps that make the report: collecting, summarising and saving it. */
export function decideWork(state: State, command: WorkCommand, at: string): Decision {
  switch (command.kind) {
    case 'begin':
      return decideBegin(state, command);
    case 'draft':
      return decideDraft(state, command);
    case 'end':
      return decideEnd(state, command, at);
    case 'fail':
      return decideFail(state, command);
    case 'save':
      return decideSave(state, command);
  }
}

/** Each execution begins under the fence; earlier open executions of its step are lost to it. */
function decideBegin(state: State, command: Begin): Decision {
  const known = state.operations[command.operation];
  if (known?.state === 'running') return repeat();
  if (known !== undefined) return refuse('not_open');
  const refusal = refusalToWork(state.report) ?? refusalOfTurn(state, command.step);
  if (refusal !== null) return refuse(refusal);
  const { operation, step, owner, holder, deadlineAt } = command;
  const earlier = openOperations(state).filter((open) => open.step === step);
  return accept([...earlier.map(lostTo('superseded')), { kind: 'operation_begun', operation, step, owner, holder, deadlineAt }]);
}

function refusalToWork(report: Report): Refusal | null {
  if (isEnd(report.phase)) return 'ended';
  if (report.cancel !== null) return 'cancelled';
  if (report.document.state !== 'not_saved') return 'already_saved';
  return report.failure === null ? null : 'failing';
}

function refusalOfTurn(state: State, step: Step): Refusal | null {
  if (Object.values(state.operations).some((operation) => operation.step === step && operation.state === 'done')) return 'already_done';
  return isItsTurn(state.report, step) ? null : 'not_its_turn';
}

function isItsTurn(report: Report, step: Step): boolean {
  if (step === 'collect') return report.documents === null;
  if (report.documents === null) return false;
  if (step === 'combine') return report.summarised === report.documents && report.summary === null;
  const number = Number(step.slice('summarise/'.length));
  return Number.isInteger(number) && number >= 1 && number <= report.documents;
}

function decideDraft(state: State, command: Draft): Decision {
  if (isEnd(state.report.phase)) return refuse('ended');
  if (state.report.cancel !== null) return refuse('cancelled');
  return state.operations[command.operation]?.state === 'running' ? accept([]) : refuse('not_open');
}

/** An end is recorded in every phase, once; after a cancel, a loss or a save it is never `done`. */
function decideEnd(state: State, command: EndOperation, at: string): Decision {
  const operation = state.operations[command.operation];
  if (operation === undefined) return refuse('unknown_operation');
  if (operation.endedAt !== null) return repeat();
  const counts = operation.state === 'running' && state.report.cancel === null && state.report.document.state === 'not_saved';
  const told = command.toldAt !== null && command.toldAt > at ? at : command.toldAt;
  const base = { kind: 'operation_ended', operation: operation.id, step: operation.step, toldAt: told, toldBy: command.toldBy } as const;
  return accept([{ ...base, ...endOf(command.account, operation.step, counts, state.report.cancel !== null) }]);
}

function endOf(account: Account, step: Step, counts: boolean, cancelled: boolean): Pick<OperationEnded, 'state' | 'digest' | 'documents' | 'reason'> {
  const nothing = { digest: null, documents: null, reason: null } as const;
  if (account.kind === 'stopped') return { ...nothing, state: cancelled ? 'stopped' : 'interrupted' };
  if (account.kind === 'failed') return { ...nothing, state: 'failed', reason: account.reason };
  if (!counts) return { ...nothing, state: 'discarded', digest: account.digest };
  if (step !== 'collect') return { ...nothing, state: 'done', digest: account.digest };
  if (account.documents === null || account.documents < 1) return { ...nothing, state: 'failed', reason: 'no_documents' };
  return { ...nothing, state: 'done', digest: account.digest, documents: account.documents };
}

/** A permanent failure counts only for the latest execution, and only while nothing is saved and no cancel is accepted. */
function decideFail(state: State, command: Fail): Decision {
  const { report } = state;
  if (isEnd(report.phase)) return refuse('ended');
  if (report.document.state !== 'not_saved') return refuse('already_saved');
  if (report.lastBegun !== null && !isOf(report.lastBegun.owner, command.owner)) return refuse('not_latest');
  const losses = openOperations(state)
    .filter((open) => isOf(open.owner, command.owner))
    .map(lostTo('given_up'));
  if (report.cancel !== null) return accept(losses, 'cancelled');
  if (report.failure !== null) return repeat();
  return accept([...losses, { kind: 'step_failed', step: report.lastBegun?.step ?? null, owner: command.owner, reason: command.reason }]);
}

/** The first save wins; a later one is answered with the recorded one. */
function decideSave(state: State, command: Save): Decision {
  if (state.report.document.state !== 'not_saved') return repeat();
  const refusal = refusalToWork(state.report);
  if (refusal !== null) return refuse(refusal);
  if (state.report.summary === null) return refuse('not_its_turn');
  return accept([{ kind: 'saved', hash: command.hash, operation: state.report.summary.operation }]);
}

function openOperations(state: State): Operation[] {
  return Object.values(state.operations).filter((operation) => operation.state === 'running');
}

function lostTo(because: 'superseded' | 'given_up') {
  return (operation: Operation): Event => ({ kind: 'operation_lost', operation: operation.id, step: operation.step, because });
}

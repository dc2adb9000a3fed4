import { decideAfterEnd } from './decide-after-end.ts';
import { decideEmail } from './decide-email.ts';
import { accept, refuse, repeat, type Decision } from './decision.ts';
import { isOf } from './owner.ts';
import { decideWork } from './decide-work.ts';
import type { Cancel, Command, LoseWorkflow, Register } from './command.ts';
import type { Event, Registered } from './entry.ts';
import type { State } from './state.ts';
import { contractVersion, isEnd } from './vocabulary.ts';

/**
 * The rules: what a command does to a report as it stands at `at` (ISO, UTC, milliseconds), which is the time of the decision.
 * Pure and total; the store runs exactly this while it holds the fence's lock.
 */
export function decide(state: State | null, command: Command, at: string): Decision {
  if (command.kind === 'register') return decideRegister(state, command);
  if (state === null) return refuse('unknown_report');
  switch (command.kind) {
    case 'cancel':
      return decideCancel(state, command);
    case 'begin':
    case 'draft':
    case 'end':
    case 'fail':
    case 'save':
      return decideWork(state, command, at);
    case 'claim':
    case 'outcome':
    case 'find_evidence':
    case 'give_up':
      return decideEmail(state, command, at);
    case 'delete_document':
    case 'order_correction':
    case 'authorise_resend':
    case 'supersede':
      return decideAfterEnd(state, command);
    case 'lose':
      return accept(lossesAt(state, at, command.because === 'given_up' ? command.owner : null), 'not_due');
    case 'lose_workflow':
      return decideLostWorkflow(state, command);
  }
}

function decideRegister(state: State | null, command: Register): Decision {
  if (state === null) return accept([registered(command)]);
  return state.report.inputHash === command.inputHash ? repeat() : refuse('different_input');
}

function registered(command: Register): Registered {
  const { month, report, recipients, inputHash, supersedes, acceptedDuplicateRisk } = command;
  return { kind: 'registered', contract: contractVersion, report, month, recipients, inputHash, supersedes, acceptedDuplicateRisk };
}

/** One receipt a report: whoever asks first gets it recorded, in every phase; everybody else gets the same one. */
function decideCancel(state: State, command: Cancel): Decision {
  if (state.report.cancel !== null) return repeat();
  return accept([{ kind: 'cancel_accepted', receipt: command.receipt, request: command.request, door: command.door }]);
}

function decideLostWorkflow(state: State, command: LoseWorkflow): Decision {
  if (isEnd(state.report.phase)) return refuse('ended');
  if (state.report.openOperations > 0 || state.report.openClaims > 0) return refuse('still_open');
  if (state.report.failure !== null) return repeat();
  return accept([{ kind: 'workflow_lost', reason: command.reason }]);
}

/** The losses to record: of everything an owner began and has given up, or (no owner named) of everything past its deadline. */
function lossesAt(state: State, at: string, owner: string | null): Event[] {
  const because = owner === null ? 'deadline' : 'given_up';
  const isLost = (open: { deadlineAt: string; owner: string }): boolean => (owner === null ? open.deadlineAt <= at : isOf(open.owner, owner));
  const operations = Object.values(state.operations)
    .filter((operation) => operation.state === 'running' && isLost(operation))
    .map((operation): Event => ({ kind: 'operation_lost', operation: operation.id, step: operation.step, because }));
  const claims = Object.values(state.emails).flatMap((email) =>
    email.attempts
      .filter((attempt) => attempt.open && isLost(attempt))
      .map((attempt): Event => ({ kind: 'claim_lost', email: email.id, attempt: attempt.id, because })),
  );
  return [...operations, ...claims];
}

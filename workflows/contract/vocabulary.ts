/**
 * The words of the contract.
 *
 * report     the job and what it makes, for one month; its id is the workflow id too
 * fence      the report's row: counters and facts that every racing decision locks and reads
 * entry      one line of the ledger, numbered from 1 without gaps
 * operation  one execution of a collection or of a model call, named by the process that runs it
 * email      one recipient and one purpose; an attempt is one claimed send of it
 * owner      on whose behalf an operation or a claim was begun: a workflow run and its activity, `<run id>/<activity id>`
 * authority  what allows a claim: the report itself, a correction, or a person's resend
 */

/** Every phase with the phases that may follow it. An end means: no step of this report will start any more. */
export const phases = {
  queued: ['collecting', 'cancelled', 'failed'],
  collecting: ['summarising', 'cancelled', 'failed'],
  summarising: ['saved', 'cancelled', 'failed'],
  saved: ['finished', 'cancelled', 'failed'],
  finished: [],
  cancelled: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type Phase = keyof typeof phases;
export type End = { [P in Phase]: (typeof phases)[P] extends readonly [] ? P : never }[Phase];

/** The version of these rules; every ledger names the one it was written under. */
export const contractVersion = 1;

export type Step = 'collect' | `summarise/${number}` | 'combine';
export type OperationState = 'running' | 'done' | 'discarded' | 'stopped' | 'interrupted' | 'failed' | 'lost';
export type ToldBy = 'push' | 'temporal' | 'shutdown' | 'pause' | 'deadline' | 'begin';
export type LostBecause = 'superseded' | 'given_up' | 'deadline';

export type EmailState = 'accepted' | 'unconfirmed' | 'sending' | 'refused' | 'not_started';
/** `sending` until evidence; then only ever stronger: unknown or lost, refused, accepted. */
export type AttemptOutcome = 'sending' | 'unknown' | 'lost' | 'refused' | 'accepted';
export type Authority = 'report' | `correction-${number}` | `resend-${number}`;
export type GaveUpBecause = 'retry_budget' | 'key_window' | 'cannot_be_prepared' | 'already_mailed';
export type EmailAlert = 'accepted_after_refusal' | 'found_twice';

export type Door = 'http' | 'page' | 'cli' | 'mcp' | 'signal' | 'update' | 'workflow';

/** Why a report failed: a closed list, told in the status and mapped by every face. */
export const failureReasons = [
  'source_not_found',
  'source_unreadable',
  'no_documents',
  'too_many_documents',
  'model_refused',
  'model_unreachable',
  'model_incomplete',
  'model_empty',
  'took_too_long',
  'workflow_refused',
  'workflow_lost',
  'invalid_input',
  'internal',
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface Prevented {
  /** The report had not been saved, and will not be. */
  readonly save: boolean;
  /** Emails that were still to be tried for the first time, and will not be. */
  readonly emails: number;
  /** Emails tried before, of which no further attempt is made. */
  readonly furtherAttempts: number;
}

export function isEnd(phase: Phase): phase is End {
  return phases[phase].length === 0;
}

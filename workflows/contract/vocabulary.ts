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

export interface CancelFact {
  readonly receiptId: string;
  readonly requestId: string;
  readonly door: Door;
  readonly at: string;
  readonly sequence: number;
}

export interface Prevented {
  /** The report had not been saved, and will not be. */
  readonly save: boolean;
  /** Emails that were still to be tried for the first time, and will not be. */
  readonly emails: number;
  /** Emails tried before, of which no further attempt is made. */
  readonly furtherAttempts: number;
}

export type EmailCounts = Readonly<Record<EmailState, number>>;

/** The fence: everything about the report as a whole that a decision may depend on. */
export interface Report {
  readonly id: string;
  readonly phase: Phase;
  readonly sequence: number;
  readonly updatedAt: string;
  readonly recipients: number;
  readonly inputHash: string;
  readonly supersedes: string | null;
  readonly acceptedDuplicateRisk: boolean;
  readonly cancel: CancelFact | null;
  readonly prevented: Prevented | null;
  readonly failure: { readonly step: Step | null; readonly reason: FailureReason } | null;
  readonly lastBegun: { readonly step: Step; readonly owner: string } | null;
  /** Documents collected; null until a collection is done. */
  readonly documents: number | null;
  readonly summarised: number;
  readonly summary: { readonly operation: string; readonly digest: string } | null;
  readonly document: { readonly state: 'not_saved' | 'saved' | 'deleted'; readonly hash: string | null; readonly savedAt: string | null };
  readonly openOperations: number;
  readonly openClaims: number;
  readonly lostOperations: number;
  /** Emails of the report that are still to be tried: with these at zero, a saved report is finished. */
  readonly owed: number;
  /** Of these, the ones of which no attempt was made. */
  readonly untried: number;
  readonly emails: EmailCounts;
  readonly corrections: number;
  readonly correctionEmails: EmailCounts;
  readonly supersededBy: string | null;
  /** The newest entry that changed what exists or will happen: what `lastCommitted` tells. */
  readonly last: { readonly kind: Entry['kind']; readonly at: string; readonly sequence: number };
}

export interface Operation {
  readonly id: string;
  readonly step: Step;
  readonly owner: string;
  readonly holder: string;
  readonly state: OperationState;
  readonly startedAt: string;
  readonly deadlineAt: string;
  readonly toldAt: string | null;
  readonly toldBy: ToldBy | null;
  readonly lostAt: string | null;
  readonly endedAt: string | null;
  readonly digest: string | null;
  readonly reason: FailureReason | null;
}

export interface Evidence {
  readonly at: string;
  readonly source: string;
  readonly copies: number;
}

export interface Attempt {
  readonly id: string;
  readonly authority: Authority;
  readonly owner: string;
  readonly key: string;
  readonly messageId: string;
  readonly hash: string;
  readonly provider: string;
  /** Until when the provider replays this key instead of sending again; null where it never does. */
  readonly replayUntilAt: string | null;
  readonly outcome: AttemptOutcome;
  /** Only of a refusal: whether the mail service said that trying again is useless. */
  readonly permanent: boolean;
  /** Neither ended by its sender nor recorded as lost. */
  readonly open: boolean;
  readonly claimedAt: string;
  readonly deadlineAt: string;
  readonly lostAt: string | null;
  readonly endedAt: string | null;
  readonly code: number | null;
  readonly evidence: readonly Evidence[];
}

export interface Email {
  readonly id: string;
  readonly attempts: readonly Attempt[];
  readonly gaveUp: GaveUpBecause | null;
  /** How often a person has authorised sending it again. */
  readonly resends: number;
  readonly alert: EmailAlert | null;
}

/**
 * What a decision reads: the fence, and of operations, emails and earlier requests those that the command touches.
 * A whole state (of the checker, of an explorer) holds all of them; an email that is absent has not been started.
 */
export interface State {
  readonly report: Report;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly emails: Readonly<Record<string, Email>>;
  /** Requests of the actions after an end, by their idempotency keys. */
  readonly requests: Readonly<Record<string, Entry['kind']>>;
}

export interface Registered {
  readonly kind: 'registered';
  readonly contract: number;
  readonly report: string;
  readonly month: string;
  readonly recipients: number;
  readonly inputHash: string;
  readonly supersedes: string | null;
  readonly acceptedDuplicateRisk: boolean;
}
export interface OperationBegun {
  readonly kind: 'operation_begun';
  readonly operation: string;
  readonly step: Step;
  readonly owner: string;
  readonly holder: string;
  readonly deadlineAt: string;
}
export interface OperationEnded {
  readonly kind: 'operation_ended';
  readonly operation: string;
  readonly step: Step;
  readonly state: Exclude<OperationState, 'running' | 'lost'>;
  readonly digest: string | null;
  /** Only of a collection that is done: how many documents it stored. */
  readonly documents: number | null;
  readonly toldAt: string | null;
  readonly toldBy: ToldBy | null;
  readonly reason: FailureReason | null;
}
export interface OperationLost {
  readonly kind: 'operation_lost';
  readonly operation: string;
  readonly step: Step;
  readonly because: LostBecause;
}
export interface StepFailed {
  readonly kind: 'step_failed';
  readonly step: Step | null;
  readonly owner: string;
  readonly reason: FailureReason;
}
export interface WorkflowLost {
  readonly kind: 'workflow_lost';
  readonly reason: 'workflow_lost' | 'workflow_refused';
}
export interface CancelAccepted {
  readonly kind: 'cancel_accepted';
  readonly receipt: string;
  readonly request: string;
  readonly door: Door;
}
export interface Saved {
  readonly kind: 'saved';
  readonly hash: string;
  readonly operation: string;
}
export interface EmailClaimed {
  readonly kind: 'email_claimed';
  readonly email: string;
  readonly attempt: string;
  readonly authority: Authority;
  readonly owner: string;
  readonly key: string;
  readonly messageId: string;
  readonly hash: string;
  readonly provider: string;
  readonly replayUntilAt: string | null;
  readonly deadlineAt: string;
}
export interface AttemptEnded {
  readonly kind: 'attempt_ended';
  readonly email: string;
  readonly attempt: string;
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  readonly permanent: boolean;
  readonly phase: string | null;
  readonly code: number | null;
}
export interface ClaimLost {
  readonly kind: 'claim_lost';
  readonly email: string;
  readonly attempt: string;
  readonly because: LostBecause;
}
export interface EvidenceFound {
  readonly kind: 'evidence';
  readonly email: string;
  readonly attempt: string;
  readonly outcome: 'accepted' | 'refused';
  readonly source: string;
  readonly copies: number;
}
export interface GaveUp {
  readonly kind: 'gave_up';
  readonly email: string;
  readonly because: GaveUpBecause;
}
export interface Concluded {
  readonly kind: 'concluded';
  readonly phase: End;
  readonly prevented: Prevented | null;
}
export interface DocumentDeleted {
  readonly kind: 'document_deleted';
  readonly request: string;
}
export interface CorrectionOrdered {
  readonly kind: 'correction_ordered';
  readonly request: string;
  readonly correction: number;
  /** Exactly the emails accepted or unconfirmed at that moment. */
  readonly emails: readonly string[];
}
export interface ResendAuthorised {
  readonly kind: 'resend_authorised';
  readonly request: string;
  readonly email: string;
  readonly resend: number;
  readonly acceptedDuplicateRisk: boolean;
}
export interface Superseded {
  readonly kind: 'superseded';
  readonly by: string;
}

/** What a decision adds to the ledger, before it is numbered and dated. */
export type Event =
  | Registered
  | OperationBegun
  | OperationEnded
  | OperationLost
  | StepFailed
  | WorkflowLost
  | CancelAccepted
  | Saved
  | EmailClaimed
  | AttemptEnded
  | ClaimLost
  | EvidenceFound
  | GaveUp
  | Concluded
  | DocumentDeleted
  | CorrectionOrdered
  | ResendAuthorised
  | Superseded;

export type Entry = Event & { readonly sequence: number; readonly at: string };

export function isEnd(phase: Phase): phase is End {
  return phases[phase].length === 0;
}

import type { AttemptOutcome, Authority, Door, EmailState, FailureReason, GaveUpBecause, ToldBy, Step } from './vocabulary.ts';

/** How an execution ended, as the process that ran it tells it; the store's answer decides what it counts as. */
export type Account =
  | { readonly kind: 'returned'; readonly digest: string; readonly documents: number | null }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

export interface Register {
  readonly kind: 'register';
  readonly report: string;
  readonly month: string;
  readonly recipients: number;
  readonly inputHash: string;
  readonly supersedes: string | null;
  readonly acceptedDuplicateRisk: boolean;
}
export interface Cancel {
  readonly kind: 'cancel';
  readonly receipt: string;
  readonly request: string;
  readonly door: Door;
}
export interface Begin {
  readonly kind: 'begin';
  readonly operation: string;
  readonly step: Step;
  readonly owner: string;
  readonly holder: string;
  readonly deadlineAt: string;
}
/** Asks whether what an execution has made so far may be kept; it writes no entry. */
export interface Draft {
  readonly kind: 'draft';
  readonly operation: string;
}
export interface EndOperation {
  readonly kind: 'end';
  readonly operation: string;
  readonly account: Account;
  readonly toldAt: string | null;
  readonly toldBy: ToldBy | null;
}
/** Records as lost what is past its deadline, or what a run has given up. */
export type Lose =
  | { readonly kind: 'lose'; readonly because: 'deadline' }
  | { readonly kind: 'lose'; readonly because: 'given_up'; readonly owner: string };
export interface Fail {
  readonly kind: 'fail';
  readonly owner: string;
  readonly reason: FailureReason;
}
export interface LoseWorkflow {
  readonly kind: 'lose_workflow';
  readonly reason: 'workflow_lost' | 'workflow_refused';
}
export interface Save {
  readonly kind: 'save';
  readonly hash: string;
}
export interface Claim {
  readonly kind: 'claim';
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
  /** The strongest state of the email that an ancestor owed the same recipient for the same month; null without one. */
  readonly ancestor: EmailState | null;
}
export interface Outcome {
  readonly kind: 'outcome';
  readonly email: string;
  readonly attempt: string;
  readonly outcome: Exclude<AttemptOutcome, 'sending' | 'lost'>;
  readonly permanent: boolean;
  readonly phase: string | null;
  readonly code: number | null;
}
/** What a look-up or a provider's notice says of an attempt: that the mail service has it, and how often. */
export interface FindEvidence {
  readonly kind: 'find_evidence';
  readonly email: string;
  readonly attempt: string;
  readonly source: string;
  readonly copies: number;
}
export interface GiveUp {
  readonly kind: 'give_up';
  readonly email: string;
  readonly because: GaveUpBecause;
}
export interface DeleteDocument {
  readonly kind: 'delete_document';
  readonly request: string;
}
export interface OrderCorrection {
  readonly kind: 'order_correction';
  readonly request: string;
}
export interface AuthoriseResend {
  readonly kind: 'authorise_resend';
  readonly request: string;
  readonly email: string;
  readonly acceptDuplicateRisk: boolean;
}
export interface Supersede {
  readonly kind: 'supersede';
  readonly by: string;
}

export type Command =
  | Register
  | Cancel
  | Begin
  | Draft
  | EndOperation
  | Lose
  | Fail
  | LoseWorkflow
  | Save
  | Claim
  | Outcome
  | FindEvidence
  | GiveUp
  | DeleteDocument
  | OrderCorrection
  | AuthoriseResend
  | Supersede;

/** Why a command changed nothing. */
export type Refusal =
  | 'unknown_report'
  | 'different_input'
  | 'cancelled'
  | 'ended'
  | 'not_ended'
  | 'failing'
  | 'already_done'
  | 'already_saved'
  | 'not_its_turn'
  | 'not_latest'
  | 'not_open'
  | 'not_due'
  | 'still_open'
  | 'no_document'
  | 'document_deleted'
  | 'unknown_operation'
  | 'unknown_email'
  | 'unknown_attempt'
  | 'not_authorised'
  | 'email_sending'
  | 'email_accepted'
  | 'email_refused'
  | 'email_unconfirmed'
  | 'email_given_up'
  | 'not_owed'
  | 'different_message'
  | 'already_mailed'
  | 'nobody_to_correct'
  | 'risk_not_accepted'
  | 'already_superseded'
  | 'request_reused';

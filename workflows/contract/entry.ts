import type { Authority, Door, End, FailureReason, GaveUpBecause, LostBecause, OperationState, Prevented, Step, ToldBy } from './vocabulary.ts';

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
  readonly permanent: boolean;
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

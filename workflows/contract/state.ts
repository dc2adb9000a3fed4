import type { Entry } from './entry.ts';
import type {
  AttemptOutcome,
  Authority,
  Door,
  EmailAlert,
  EmailState,
  FailureReason,
  GaveUpBecause,
  OperationState,
  Phase,
  Prevented,
  Step,
  ToldBy,
} from './vocabulary.ts';

export interface CancelFact {
  readonly receiptId: string;
  readonly requestId: string;
  readonly door: Door;
  readonly at: string;
  readonly sequence: number;
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

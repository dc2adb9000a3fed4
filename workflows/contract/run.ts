import type { Receipt } from './status.ts';
import type { Authority, Door, End, FailureReason, Phase } from './vocabulary.ts';

/** The input of a run that we started: the row has everything else. */
export interface ForwardedRun {
  readonly reportId: string;
}

/** What every activity of a run is told of its report. */
export interface ReportRef {
  readonly reportId: string;
  /** Only of a run started straight through a Temporal client: what its caller gave, not yet checked. */
  readonly directInput: unknown;
}

/** How a step of the work ended, as its activity tells it. */
export type StepResult = { readonly kind: 'done' | 'stopped' | 'refused'; readonly phase: Phase };

export type SaveResult =
  | { readonly kind: 'saved'; readonly phase: Phase; readonly recipients: number }
  | { readonly kind: 'refused'; readonly phase: Phase };

/** An outcome that its sender could not record in time; the workflow records it. */
export interface UnrecordedOutcome {
  readonly email: string;
  readonly attempt: string;
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  readonly permanent: boolean;
  readonly phase: string | null;
  readonly code: number | null;
}

export interface SendResult {
  readonly phase: Phase;
  /** When the earliest email of the batch may be tried again; null where none is to be. */
  readonly retryInMs: number | null;
  readonly unrecorded: readonly UnrecordedOutcome[];
}

export interface RunResult {
  readonly reportId: string;
  readonly phase: End;
}

/** A request to cancel that reached the run by one of Temporal's doors. */
export interface SeenRequest {
  readonly requestId: string;
  readonly door: Door;
  readonly by: string | null;
  readonly reason: string | null;
}

export interface RecordedRequest {
  readonly receipt: Receipt;
  readonly phase: Phase;
}

/** How a report has ended, or that it still owes emails: one that was thought unconfirmed has turned out to be refused. */
export type Conclusion = { readonly kind: 'ended'; readonly phase: End } | { readonly kind: 'owed'; readonly recipients: number };

export interface Recorded {
  readonly phase: Phase;
}

export interface RecordedFailure extends Recorded {
  /** It did not count, since another run has begun something later: this run begins its step again. */
  readonly isOvertaken: boolean;
}

export interface FailureToRecord {
  readonly reason: FailureReason;
}

/** Types of the failures that activities throw beside the reasons why a report fails. */
export const failureTypes = {
  /** A run we started whose row is missing: another database, or a restored one. Never adopted. */
  unknownReport: 'UnknownReport',
  /** The input of a direct run is wrong. */
  invalidInput: 'InvalidInput',
  /** Stopped by a worker's shutdown, a pause or a lost run, without a cancel: everything is kept and tried again. */
  interrupted: 'Interrupted',
  /** Something of the report is still open; asked again when its deadline has passed. */
  stillOpen: 'StillOpen',
  /** How the run of a failed report closes. */
  reportFailed: 'ReportFailed',
} as const;

/** Durations that the worker's settings give a run in its memo, in milliseconds; a direct run has the defaults. */
export interface RunLimits {
  readonly heartbeatTimeoutMs: number;
  readonly activityAttempts: number;
  readonly collectMs: number;
  /** Start to close of one batch of emails. */
  readonly batchMs: number;
}

export const defaultRunLimits = { heartbeatTimeoutMs: 10_000, activityAttempts: 5, collectMs: 660_000, batchMs: 7_200_000 } as const satisfies RunLimits;

/** The emails of one send activity: a range of recipients, by number, of the report or of one of its corrections. */
export interface Batch {
  readonly authority: Authority;
  readonly correction: number | null;
  readonly from: number;
  readonly to: number;
}

/** The emails that an action after the end has ordered, as the run that sends them is told. */
export interface OrderedRun {
  readonly reportId: string;
  readonly batch: Batch;
}

/** The most emails of one send activity. */
export const batchSize = 50;

import type { ReportInput } from '../../workflows/contract/input.ts';
import type { Receipt, Status } from '../../workflows/contract/status.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { Phase } from '../../workflows/contract/vocabulary.ts';
import type { Listed } from '../../store/reading.ts';
import type { Verified } from '../verification.ts';

export interface Filter {
  readonly phase: Phase | null;
  readonly limit: number;
  /** Where an earlier page ended. */
  readonly cursor: string | null;
}

export interface ListPage {
  readonly reports: readonly Listed[];
  readonly nextCursor: string | null;
}

export interface Started {
  readonly report: Status;
  /** Whether an earlier start under the same key had made it. */
  readonly isRepeat: boolean;
}

export interface Cancelled {
  readonly receipt: Receipt;
  readonly report: Status;
}

export interface Resend {
  readonly email: string;
  readonly acceptDuplicateRisk: boolean;
}

/**
 * Reports as the commands see them, whether through the API or straight in the database.
 * Every call rejects with a `CommandProblem` where there is no answer: no such report, wrong input, refused, or nothing running.
 */
export interface ReportsFace {
  start(input: ReportInput, key: string): Promise<Started>;
  status(id: string): Promise<Status>;
  list(filter: Filter): Promise<ListPage>;
  cancel(id: string, reason: string | null): Promise<Cancelled>;
  ledger(id: string): Promise<readonly Entry[]>;
  deleteDocument(id: string, key: string): Promise<Status>;
  correct(id: string, message: string, key: string): Promise<Status>;
  resend(id: string, resend: Resend, key: string): Promise<Status>;
  /** Each status from now on, the current one first, until the signal aborts. */
  watch(id: string, signal: AbortSignal): AsyncIterable<Status>;
  /** Checks one report, or all where `id` is null. */
  verify(id: string | null): AsyncIterable<Verified>;
  close(): Promise<void>;
}

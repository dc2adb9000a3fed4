import type { Store } from '../store/store.ts';
import type { MailLookup, MailProvider } from './mail/mail.ts';
import type { Model } from './models/model.ts';
import type { Running } from './running.ts';
import type { Source } from './sources/source.ts';

/** Durations in milliseconds that bound the activities' own operations. */
export interface ActivityLimits {
  readonly collectMs: number;
  readonly modelCallMs: number;
  readonly sendMs: number;
  /** How long after its limit an operation or a claim counts as lost. */
  readonly deadlineMarginMs: number;
  readonly retryForMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly heartbeatEveryMs: number;
}

/** Everything that the activities are given; they reach nothing else. */
export interface Dependencies {
  readonly store: Store;
  readonly running: Running;
  /** Aborted once this process is to stop: nothing more is claimed. */
  readonly stopping: AbortSignal;
  readonly source: Source;
  readonly model: Model;
  readonly mail: { readonly provider: MailProvider; readonly lookup: MailLookup | null; readonly from: string };
  /** Key and address of the links in emails. */
  readonly links: { readonly secret: string; readonly publicUrl: string };
  /** Names this process in the ledger. */
  readonly holder: string;
  readonly limits: ActivityLimits;
}

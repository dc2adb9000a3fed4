import { randomBytes, randomUUID } from 'node:crypto';
import type { InputProblem, ReportInput } from '../workflows/contract/input.ts';
import type { Refusal } from '../workflows/contract/command.ts';
import { emailStatus, receiptOf, statusOf, type EmailStatus, type Receipt, type Status } from '../workflows/contract/status.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import { isEnd, type Door, type Phase } from '../workflows/contract/vocabulary.ts';
import type { Asking, Ordering, Resending } from '../store/decisions.ts';
import type { Decided } from '../store/fence.ts';
import { linkGeneration, readLinkToken } from '../store/link-token.ts';
import type { Listed, Page } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import { createWatching } from './watching.ts';

export interface ReportsOptions {
  readonly store: Store;
  /** Key of the links in emails. */
  readonly secret: string;
  /** Looks at sources before they are accepted, where this process can see them; the problems it finds refuse the start. */
  readonly inspectSources: (input: ReportInput) => Promise<readonly InputProblem[]>;
}

export interface StartRequest {
  readonly input: ReportInput;
  /** Repeating a start under the same key of the same caller answers the same report. */
  readonly key: string;
  readonly caller: string;
}

export type StartAnswer =
  | { readonly kind: 'started' | 'repeated'; readonly report: Status }
  | { readonly kind: 'wrong_input'; readonly problems: readonly InputProblem[] }
  | { readonly kind: 'refused'; readonly reason: Refusal };

export interface CancelRequest {
  readonly requestId: string | null;
  readonly by: string | null;
  readonly reason: string | null;
  readonly door: Door;
}

export interface CancelAnswer {
  readonly receipt: Receipt;
  readonly report: Status;
}

/** An action after the end: what it came to, or why it is not possible. */
export type ActionAnswer = { readonly kind: 'done'; readonly report: Status } | { readonly kind: 'refused'; readonly reason: Refusal; readonly report: Status };

export type DocumentAnswer = { readonly kind: 'saved'; readonly markdown: string; readonly report: Status } | { readonly kind: 'deleted' | 'none'; readonly report: Status };

export { DatabaseUnavailable } from '../store/database.ts';

/** Starts, reads and cancels reports, straight at the store: what every face is a skin over. Unknown ids answer null. */
export function createReports({ store, secret, inspectSources }: ReportsOptions) {
  const status = async (id: string): Promise<Status | null> => {
    const snapshot = await store.reading.snapshot(id);
    return snapshot === null ? null : statusOf(snapshot);
  };
  const watching = createWatching(store, status);

  const acted = async (id: string, { decision }: Decided): Promise<ActionAnswer | null> => {
    const report = await status(id);
    if (report === null) return null;
    return decision.kind === 'refused' ? { kind: 'refused', reason: decision.reason, report } : { kind: 'done', report };
  };

  const documentOf = async (id: string): Promise<DocumentAnswer | null> => {
    const report = await status(id);
    if (report === null) return null;
    if (report.document.state !== 'saved') return { kind: report.document.state === 'deleted' ? 'deleted' : 'none', report };
    const saved = await store.contents.saved(id);
    return saved?.body == null ? { kind: 'deleted', report } : { kind: 'saved', markdown: saved.body, report };
  };

  return {
    status,

    /** Commits the report's row; a worker is told by the same transaction. Answers with Temporal up or down. */
    start: async ({ input, key, caller }: StartRequest): Promise<StartAnswer> => {
      const problems = await inspectSources(input);
      // A repeat is answered with its report, whatever has become of the sources since.
      if (problems.length > 0 && !(await store.reading.isStarted(caller, key))) return { kind: 'wrong_input', problems };
      const started = await store.register({ reportId: newId(input.month), input, caller, key });
      if (started.kind === 'refused') return { kind: 'refused', reason: started.reason };
      const report = await status(started.reportId);
      if (report === null) throw new Error('a report that was registered is not there');
      return { kind: started.kind, report };
    },

    /** Newest first; `cursor` is where the page before ended. */
    list: (filter: { phase: Phase | null; cursor: number | null; limit: number }): Promise<Page<Listed>> =>
      store.reading.list({ phase: filter.phase, before: filter.cursor, limit: filter.limit }),

    /** Commits the cancel, or answers the receipt there is; the running executions and Temporal are told by the commit. */
    cancel: async (id: string, { requestId, by, reason, door }: CancelRequest): Promise<CancelAnswer | null> => {
      const accepted = await store.decisions.cancel(id, { receipt: randomUUID(), request: requestId ?? randomUUID(), door, by, reason });
      const snapshot = accepted === null ? null : await store.reading.snapshot(id);
      if (snapshot === null) return null;
      const receipt = receiptOf(snapshot.report, snapshot.cancelledBy, snapshot.cancelReason);
      if (receipt === null) throw new Error('a cancel that was accepted is not there');
      return { receipt, report: statusOf(snapshot) };
    },

    /** Each status of a report from now on, the current one first, until the signal aborts. Also goes on after the end. */
    watch: (id: string, signal: AbortSignal): AsyncIterable<Status> => watching.watch(id, signal),

    /** Waits for the end of a report and answers its last status. */
    ended: async (id: string, signal: AbortSignal): Promise<Status | null> => {
      for await (const seen of watching.watch(id, signal)) if (isEnd(seen.phase)) return seen;
      return null;
    },

    ledger: async (id: string): Promise<readonly Entry[] | null> => {
      const entries = await store.reading.ledger(id);
      return entries.length === 0 ? null : entries;
    },

    emails: async (id: string, after: number, limit: number): Promise<Page<EmailStatus>> => {
      const { items, next } = await store.reading.emails(id, after, limit);
      return { items: items.map(emailStatus), next };
    },

    /** Takes the saved report away for good; its emailed links say so. Possible only at an end. */
    deleteDocument: async (id: string, asking: Asking): Promise<ActionAnswer | null> => acted(id, await store.decisions.deleteDocument(id, asking)),

    /** Orders a correction to everybody who has, or may have, the email. Possible only at an end. */
    correct: async (id: string, ordering: Ordering): Promise<ActionAnswer | null> => acted(id, await store.decisions.orderCorrection(id, ordering)),

    /** Has one email sent again, on a person's authority. Possible only for a report that finished or failed. */
    resend: async (id: string, resending: Resending): Promise<ActionAnswer | null> => acted(id, await store.decisions.authoriseResend(id, resending)),

    document: documentOf,

    /** What an emailed link leads to; reading it changes nothing. */
    linked: async (token: string): Promise<DocumentAnswer | null> => {
      const target = readLinkToken(secret, token);
      return target?.generation === linkGeneration ? documentOf(target.reportId) : null;
    },

    isReady: (): Promise<boolean> => store.reading.isWritable().catch(() => false),

    close: (): void => watching.close(),
  };
}

export type Reports = ReturnType<typeof createReports>;

function newId(month: string): string {
  return `${month}-${randomBytes(6).toString('hex')}`;
}

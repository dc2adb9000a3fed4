import { freshEmail } from '../workflows/contract/email.ts';
import { headline } from '../workflows/contract/headline.ts';
import type { Snapshot } from '../workflows/contract/status.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import type { Email, Operation, Report } from '../workflows/contract/state.ts';
import { isEnd, type Phase } from '../workflows/contract/vocabulary.ts';
import type { Client, Database } from './database.ts';

export interface Listed {
  readonly id: string;
  readonly month: string;
  readonly title: string | null;
  readonly createdAt: string;
  readonly phase: Phase;
  readonly stopping: boolean;
  readonly headline: string;
  readonly updatedAt: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null after the last. */
  readonly next: number | null;
}

type AddressedEmail = Email & { readonly recipient: string | null };

/** What outsiders read, from the primary; a status is one snapshot. */
export function createReading(database: Database) {
  return {
    snapshot: (report: string): Promise<Snapshot | null> =>
      database.transaction(async (client) => {
        await client.query('set transaction isolation level repeatable read, read only');
        return readSnapshot(client, report);
      }),

    list: async (filter: { phase: Phase | null; before: number | null; limit: number }): Promise<Page<Listed>> => {
      const rows = await database.query<{ number: number; fence: Report; month: string; title: string | null; createdAt: string }>(
        `select number, fence, month, title, created_at as "createdAt" from reports left join inputs on report_id = id
         where ${filter.phase === null ? '$1::text is null' : 'phase = $1'} and number < $2 order by number desc limit $3`,
        [filter.phase, filter.before ?? Number.MAX_SAFE_INTEGER, filter.limit + 1],
      );
      const items = rows.slice(0, filter.limit).map(listed);
      return { items, next: rows.length > filter.limit ? (rows[filter.limit - 1]?.number ?? null) : null };
    },

    emails: async (report: string, after: number, limit: number): Promise<Page<AddressedEmail>> => {
      const rows = await database.query<EmailRow>(emailsText, [report, after, limit + 1]);
      return { items: rows.slice(0, limit).map(addressed), next: rows.length > limit ? after + limit : null };
    },

    ledger: async (report: string): Promise<Entry[]> => {
      const rows = await database.query<{ entry: Entry }>('select entry from ledger where report_id = $1 order by sequence', [report]);
      return rows.map(({ entry }) => entry);
    },

    /** The newest sequence of each of these reports: what a watcher compares. */
    sequences: (reports: readonly string[]): Promise<{ id: string; sequence: number }[]> =>
      database.query('select id, sequence from reports where id = any($1)', [reports]),

    /** Whether this caller has started a report under this key. */
    isStarted: async (caller: string, key: string): Promise<boolean> => {
      const rows = await database.query('select 1 from start_keys where caller = $1 and key = $2', [caller, key]);
      return rows.length > 0;
    },

    isWritable: async (): Promise<boolean> => {
      const rows = await database.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
      return rows[0]?.recovering === false;
    },
  };
}


function listed(row: { fence: Report; month: string; title: string | null; createdAt: string }): Listed {
  const { fence, month, title, createdAt } = row;
  const stopping = fence.cancel !== null && !isEnd(fence.phase);
  return { id: fence.id, month, title, createdAt, phase: fence.phase, stopping, headline: headline(fence), updatedAt: fence.updatedAt };
}

const shownEmails = 100;
const emailsText = `
  select email.id, fold, address as recipient from emails email left join recipients using (report_id, number)
  where report_id = $1 order by coalesce(correction, 0), number offset $2 limit $3`;

interface EmailRow {
  readonly id: string;
  readonly fold: Email | null;
  readonly recipient: string | null;
}

function addressed({ id, fold, recipient }: EmailRow): AddressedEmail {
  return { ...(fold ?? freshEmail(id)), recipient };
}

async function readSnapshot(client: Client, report: string): Promise<Snapshot | null> {
  const { rows } = await client.query<SnapshotRow>({ name: 'snapshot', text: snapshotText, values: [report] });
  const row = rows[0];
  if (row === undefined) return null;
  const operations = await client.query<{ fold: Operation }>({
    name: 'snapshot-operations',
    text: 'select fold from operations where report_id = $1 order by number',
    values: [report],
  });
  const emails = await client.query<EmailRow>({ name: 'snapshot-emails', text: emailsText, values: [report, 0, shownEmails] });
  const corrections = await client.query<Snapshot['corrections'][number]>({
    name: 'snapshot-corrections',
    text: 'select correction as number, ordered_at as "orderedAt", message from correction_messages where report_id = $1 order by correction',
    values: [report],
  });
  const { fence, ...rest } = row;
  return { ...rest, report: fence, operations: operations.rows.map(({ fold }) => fold), emails: emails.rows.map(addressed), corrections: corrections.rows };
}

type SnapshotRow = { readonly fence: Report } & Omit<Snapshot, 'report' | 'operations' | 'emails' | 'corrections'>;

const snapshotText = `
  select fence, month, title, created_at as "createdAt", reports.requested_by as "requestedBy", coalesce(sources, '[]') as sources,
    coalesce(skipped, '[]') as skipped, cancel.requested_by as "cancelledBy", reason as "cancelReason"
  from reports left join inputs on inputs.report_id = id left join cancel_requests cancel on cancel.report_id = id
  where id = $1`;

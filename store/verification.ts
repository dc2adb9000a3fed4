import type { Entry } from '../workflows/contract/entry.ts';
import type { Email, Operation, Report } from '../workflows/contract/state.ts';
import { prepared, type Database } from './database.ts';

export interface StoredRows {
  readonly report: Report;
  readonly operations: readonly Operation[];
  readonly emails: readonly Email[];
  readonly entries: readonly Entry[];
  readonly recipients: readonly string[];
}

/** What verification reads: the rows beside the ledger that must equal its fold. */
export function createVerification(database: Database) {
  return {
    ids: async (after: string, limit: number): Promise<readonly string[]> => {
      const rows = await database.query<{ id: string }>('select id from reports where id > $1 order by id limit $2', [after, limit]);
      return rows.map(({ id }) => id);
    },

    rows: (report: string): Promise<StoredRows | null> =>
      database.transaction(async (client) => {
        await client.query('set transaction isolation level repeatable read, read only');
        const read = async <Row extends object>(text: string): Promise<Row[]> => (await client.query<Row>(prepared(text, [report]))).rows;
        const [row] = await read<{ fence: Report }>('select fence from reports where id = $1');
        if (row === undefined) return null;
        const operations = await read<{ fold: Operation }>('select fold from operations where report_id = $1 order by number');
        const emails = await read<{ fold: Email }>('select fold from emails where report_id = $1 and fold is not null order by correction nulls first, number');
        const entries = await read<{ entry: Entry }>('select entry from ledger where report_id = $1 order by sequence');
        const recipients = await read<{ address: string }>('select lower(address) as address from recipients where report_id = $1 order by number');
        return {
          report: row.fence,
          operations: operations.map(({ fold }) => fold),
          emails: emails.map(({ fold }) => fold),
          entries: entries.map(({ entry }) => entry),
          recipients: recipients.map(({ address }) => address),
        };
      }),
  };
}

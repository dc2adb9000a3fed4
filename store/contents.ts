import { freshEmail } from '../workflows/contract/email.ts';
import type { Email, Report } from '../workflows/contract/state.ts';
import type { Authority, Step } from '../workflows/contract/vocabulary.ts';
import type { FolderSource } from '../workflows/contract/input.ts';
import type { Database } from './database.ts';
import type { FrozenBytes } from './decisions.ts';

export interface CollectedSummary {
  readonly name: string;
  readonly step: Step;
  readonly body: string;
}

/** What the work reads: inputs, documents, drafts, frozen messages. None of it decides anything. */
export function createContents(database: Database) {
  return {
    input: async (report: string): Promise<{ month: string; title: string | null; sources: readonly FolderSource[]; skipped: readonly { name: string; why: string }[] } | null> => {
      const rows = await database.query<{ month: string; title: string | null; sources: FolderSource[]; skipped: { name: string; why: string }[] }>(
        'select month, title, sources, skipped from reports join inputs on report_id = id where id = $1',
        [report],
      );
      return rows[0] ?? null;
    },

    report: async (report: string): Promise<Report | null> => {
      const rows = await database.query<{ fence: Report }>('select fence from reports where id = $1', [report]);
      return rows[0]?.fence ?? null;
    },

    /** The documents stored so far, in their order. */
    documents: (report: string): Promise<{ number: number; name: string; bytes: number; sha256: string }[]> =>
      database.query('select number, name, bytes, sha256 from documents where report_id = $1 order by number', [report]),

    documentText: async (report: string, number: number): Promise<string | null> => {
      const rows = await database.query<{ body: string }>('select body from documents where report_id = $1 and number = $2', [report, number]);
      return rows[0]?.body ?? null;
    },

    /** The steps that have a draft. */
    draftedSteps: async (report: string): Promise<readonly Step[]> => {
      const rows = await database.query<{ step: Step }>('select step from drafts where report_id = $1', [report]);
      return rows.map(({ step }) => step);
    },

    summaries: (report: string): Promise<CollectedSummary[]> =>
      database.query(
        `select name, step, drafts.body from documents join drafts on drafts.report_id = documents.report_id and step = 'summarise/' || number
         where documents.report_id = $1 order by number`,
        [report],
      ),

    draft: async (report: string, step: Step): Promise<{ body: string; model: string } | null> => {
      const rows = await database.query<{ body: string; model: string }>('select body, model from drafts where report_id = $1 and step = $2', [report, step]);
      return rows[0] ?? null;
    },

    saved: async (report: string): Promise<{ body: string | null; sha256: string; savedAt: string } | null> => {
      const rows = await database.query<{ body: string | null; sha256: string; savedAt: string }>(
        'select body, sha256, saved_at as "savedAt" from saved_reports where report_id = $1',
        [report],
      );
      return rows[0] ?? null;
    },

    /** One email with its address; null where it does not exist. The address is null once erased. */
    email: async (report: string, id: string): Promise<{ email: Email; recipient: string | null } | null> => {
      const rows = await database.query<{ fold: Email | null; recipient: string | null }>(
        `select fold, address as recipient from emails left join recipients using (report_id, number) where report_id = $1 and id = $2`,
        [report, id],
      );
      const row = rows[0];
      return row === undefined ? null : { email: row.fold ?? freshEmail(id), recipient: row.recipient };
    },

    /** The emails of a range of recipients, in order, with the time they were read at by the database's clock. */
    emailsIn: async (report: string, range: { correction: number | null; from: number; to: number }): Promise<{ email: Email; recipient: string | null; at: string }[]> => {
      const rows = await database.query<{ id: string; fold: Email | null; recipient: string | null; at: string }>(
        `select email.id, fold, address as recipient, current_instant() as at from emails email left join recipients using (report_id, number)
         where report_id = $1 and coalesce(correction, 0) = $2 and number between $3 and $4 order by number`,
        [report, range.correction ?? 0, range.from, range.to],
      );
      return rows.map(({ id, fold, recipient, at }) => ({ email: fold ?? freshEmail(id), recipient, at }));
    },

    /** What a correction says; null once it has been erased. */
    correction: async (report: string, correction: number): Promise<{ message: string; orderedAt: string } | null> => {
      const rows = await database.query<{ message: string; orderedAt: string }>(
        'select message, ordered_at as "orderedAt" from correction_messages where report_id = $1 and correction = $2',
        [report, correction],
      );
      return rows[0] ?? null;
    },

    frozen: async (report: string, email: string, authority: Authority): Promise<FrozenBytes | null> => {
      const rows = await database.query<{ raw: Buffer; sha256: string; messageId: string }>(
        'select raw, sha256, message_id as "messageId" from messages where report_id = $1 and email = $2 and authority = $3',
        [report, email, authority],
      );
      return rows[0] ?? null;
    },

    /** The emails of a report whose outcome no one has confirmed, with the attempts to look for. */
    unconfirmed: async (report: string): Promise<{ email: Email; recipient: string | null }[]> => {
      const rows = await database.query<{ fold: Email; recipient: string | null }>(
        `select fold, address as recipient from emails left join recipients using (report_id, number)
         where report_id = $1 and fold is not null and jsonb_path_exists(fold, '$.attempts[*] ? (@.outcome == "unknown" || @.outcome == "lost")')
         order by correction nulls first, number`,
        [report],
      );
      return rows.map(({ fold, recipient }) => ({ email: fold, recipient }));
    },
  };
}



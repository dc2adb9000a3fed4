import type { Command } from '../workflows/contract/command.ts';
import { refuse, type Decision } from '../workflows/contract/decision.ts';
import { emailOf } from '../workflows/contract/email.ts';
import { transact, type Transaction } from '../workflows/contract/transact.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import type { Email, Operation, Report, State } from '../workflows/contract/state.ts';
import { prepared, type Client } from './database.ts';

/** What a decision came to: the state after it holds the fence, and of operations and emails those that it touched. */
export interface Decided {
  readonly decision: Decision;
  readonly state: State | null;
  readonly entries: readonly Entry[];
  readonly at: string;
}

/** The command, made when the fence is locked and the time of the decision is known. */
export type CommandAt = (at: string, client: Client, fence: Report) => Command | Promise<Command>;

/** Locks the fence and does nothing else: whatever a decision depends on is read by later statements. */
export async function lockFence(client: Client, report: string): Promise<Report | null> {
  const { rows } = await client.query<{ fence: Report }>({
    name: 'lock-fence',
    text: 'select fence from reports where id = $1 for update',
    values: [report],
  });
  return rows[0]?.fence ?? null;
}

/** Decides inside an open transaction: lock, read what the command touches, run the contract, write what it says. */
export async function decideIn(client: Client, report: string, commandAt: CommandAt): Promise<Decided> {
  const fence = await lockFence(client, report);
  const at = await readInstant(client);
  if (fence === null) return { decision: refuse('unknown_report'), state: null, entries: [], at };
  const instant = fence.updatedAt > at ? fence.updatedAt : at;
  const command = await commandAt(instant, client, fence);
  const state = { report: fence, ...(await readTouched(client, report, command)) };
  const transaction = transact(state, command, instant);
  await append(client, report, transaction);
  return { ...transaction, at: instant };
}

export async function readInstant(client: Client): Promise<string> {
  const { rows } = await client.query<{ at: string }>({ name: 'instant', text: 'select current_instant() as at' });
  const at = rows[0]?.at;
  if (at === undefined) throw new Error('the clock has no row');
  return at;
}

type Touched = Omit<State, 'report'>;

async function readTouched(client: Client, report: string, command: Command): Promise<Touched> {
  return {
    operations: await readOperations(client, report, command),
    emails: await readEmails(client, report, command),
    requests: 'request' in command && command.kind !== 'cancel' ? await readRequest(client, report, command.request) : {},
  };
}

async function readOperations(client: Client, report: string, command: Command): Promise<Record<string, Operation>> {
  switch (command.kind) {
    case 'begin':
      return folds(client, `select id, fold from operations where report_id = $1 and (id = $2 or step = $3)`, [report, command.operation, command.step]);
    case 'draft':
    case 'end':
      return folds(client, 'select id, fold from operations where report_id = $1 and id = $2', [report, command.operation]);
    case 'lose':
    case 'fail':
      return folds(client, 'select id, fold from operations where report_id = $1 and open_until is not null', [report]);
    default:
      return {};
  }
}

async function readEmails(client: Client, report: string, command: Command): Promise<Record<string, Email>> {
  switch (command.kind) {
    case 'claim':
    case 'outcome':
    case 'find_evidence':
    case 'give_up':
    case 'authorise_resend':
      return folds(client, 'select id, fold from emails where report_id = $1 and id = $2 and fold is not null', [report, command.email]);
    case 'lose':
      return folds(client, 'select id, fold from emails where report_id = $1 and open_until is not null', [report]);
    case 'order_correction':
      return folds(client, 'select id, fold from emails where report_id = $1 and fold is not null', [report]);
    default:
      return {};
  }
}

async function folds<Fold>(client: Client, text: string, values: readonly string[]): Promise<Record<string, Fold>> {
  const { rows } = await client.query<{ id: string; fold: Fold }>(prepared(text, values));
  return Object.fromEntries(rows.map(({ id, fold }) => [id, fold]));
}

async function readRequest(client: Client, report: string, request: string): Promise<Record<string, Entry['kind']>> {
  const { rows } = await client.query<{ kind: Entry['kind'] }>(
    'select kind from action_requests where report_id = $1 and request = $2',
    [report, request],
  );
  return Object.fromEntries(rows.map(({ kind }) => [request, kind]));
}

const appendText = `
  with new_entries as (
    insert into ledger (report_id, sequence, at, kind, entry)
    select $1, (entry ->> 'sequence')::integer, (entry ->> 'at')::timestamptz, entry ->> 'kind', entry from jsonb_array_elements($2::jsonb) entry
  ), new_operations as (
    insert into operations (report_id, id, step, fold, open_until)
    select $1, fold ->> 'id', fold ->> 'step', fold, case when fold ->> 'state' = 'running' then (fold ->> 'deadlineAt')::timestamptz end
    from jsonb_array_elements($3::jsonb) fold
    on conflict (report_id, id) do update set fold = excluded.fold, open_until = excluded.open_until
  ), new_emails as (
    insert into emails (report_id, id, number, correction, fold, open_until)
    select $1, row ->> 'id', (row ->> 'number')::integer, (row ->> 'correction')::integer, row -> 'fold', (row ->> 'openUntil')::timestamptz
    from jsonb_array_elements($4::jsonb) row
    on conflict (report_id, id) do update set fold = excluded.fold, open_until = excluded.open_until
  ), new_requests as (
    insert into action_requests (report_id, request, kind)
    select $1, entry ->> 'request', entry ->> 'kind' from jsonb_array_elements($2::jsonb) entry
    where entry ->> 'kind' in ('document_deleted', 'correction_ordered', 'resend_authorised')
  )
  update reports set
    fence = $5,
    forward_due_at = case when $6 then current_instant() else forward_due_at end,
    reconcile_due = reconcile_due or $7,
    watch_due_at = case when $8 then null else watch_due_at end
  where id = $1`;

/** Entries that Temporal has to hear of. */
const forwarded: readonly Entry['kind'][] = ['cancel_accepted', 'correction_ordered', 'resend_authorised'];

/** Writes the entries of a transaction and the folds they changed, in one statement. */
export async function append(client: Client, report: string, transaction: Transaction): Promise<void> {
  const { entries, state } = transaction;
  if (entries.length === 0 || state === null) return;
  const touched = (ids: readonly (string | null)[]): string[] => [...new Set(ids)].filter((id) => id !== null);
  const operations = touched(entries.map((entry) => ('operation' in entry && entry.kind !== 'saved' ? entry.operation : null))).map((id) => state.operations[id]);
  const emails = touched(entries.flatMap((entry) => emailsOf(entry))).map((id) => emailRow(state.emails[id]));
  const isDoubtful = entries.some((entry) => entry.kind === 'claim_lost' || (entry.kind === 'attempt_ended' && entry.outcome === 'unknown'));
  const isForwarded = isDoubtful || entries.some((entry) => forwarded.includes(entry.kind));
  const hasEnded = entries.some((entry) => entry.kind === 'concluded');
  const values = [report, json(entries), json(operations), json(emails), json(state.report), isForwarded, isDoubtful, hasEnded];
  await client.query({ name: 'append', text: appendText, values });
}

function emailsOf(entry: Entry): readonly string[] {
  if (entry.kind === 'correction_ordered') return entry.emails;
  return 'email' in entry ? [entry.email] : [];
}

function emailRow(email: Email | undefined): object | null {
  const name = email === undefined ? null : emailOf(email.id);
  if (email === undefined || name === null) return null;
  const open = email.attempts.filter((attempt) => attempt.open).map((attempt) => attempt.deadlineAt);
  return { id: email.id, ...name, fold: email, openUntil: open.toSorted()[0] ?? null };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

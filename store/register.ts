import { createHash } from 'node:crypto';
import { emailId } from '../workflows/contract/email.ts';
import type { ReportInput } from '../workflows/contract/input.ts';
import type { Cancel, Refusal, Register } from '../workflows/contract/command.ts';
import { transact } from '../workflows/contract/transact.ts';
import type { Report, State } from '../workflows/contract/state.ts';
import type { Client, Database } from './database.ts';
import { append, decideIn, lockFence, readInstant } from './fence.ts';
import { notifyCancelled, notifyDue } from './notifications.ts';

/** A start that a caller may repeat under its key, as a caller of the API makes it. */
export interface Start {
  readonly reportId: string;
  readonly input: ReportInput;
  readonly caller: string;
  readonly key: string;
}

export type Started =
  | { readonly kind: 'started' | 'repeated'; readonly reportId: string }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** Registers a report under its start key: the row is committed before any run is started. */
export function register(database: Database, start: Start, tries = 5): Promise<Started> {
  return database.transaction<Started>(async (client) => {
    const { supersedes } = start.input;
    const known = await findStart(client, start);
    if (known !== null) return known;
    const refusal = supersedes === null ? null : await supersede(client, supersedes, start.reportId);
    // Whoever held the ancestor's lock before us may have been this same start.
    if (refusal !== null) return (await findStart(client, start)) ?? { kind: 'refused', reason: refusal };
    await insertReport(client, start.reportId, start.input, start.caller, null);
    const { rowCount } = await client.query(
      'insert into start_keys (caller, key, report_id) values ($1, $2, $3) on conflict do nothing',
      [start.caller, start.key, start.reportId],
    );
    if (rowCount === 0) throw new StartedElsewhere();
    await notifyDue(client);
    return { kind: 'started', reportId: start.reportId };
  }).catch((error: unknown) => {
    if (tries > 1 && (error instanceof StartedElsewhere || isDuplicate(error))) return register(database, start, tries - 1);
    throw error;
  });
}

/** Somebody else committed the same key between our look and our insert: look again. */
class StartedElsewhere extends Error {}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && 'table' in error && (error.table === 'start_keys' || error.table === 'reports');
}

async function findStart(client: Client, start: Start): Promise<Started | null> {
  const { rows } = await client.query<{ id: string; fence: Report }>(
    'select id, fence from reports where id = (select report_id from start_keys where caller = $1 and key = $2)',
    [start.caller, start.key],
  );
  const row = rows[0];
  if (row === undefined) return null;
  if (row.fence.inputHash !== hashOf(start.input)) return { kind: 'refused', reason: 'different_input' };
  return { kind: 'repeated', reportId: row.id };
}

/** A run that was started straight through a Temporal client, and a cancel that it has seen before it was registered. */
export interface DirectRun {
  readonly reportId: string;
  readonly input: ReportInput;
  readonly namespace: string;
  readonly cancel: (Omit<Cancel, 'kind'> & { readonly by: string | null; readonly reason: string | null }) | null;
}

/**
 * Registers a direct run in its first transaction, with any cancel already seen; where a row is there, the row's input wins.
 * Answers why it may not supersede what it names; null where it was registered.
 */
export function registerDirect(database: Database, run: DirectRun): Promise<Refusal | null> {
  return database.transaction(async (client) => {
    if ((await lockFence(client, run.reportId)) !== null) return null;
    await client.query('savepoint registration');
    const { supersedes } = run.input;
    const refusal = supersedes === null ? null : await supersede(client, supersedes, run.reportId);
    if (refusal !== null) return refusal;
    try {
      await insertReport(client, run.reportId, run.input, 'temporal', run.namespace);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
      await client.query('rollback to savepoint registration');
      return null;
    }
    if (run.cancel !== null) await cancelIn(client, run.reportId, run.cancel);
    return null;
  });
}

async function supersede(client: Client, ancestor: string, by: string): Promise<Refusal | null> {
  const { decision } = await decideIn(client, ancestor, () => ({ kind: 'supersede', by }));
  return decision.kind === 'refused' ? decision.reason : null;
}

export interface CancelRequest {
  readonly receipt: string;
  readonly request: string;
  readonly door: Cancel['door'];
  readonly by: string | null;
  readonly reason: string | null;
}

/** Accepts a cancel inside an open transaction; what people said with it goes to a table that can be erased. */
export async function cancelIn(client: Client, reportId: string, cancel: CancelRequest): Promise<State | null> {
  const { receipt, request, door, by, reason } = cancel;
  const { decision, state } = await decideIn(client, reportId, () => ({ kind: 'cancel', receipt, request, door }));
  if (decision.kind === 'accepted') {
    await client.query('insert into cancel_requests (report_id, requested_by, reason) values ($1, $2, $3)', [reportId, by, reason]);
    await notifyCancelled(client, reportId);
  }
  return state;
}

async function insertReport(client: Client, reportId: string, input: ReportInput, requestedBy: string, namespace: string | null): Promise<void> {
  const at = await readInstant(client);
  const transaction = transact(null, registration(reportId, input), at);
  await client.query(
    `insert into reports (id, fence, month, created_at, requested_by, start_namespace, start_acknowledged_at, forward_due_at, watch_due_at)
     values ($1, $2, $3, $4, $5, $6, case when $6::text is null then null else $4::timestamptz end,
       case when $6::text is null then $4::timestamptz end, case when $6::text is null then null else $4::timestamptz end)`,
    [reportId, JSON.stringify(transaction.state?.report), input.month, at, requestedBy, namespace],
  );
  await client.query('insert into inputs (report_id, title, sources) values ($1, $2, $3)', [reportId, input.title, JSON.stringify(input.sources)]);
  await client.query(
    `insert into recipients (report_id, number, address) select $1, number, address from unnest($2::text[]) with ordinality as given (address, number)`,
    [reportId, input.recipients],
  );
  const ids = input.recipients.map((_, index) => emailId(index + 1));
  await client.query(
    `insert into emails (report_id, id, number) select $1, id, number from unnest($2::text[]) with ordinality as given (id, number)`,
    [reportId, ids],
  );
  await append(client, reportId, transaction);
}

function registration(report: string, input: ReportInput): Register {
  const { month, supersedes, acceptDuplicateRisk: acceptedDuplicateRisk } = input;
  const inputHash = hashOf(input);
  return { kind: 'register', report, month, recipients: input.recipients.length, inputHash, supersedes, acceptedDuplicateRisk };
}

/** Validated inputs have their fields in one order, so equal inputs have equal texts. */
function hashOf(input: ReportInput): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}


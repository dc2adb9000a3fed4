import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export type Client = pg.ClientBase;

export interface DatabaseOptions {
  readonly url: string;
  /** Connections this process holds at most. */
  readonly poolSize: number;
}

export interface Database {
  /** Runs one READ COMMITTED transaction, and repeats it whole where the connection is lost: `run` must give the same answer again. */
  transaction<Result>(run: (client: Client) => Promise<Result>): Promise<Result>;
  /** Runs one statement outside a transaction; repeated where the connection is lost. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The database could not be reached for as long as a caller should wait; nothing is known of an unfinished decision until it is repeated. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** A statement that the server parses once per connection; its name is a digest of its text (names end at 63 bytes). */
export function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  const known = names.get(text) ?? createHash('sha1').update(text).digest('hex');
  names.set(text, known);
  return { name: known, text, values: [...values] };
}

const names = new Map<string, string>();

/** A paused process must not hold a fence for longer than this. */
const idleInTransactionMs = 10_000;
const pausesMs = [20, 100, 300, 1000, 2000];

export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: 'standdown',
    types: { getTypeParser },
  };
}

/** Times as ISO strings and big integers as numbers, everywhere. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
  if (format !== 'binary' && oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format);
};

export function openDatabase(options: DatabaseOptions): Database {
  // The server gives up a statement before the client does, so that no lock outlives its asker.
  const pool = new pg.Pool({ ...connectionOptions(options.url), statement_timeout: 30_000, max: options.poolSize, idleTimeoutMillis: 30_000 });
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => undefined);
  return {
    transaction: (run) => repeated(() => withClient(pool, (client) => inTransaction(client, run))),
    query: (text, values = []) => repeated(() => withClient(pool, async (client) => (await client.query(prepared(text, values))).rows)),
    close: () => pool.end(),
  };
}

async function inTransaction<Result>(client: Client, run: (client: Client) => Promise<Result>): Promise<Result> {
  await client.query('begin isolation level read committed');
  try {
    const result = await run(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (!isLost(error)) await client.query('rollback');
    throw error;
  }
}

async function withClient<Result>(pool: pg.Pool, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  const lost: { error?: Error } = {};
  const remember = (error: Error): void => {
    lost.error = error;
  };
  client.on('error', remember);
  try {
    return await run(client);
  } catch (error) {
    if (isLost(error) && error instanceof Error) lost.error ??= error;
    throw error;
  } finally {
    client.off('error', remember);
    client.release(lost.error);
  }
}

async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const ms of pausesMs) {
    try {
      return await run();
    } catch (error) {
      if (!isLost(error) && !isConflict(error)) throw error;
      await pause(ms);
    }
  }
  try {
    return await run();
  } catch (error) {
    throw isLost(error) ? new DatabaseUnavailable('the database cannot be reached', { cause: error }) : error;
  }
}

const lostCodes = ['25006', '57P01', '57P02', '57P03', '53300', '25P03', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** Whether the connection broke, so that nobody knows what became of the transaction (SQLSTATE classes 08 and 57P, a primary that has become read-only, or the socket's own). */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (lostCodes.includes(code) || code.startsWith('08')) return true;
  if (error instanceof AggregateError) return error.errors.some(isLost);
  return /connection terminated|connection timeout|timeout exceeded|query read timeout|not queryable|connection error/i.test(error.message);
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');
}

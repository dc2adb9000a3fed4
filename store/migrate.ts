import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { connectionOptions } from './database.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Any number will do, as long as every process of the product takes the same lock. */
const advisoryLock = 7_360_112;

/** The database is of a newer version than this code, or cannot keep its promises. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/** Brings the database to this code's version, one process at a time; refuses a newer one and one that may lose acknowledged commits. */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    await refuseUnsafe(client);
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    await client.query('create table if not exists migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())');
    await applyMissing(client, await migrations());
  } finally {
    await client.end();
  }
}

async function refuseUnsafe(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ recovering: boolean; commit: string }>(
    `select pg_is_in_recovery() as recovering, current_setting('synchronous_commit') as commit`,
  );
  if (rows[0]?.recovering === true) throw new DatabaseRefused('DATABASE_URL names a server in recovery: decisions need the writable primary');
  if (rows[0]?.commit === 'off') throw new DatabaseRefused('the database has synchronous_commit = off: an accepted cancel could be forgotten');
}

interface Migration {
  readonly number: number;
  readonly name: string;
}

async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return names.map((name) => ({ number: Number.parseInt(name, 10), name }));
}

async function applyMissing(client: pg.Client, known: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ newest: number }>('select coalesce(max(number), 0) as newest from migrations');
  const applied = rows[0]?.newest ?? 0;
  const newest = known.at(-1)?.number ?? 0;
  if (applied > newest) throw new DatabaseRefused(`the database is at version ${applied}, newer than this code's ${newest}: start the newer code`);
  for (const migration of known.filter(({ number }) => number > applied)) {
    const sql = await readFile(new URL(migration.name, folder), 'utf8');
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into migrations (number, name) values ($1, $2)', [migration.number, migration.name]);
    await client.query('commit');
  }
}

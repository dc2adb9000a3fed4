import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../store/migrate.ts';

const template = 'standdown_template';
const advisoryLock = 911;

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** For tests whose database is damaged on purpose; every other one is verified when all tests are done. */
  drop(): Promise<void>;
}

/** A database of the current version for this test file; it stays until the last test has verified it. */
export async function freshDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (admin) => {
    await ensureTemplate(admin);
    await admin.query(`create database ${name} template ${template}`);
  });
  return { url: urlOf(name), name, drop: () => asAdmin((admin) => admin.query(`drop database ${name} with (force)`)) };
}

/** The databases that the tests of this run have filled. */
export async function filledDatabases(): Promise<readonly TestDatabase[]> {
  const names: string[] = [];
  await asAdmin(async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(`select datname from pg_database where datname like 'test\\_%' order by 1`);
    names.push(...rows.map(({ datname }) => datname));
  });
  return names.map((name) => ({ name, url: urlOf(name), drop: async () => undefined }));
}

async function ensureTemplate(admin: pg.Client): Promise<void> {
  await admin.query('select pg_advisory_lock($1)', [advisoryLock]);
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount === 0) {
    await admin.query(`create database ${template}_unfinished`);
    await migrate(urlOf(`${template}_unfinished`));
    await admin.query(`alter database ${template}_unfinished rename to ${template}`);
  }
}

export async function asAdmin(run: (admin: pg.Client) => Promise<unknown>, url = inject('postgresUrl')): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

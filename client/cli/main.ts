import { readFile } from 'node:fs/promises';
import { createFolderSource } from '../../activities/sources/folder.ts';
import { SourceError } from '../../activities/sources/source.ts';
import { addressesFile, environment, readConfig, required, settings, withAddresses, WrongSettings, type Environment } from '../../config.ts';
import { DatabaseUnavailable } from '../../store/database.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createInspection } from '../inspect-sources.ts';
import { createReports } from '../reports.ts';
import { createVerification } from '../verification.ts';
import { CommandProblem } from './command-problem.ts';
import { exits } from './exits.ts';
import type { Output } from './output.ts';
import { createHttpFace } from './over-http.ts';
import { createStoreFace } from './over-store.ts';
import { run } from './program.ts';
import type { ReportsFace } from './reports-face.ts';
import { settingRows, type SettingRow } from './setting-rows.ts';

const notRunning = 'Standdown is not running here; `npm start` starts it.';
const given = environment();

/** The environment with what a running start command tells; null where none has told anything. */
async function located(): Promise<Environment | null> {
  try {
    return withAddresses(given, await readFile(addressesFile(given), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function openFace(output: Output): Promise<ReportsFace> {
  const { standdownUrl, database } = readConfig(given);
  if (standdownUrl !== null) return createHttpFace(standdownUrl);
  const env = database.url === null ? await located() : given;
  if (env === null) throw new CommandProblem('away', notRunning);
  return openStoreFace(env, output);
}

function openStoreFace(env: Environment, output: Output): ReportsFace {
  const { database, secret } = readConfig(env);
  const store = openStore({ url: required(database.url, 'DATABASE_URL'), poolSize: 2 });
  const reports = createReports({ store, secret: required(secret, 'STANDDOWN_SECRET'), inspectSources: inspectionFor(env) });
  return createStoreFace({
    reports,
    verification: createVerification(store),
    forward: forwardsTo(env) ? (id) => forward(store, env, id, output) : async () => undefined,
    close: async () => {
      reports.close();
      await store.close();
    },
  });
}

/** Only a documents folder that was named is sure to be the workers' own. */
function inspectionFor(env: Environment): Parameters<typeof createReports>[0]['inspectSources'] {
  if (!env['DOCUMENTS_ROOT']) return async () => [];
  const { documentsRoot: root } = readConfig(env);
  const source = createFolderSource({ root });
  const isRefusal = (error: unknown): error is Error => error instanceof SourceError && error.kind === 'permanent';
  return createInspection({ root, list: (path) => source.list(path), isRefusal });
}

/** Whether database and Temporal were named in one place: a start brought to another Temporal than the workers' would never run. */
function forwardsTo(env: Environment): boolean {
  const [own, whole] = [readConfig(given), readConfig(env)];
  return whole.temporal.isGiven && (own.database.url === null) !== own.temporal.isGiven;
}

/** Another process may try again soon, should this one not get through. */
const leaseMs = 1000;

async function forward(store: Store, env: Environment, id: string, output: Output): Promise<void> {
  const { temporal: settings, limits } = readConfig(env);
  const warn = (says: string): void => output.note(`Note: ${says}; running processes go on trying.`);
  // Loaded only here: reading commands need none of it, and it takes long.
  const [{ createForwarder }, { openTemporalClient }, { runLimitsOf }] = await Promise.all([
    import('../../workers/forwarding.ts'),
    import('../../workers/temporal-client.ts'),
    import('../../workers/run-limits.ts'),
  ]);
  const temporal = openTemporalClient(settings);
  const forwarder = createForwarder({
    ...{ store, temporal: temporal.client, namespace: temporal.namespace, taskQueue: settings.taskQueue, warn },
    ...{ runLimits: runLimitsOf(limits), leaseMs, vanishedCheckMs: limits.vanishedCheckMs },
  });
  try {
    await forwarder.forward(id);
  } finally {
    await temporal.close();
  }
}

async function readSettings(): Promise<{ rows: readonly SettingRow[]; problem: CommandProblem | null }> {
  const env = (await located().catch(() => null)) ?? given; // An addresses.json that cannot be read adds nothing.
  const rows = settingRows(settings, given, env);
  try {
    readConfig(env);
    return { rows, problem: null };
  } catch (error) {
    return { rows, problem: explain(error) };
  }
}

/** SQLSTATE of a table that is not there. */
const undefinedTable = '42P01';

function explain(error: unknown): CommandProblem {
  if (error instanceof CommandProblem) return error;
  if (error instanceof WrongSettings) return new CommandProblem('wrong', 'The settings are not right.', error.problems.map((says) => ({ field: '', says })));
  if (error instanceof DatabaseUnavailable) return new CommandProblem('away', given['DATABASE_URL'] ? 'The database at DATABASE_URL cannot be reached.' : notRunning);
  if (!(error instanceof Error)) return new CommandProblem('failure', String(error));
  if ('code' in error && error.code === undefinedTable) return new CommandProblem('failure', 'The database is not set up yet: a worker or the API does so when it starts.');
  return new CommandProblem('failure', error.message);
}

function interrupted(): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  return stop.signal;
}

// A reader that closes the pipe (`| head`) has read enough.
process.stdout.on('error', () => process.exit());

const { stdout, stderr } = process;
const exit = await run(process.argv.slice(2), { stdout, stderr, openFace, readSettings, interrupted, explain });
process.exitCode = exits[exit].status;

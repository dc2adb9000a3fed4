import { join } from 'node:path';
import type { Addresses, Environment } from '../config.ts';
import { keepRunning, startProgram } from './children.ts';
import { mailServer, postgresServer, temporalServer } from './embedded-servers.ts';
import type { Server, Surroundings } from './embedded-servers.ts';
import { freePort, isFree } from './ports.ts';
import { answers } from './readiness.ts';

const API_STOP_MS = 10_000;
const WORKER_STOP_MARGIN_MS = 5_000;
const root = join(import.meta.dirname, '..');

/** Everything that the start command runs. */
export interface Stack {
  readonly addresses: Addresses;
  /** The API as this machine reaches it, whatever its public address. */
  readonly api: string;
  /** Stops what runs, in order, and leaves nothing. */
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

type Variables = Record<string, string>;

async function worker({ env, config, folder, registry, say }: Surroundings, variables: Variables): Promise<Stoppable> {
  const start = () =>
    startProgram({
      name: 'worker',
      script: join(root, 'workers', 'main.ts'),
      env: { ...env, ...variables },
      log: join(folder.path, 'worker.log'),
      onSpawn: (pid) => registry.add('worker', pid),
      isReady: async (log) => log.includes('worker ready'),
    });
  const kept = keepRunning({ name: 'worker', start, say }, await start());
  return { stop: () => kept.stop(config.limits.shutdownGraceMs + WORKER_STOP_MARGIN_MS).then(() => registry.remove('worker')) };
}

async function api({ env, folder, registry, say }: Surroundings, variables: Variables, url: string): Promise<Stoppable> {
  const start = () =>
    startProgram({
      name: 'API',
      script: join(root, 'client', 'http', 'main.ts'),
      env: { ...env, ...variables },
      log: join(folder.path, 'api.log'),
      onSpawn: (pid) => registry.add('API', pid),
      isReady: () => answers(`${url}/readyz`),
    });
  const kept = keepRunning({ name: 'API', start, say }, await start());
  return { stop: () => kept.stop(API_STOP_MS).then(() => registry.remove('API')) };
}

/** Starts several at once; where one fails, stops those that started. */
async function allOrNone<T extends Stoppable>(starting: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(starting);
  const problems: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  const started = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  if (problems.length === 0) return started;
  await stopInTurn(started);
  throw new Error(problems.map((problem) => (problem instanceof Error ? problem.message : String(problem))).join('\n'));
}

async function stopInTurn(parts: readonly Stoppable[]): Promise<void> {
  for (const part of parts) await part.stop();
}

/** Somebody's Temporal settings for other servers must not reach the embedded one. */
function environmentFor({ env, config }: Surroundings): Environment {
  if (config.temporal.isGiven) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_') || name === 'TEMPORAL_TASK_QUEUE'));
}

interface OwnAddress {
  readonly HOST: string;
  readonly PORT: string;
  readonly PUBLIC_URL: string;
}

/** Where the API will be; throws where its port is taken. */
async function ownAddress({ env, config }: Surroundings): Promise<OwnAddress> {
  const { host } = config.http;
  const port = config.http.port === 0 ? await freePort(host) : config.http.port;
  if (!(await isFree(port, host))) throw new Error(`port ${port} on ${host} is taken; choose another with PORT`);
  const publicUrl = env.PUBLIC_URL ? config.http.publicUrl : config.http.publicUrl.replace(/:0$/, `:${port}`);
  return { HOST: host, PORT: String(port), PUBLIC_URL: publicUrl };
}

function reachable({ HOST, PORT }: OwnAddress): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/** Brings everything up: the servers that the environment does not name, then the worker and the API. */
export async function startStack(surroundings: Surroundings, documentsRoot: string): Promise<Stack> {
  // Any free port is looked for last, so that none of the servers can take it meanwhile.
  const isAnyPort = surroundings.config.http.port === 0;
  const named = isAnyPort ? null : await ownAddress(surroundings);
  const servers: readonly Server[] = await allOrNone([temporalServer(surroundings), postgresServer(surroundings), mailServer(surroundings)]);
  const own = named ?? (await ownAddress(surroundings));
  const variables = { ...own, DOCUMENTS_ROOT: documentsRoot, TEMPORAL_TASK_QUEUE: surroundings.config.temporal.taskQueue, ...Object.assign({}, ...servers.map((server) => server.variables)) };
  const inside = { ...surroundings, env: environmentFor(surroundings) };
  const programs = await allOrNone([api(inside, variables, reachable(own)), worker(inside, variables)]).catch(async (error: unknown) => {
    await stopInTurn(servers);
    throw error;
  });
  const [temporalUi, , inbox] = servers.map(({ page }) => page);
  return {
    addresses: { pid: process.pid, page: own.PUBLIC_URL, inbox: inbox ?? null, temporalUi: temporalUi ?? null, variables },
    api: reachable(own),
    stop: () => stopInTurn([...programs, ...servers]),
  };
}

import { join } from 'node:path';
import type { Config, Environment } from '../config.ts';
import { required } from '../config.ts';
import { keepRunning, startProgram } from './children.ts';
import type { DataFolder } from './data-folder.ts';
import { freePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import type { Registry } from './registry.ts';
import { startTemporal } from './temporal.ts';

const MAIL_STOP_MS = 5_000;
const TEMPORAL_STOP_MS = 10_000;

/** What the start command needs to start anything. */
export interface Surroundings {
  readonly env: Environment;
  readonly config: Config;
  readonly folder: DataFolder;
  readonly registry: Registry;
  say(text: string): void;
}

/** A server that is embedded, or, with nothing to stop and nothing to tell, one that the environment names. */
export interface Server {
  /** The settings by which other processes reach it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly page: string | null;
  stop(): Promise<void>;
}

const givenServer: Server = { variables: {}, page: null, stop: async () => {} };

/** PostgreSQL, unless the environment names one. */
export async function postgresServer({ config, folder, registry }: Surroundings): Promise<Server> {
  if (config.database.url !== null) return givenServer;
  const { postgresPassword: password, links } = folder.secrets;
  const postgres = await startPostgres({ folder: folder.path, password, port: config.embedded.postgresPort });
  registry.add('PostgreSQL', postgres.pid);
  return {
    variables: { DATABASE_URL: postgres.url, STANDDOWN_SECRET: config.secret ?? links },
    page: null,
    stop: async () => {
      await postgres.stop();
      registry.remove('PostgreSQL');
    },
  };
}

/** Temporal's dev server, unless the environment names a server. */
export async function temporalServer({ config, folder, registry, say }: Surroundings): Promise<Server> {
  if (config.temporal.isGiven) return givenServer;
  const cli = required(config.temporal.cliPath, 'TEMPORAL_CLI_PATH');
  const { temporalPort, temporalUiPort } = config.embedded;
  const ports = { port: temporalPort, uiPort: temporalUiPort };
  const options = { cli, folder: folder.path, inMemory: false, onSpawn: (pid: number) => registry.add('Temporal', pid) };
  const first = await startTemporal({ ...options, ...ports });
  const again = async () => (await startTemporal({ ...options, ...first.ports })).process;
  const kept = keepRunning({ name: 'Temporal server', start: again, say }, first.process);
  return {
    variables: { TEMPORAL_ADDRESS: first.address, TEMPORAL_NAMESPACE: 'default' },
    page: first.uiUrl,
    stop: async () => {
      await kept.stop(TEMPORAL_STOP_MS);
      registry.remove('Temporal');
    },
  };
}

/** A mail server that keeps what it is sent and shows it on its inbox page, unless the environment names one. */
export async function mailServer({ env, config, folder, registry, say }: Surroundings): Promise<Server> {
  if (config.mail.smtpUrl !== null) return givenServer;
  const [smtpPort, inboxPort] = [config.embedded.smtpPort ?? (await freePort()), config.embedded.inboxPort ?? (await freePort())];
  const ports = { SMTP_PORT: String(smtpPort), INBOX_PORT: String(inboxPort) };
  const start = () =>
    startProgram({
      name: 'mail server',
      script: join(import.meta.dirname, 'mail-server.ts'),
      env: { ...env, ...ports, STANDDOWN_DATA: folder.path },
      log: join(folder.path, 'mail.log'),
      onSpawn: (pid) => registry.add('mail server', pid),
      isReady: async (log) => log.includes('mail server ready'),
    });
  const kept = keepRunning({ name: 'mail server', start, say }, await start());
  const inbox = `http://127.0.0.1:${inboxPort}`;
  const lookup = env.MAIL_LOOKUP === undefined ? { MAIL_LOOKUP: `maildev:${inbox}` } : {};
  return {
    variables: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, ...lookup },
    page: inbox,
    stop: async () => {
      await kept.stop(MAIL_STOP_MS);
      registry.remove('mail server');
    },
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { createFolderSource } from '../../activities/sources/folder.ts';
import { SourceError } from '../../activities/sources/source.ts';
import { environment, readConfig, required, WrongSettings, type Config } from '../../config.ts';
import { migrate } from '../../store/migrate.ts';
import { openStore } from '../../store/store.ts';
import { createForwarder } from '../../workers/forwarding.ts';
import { runLimitsOf } from '../../workers/run-limits.ts';
import { startSweeping } from '../../workers/sweeping.ts';
import { openTemporalClient } from '../../workers/temporal-client.ts';
import { createInspection } from '../inspect-sources.ts';
import { createReports } from '../reports.ts';
import { createApi } from './api.ts';
import { serve } from './serving.ts';
import { temporalState } from './temporal-state.ts';

/** The same as the start command's: 4 is for a port that is taken, and for a database that is away or refuses. */
const exit = { wrongSettings: 2, setUpImpossible: 4 } as const;
const sweptWithinMs = 2000;
const warn = (says: string, error?: unknown): void => console.error(says, error ?? '');

async function start(config: Config): Promise<() => Promise<void>> {
  const { limits, documentsRoot, http } = config;
  const url = required(config.database.url, 'DATABASE_URL');
  const secret = required(config.secret, 'STANDDOWN_SECRET');
  const temporal = openTemporalClient(config.temporal);
  await migrate(url);
  const store = openStore({ url, poolSize: config.database.poolSize });
  const { namespace } = temporal;
  const common = { store, temporal: temporal.client, namespace, vanishedCheckMs: limits.vanishedCheckMs, warn } as const;
  const forwarder = createForwarder({ ...common, taskQueue: config.temporal.taskQueue, runLimits: runLimitsOf(limits), leaseMs: limits.sweepEveryMs });
  const { list } = createFolderSource({ root: documentsRoot });
  const isRefusal = (error: unknown): error is Error => error instanceof SourceError && error.kind === 'permanent';
  const reports = createReports({ store, secret, inspectSources: createInspection({ root: documentsRoot, list, isRefusal }) });
  const stopping = new AbortController();
  const api = createApi({
    ...{ reports, publicUrl: http.publicUrl, stopping: stopping.signal, commentEveryMs: 15_000, warn },
    temporalState: () => temporalState(temporal),
  });
  const serving = await serve(api, http);
  const sweeping = startSweeping({ ...common, forwarder, everyMs: limits.sweepEveryMs });
  // No operation runs in this process, so there is none to tell of a cancel.
  const listening = store.listen({ onCancelled: () => undefined, onDue: sweeping.wake });
  console.log(`API ready on http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${serving.port}`);
  return async () => {
    stopping.abort();
    await serving.close();
    await listening.close();
    // A call to a Temporal that is away takes longer; what is cut short stays due. The connection is left to the exit:
    // closed under a call that waits to be repeated, the SDK ends the process with an error.
    await Promise.race([sweeping.close(), pause(sweptWithinMs)]);
    reports.close();
    await store.close();
  };
}

function explain(error: unknown): { says: string; status: number } {
  if (error instanceof WrongSettings) return { says: error.message, status: exit.wrongSettings };
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return { says: 'the port is taken; choose another with PORT', status: exit.setUpImpossible };
  if (code === 'ECONNREFUSED') return { says: 'nothing answers at DATABASE_URL', status: exit.setUpImpossible };
  return { says: error instanceof Error ? error.message : String(error), status: exit.setUpImpossible };
}

try {
  const stop = await start(readConfig(environment()));
  const stopped = (): void => void stop().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stopped);
} catch (error) {
  const { says, status } = explain(error);
  console.error(`standdown API: ${says}`);
  process.exit(status);
}

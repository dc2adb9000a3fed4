import { NativeConnection, Runtime } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities.ts';
import { environment, readConfig, required } from '../config.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/store.ts';
import { dependenciesOf } from './dependencies-of.ts';
import { createForwarder } from './forwarding.ts';
import { runLimitsOf } from './run-limits.ts';
import { startSweeping } from './sweeping.ts';
import { openTemporalClient } from './temporal-client.ts';
import { createWorker } from './worker.ts';
import { workflowBundle } from './workflow-bundle.ts';

const config = readConfig(environment());
const url = required(config.database.url, 'DATABASE_URL');
const { limits } = config;
const warn = (says: string, error?: unknown): void => console.error(says, error ?? '');

const stopping = new AbortController();

Runtime.install({ shutdownSignals: [] });
await migrate(url);
const store = openStore({ url, poolSize: config.database.poolSize });
const dependencies = dependenciesOf(store, {
  documentsRoot: config.documentsRoot,
  publicUrl: config.http.publicUrl,
  secret: required(config.secret, 'STANDDOWN_SECRET'),
  model: config.model,
  mail: { smtpUrl: required(config.mail.smtpUrl, 'SMTP_URL'), from: config.mail.from, lookup: config.mail.lookup },
  limits,
}, stopping.signal);
const temporal = openTemporalClient(config.temporal);
const { namespace } = temporal;
const { taskQueue } = config.temporal;
const forwarder = createForwarder({
  ...{ store, temporal: temporal.client, namespace, taskQueue, runLimits: runLimitsOf(limits), warn },
  ...{ leaseMs: limits.sweepEveryMs, vanishedCheckMs: limits.vanishedCheckMs },
});
const sweeping = startSweeping({
  ...{ store, forwarder, temporal: temporal.client, namespace, warn },
  ...{ everyMs: limits.sweepEveryMs, vanishedCheckMs: limits.vanishedCheckMs },
});
const listening = store.listen({ onCancelled: (id) => dependencies.running.tell(id, 'push'), onDue: sweeping.wake });

const connection = await NativeConnection.connect(temporal.connectionOptions);
const worker = await createWorker({
  ...{ connection, namespace, taskQueue, bundlePath: await workflowBundle(), activities: createActivities(dependencies) },
  ...{ stickyScheduleToStartMs: limits.stickyScheduleToStartMs, shutdownGraceMs: limits.shutdownGraceMs, heartbeatEveryMs: limits.heartbeatEveryMs },
});
// Work is told at once and goes on elsewhere; a send under way is waited for, and none is claimed after it.
stopping.signal.addEventListener('abort', () => {
  worker.shutdown();
  dependencies.running.tellAll('shutdown');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

const running = worker.run();
console.log('worker ready');
await running;
await listening.close();
await sweeping.close();
dependencies.mail.provider.close();
await connection.close();
await store.close();
// The client's connection is left to the exit: closing it while one of its retries is pending ends the process with an error.
process.exit();

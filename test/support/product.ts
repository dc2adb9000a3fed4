import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';
import { createActivities } from '../../activities/create-activities.ts';
import type { ActivityLimits, Dependencies } from '../../activities/dependencies.ts';
import type { Model } from '../../activities/models/model.ts';
import { createRunning } from '../../activities/running.ts';
import { createFolderSource } from '../../activities/sources/folder.ts';
import { createReports, type Reports } from '../../client/reports.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createForwarder } from '../../workers/forwarding.ts';
import { runLimitsOf } from '../../workers/run-limits.ts';
import { startSweeping } from '../../workers/sweeping.ts';
import { createWorker } from '../../workers/worker.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import { freshDatabase } from './database.ts';

/** Short, so that tests need not wait; each is a setting of the product. */
const testLimits = {
  collectMs: 20_000,
  modelCallMs: 20_000,
  sendMs: 3000,
  deadlineMarginMs: 2000,
  retryForMs: 60_000,
  firstRetryMs: 1500,
  maxRetryMs: 5000,
  heartbeatEveryMs: 200,
  heartbeatTimeoutMs: 3000,
  activityAttempts: 3,
} satisfies TestLimits;

type TestLimits = ActivityLimits & { readonly heartbeatTimeoutMs: number; readonly activityAttempts: number };

export interface Doors {
  readonly model: Model;
  readonly mail: Dependencies['mail'];
  readonly source?: (real: Dependencies['source']) => Dependencies['source'];
  readonly limits?: Partial<TestLimits>;
  /** Off, to see what a report does without a worker. */
  readonly works?: boolean;
  readonly temporalAddress?: string;
  readonly databaseUrl?: string;
  readonly taskQueue?: string;
  /** Off, to see what happens when the notification of a cancel is lost. */
  readonly pushes?: boolean;
  readonly forwards?: boolean;
  readonly vanishedCheckMs?: number;
  readonly namespace?: string;
  /** Hears what the product warns of. */
  readonly warn?: (says: string) => void;
  /** The time-skipping test server never gives a workflow back to another worker: nothing is cached there. */
  readonly skipsTime?: boolean;
}

/** The whole product in this process, on a database and a task queue of its own, with the real servers of the test run. */
export interface Product {
  readonly store: Store;
  readonly reports: Reports;
  readonly temporal: Client;
  readonly databaseUrl: string;
  readonly documentsRoot: string;
  readonly taskQueue: string;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProduct(doors: Doors): Promise<Product> {
  const url = doors.databaseUrl ?? (await freshDatabase()).url;
  const limits = { ...testLimits, ...doors.limits };
  const taskQueue = doors.taskQueue ?? `test-${randomUUID()}`;
  const documentsRoot = await documents();
  const store = openStore({ url, poolSize: 8 });
  const address = doors.temporalAddress ?? inject('temporalAddress');
  const connection = Connection.lazy({ address });
  const namespace = doors.namespace ?? 'default';
  const temporal = new Client({ connection, namespace });
  const running = createRunning();
  const warn = (says: string): void => doors.warn?.(says);
  const common = { store, temporal, namespace, vanishedCheckMs: doors.vanishedCheckMs ?? 60_000, warn } as const;
  const forwarder = createForwarder({ ...common, taskQueue, runLimits: runLimitsOf(limits), leaseMs: 1000 });
  const idle = { forward: async (): Promise<number> => 0 };
  const sweeping = startSweeping({ ...common, forwarder: doors.forwards === false ? idle : forwarder, everyMs: 1000 });
  const listening = store.listen({
    onCancelled: (id) => (doors.pushes === false ? undefined : running.tell(id, 'push')),
    onDue: sweeping.wake,
  });
  const folder = createFolderSource({ root: documentsRoot });
  const source = doors.source === undefined ? folder : doors.source(folder);
  const links = { secret: 'a secret for tests only', publicUrl: 'http://standdown.test' };
  const activities = createActivities({ store, running, stopping: new AbortController().signal, source, model: doors.model, mail: doors.mail, links, holder: 'test', limits });
  const workers: { stop: () => Promise<void> }[] = [];
  const startWorker = async (): Promise<void> => {
    const native = await NativeConnection.connect({ address });
    const worker = await createWorker({
      ...{ connection: native, namespace, taskQueue, bundlePath: await workflowBundle(), activities },
      ...{ stickyScheduleToStartMs: 1000, shutdownGraceMs: 100, heartbeatEveryMs: limits.heartbeatEveryMs },
      ...(doors.skipsTime === true ? { maxCachedWorkflows: 0 } : {}),
    });
    const run = worker.run();
    workers.push({
      stop: async () => {
        worker.shutdown();
        await run;
        await native.close();
      },
    });
  };
  const stopWorker = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  if (doors.works !== false) await startWorker();
  const reports = createReports({ store, secret: links.secret, inspectSources: async () => [] });
  return {
    ...{ store, reports, temporal, databaseUrl: url, documentsRoot, taskQueue, startWorker, stopWorker },
    stop: async () => {
      await stopWorker();
      reports.close();
      await listening.close();
      await sweeping.close();
      await connection.close();
      await store.close();
      await rm(documentsRoot, { recursive: true });
    },
  };
}

/** A folder with two short documents for one month. */
async function documents(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'standdown-documents-'));
  const month = join(root, 'minutes', '2025-07');
  await mkdir(month, { recursive: true });
  await writeFile(join(month, 'a.md'), '# First meeting\n\nThe team decided to ship the new importer in August. Tests come first.\n');
  await writeFile(join(month, 'b.md'), '# Second meeting\n\nThe budget for servers was approved. The migration moves to September.\n');
  await writeFile(join(month, 'c.csv'), 'a,b\n1,2\n');
  return root;
}

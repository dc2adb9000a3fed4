import { Worker, type NativeConnection } from '@temporalio/worker';
import type { Activities } from '../activities/create-activities.ts';

export interface WorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly bundlePath: string;
  readonly activities: Activities;
  readonly stickyScheduleToStartMs: number;
  /** Longer than a send may take: a claimed send is never cut off by a shutdown. */
  readonly shutdownGraceMs: number;
  readonly heartbeatEveryMs: number;
  /** 0 only where the server never gives a workflow back to another worker (the time-skipping test server). */
  readonly maxCachedWorkflows?: number;
}

/** A Temporal worker for the product's workflows and activities. */
export function createWorker(options: WorkerOptions): Promise<Worker> {
  const { connection, namespace, taskQueue, bundlePath, activities, maxCachedWorkflows } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    workflowBundle: { codePath: bundlePath },
    stickyQueueScheduleToStartTimeout: options.stickyScheduleToStartMs,
    shutdownGraceTime: options.shutdownGraceMs,
    maxHeartbeatThrottleInterval: options.heartbeatEveryMs,
    ...(maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows }),
  });
}

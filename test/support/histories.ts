import { randomUUID } from 'node:crypto';
import type { Product } from './product.ts';

async function events(product: Product, workflowId: string) {
  const { events: all } = await product.temporal.workflow.getHandle(workflowId).fetchHistory();
  return all ?? [];
}

/** The kinds of events in a run's history, in order. */
export async function eventsOf(product: Product, workflowId: string): Promise<string[]> {
  return (await events(product, workflowId)).map(({ eventType }) => String(eventType));
}

/** The activities that a run has scheduled, in order. */
export async function activitiesOf(product: Product, workflowId: string): Promise<string[]> {
  const scheduled = (await events(product, workflowId)).map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  return scheduled.filter((name) => typeof name === 'string');
}

/** Resets a closed run to its first task; answers the id of the run that goes on from there. */
export async function resetRun(product: Product, workflowId: string): Promise<string> {
  const { runId } = await product.temporal.workflow.getHandle(workflowId).describe();
  const first = (await events(product, workflowId)).find((event) => event.workflowTaskCompletedEventAttributes !== null && event.workflowTaskCompletedEventAttributes !== undefined);
  const { runId: next } = await product.temporal.workflowService.resetWorkflowExecution({
    ...{ namespace: 'default', workflowExecution: { workflowId, runId }, reason: 'a test', requestId: randomUUID() },
    workflowTaskFinishEventId: first?.eventId ?? null,
  });
  return next;
}

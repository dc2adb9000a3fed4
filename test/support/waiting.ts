import { setTimeout as pause } from 'node:timers/promises';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import type { Status } from '../../workflows/contract/status.ts';
import type { Product } from './product.ts';

const everyMs = 30;

/** Waits until `look` answers something that is not null, undefined or false. */
export async function until<Found>(look: () => Promise<Found> | Found, what: string, withinMs = 25_000): Promise<NonNullable<Found>> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}

export function statusWhere(product: Product, id: string, holds: (status: Status) => boolean, what: string, withinMs?: number): Promise<Status> {
  const look = async (): Promise<Status | null> => {
    const status = await product.reports.status(id);
    return status !== null && holds(status) ? status : null;
  };
  return until(look, what, withinMs);
}

export function endOf(product: Product, id: string, withinMs?: number): Promise<Status> {
  return statusWhere(product, id, ({ phase }) => isEnd(phase), `the end of ${id}`, withinMs);
}

/** How the run of a report has closed, by Temporal's own name for it. */
export function closeStatus(product: Product, workflowId: string): Promise<string> {
  return until(async () => {
    const { status } = await product.temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? null : status.name;
  }, `the run of ${workflowId} to close`);
}

/** Waits until Temporal knows a run of this workflow. */
export function runExists(product: Product, workflowId: string): Promise<boolean> {
  const look = (): Promise<boolean> => product.temporal.workflow.getHandle(workflowId).describe().then(() => true, () => false);
  return until(look, `a run of ${workflowId}`);
}

/** Never settles but by the signal. */
export function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted')), { once: true });
  });
}

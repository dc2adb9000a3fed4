import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Store } from '../store/store.ts';
import type { Forwarder, Warn } from './forwarding.ts';

export interface SweepingOptions {
  readonly store: Store;
  readonly forwarder: Forwarder;
  readonly temporal: Client;
  readonly namespace: string;
  readonly everyMs: number;
  /** How long a workflow has to be missing, from one look to another, before it counts as vanished. */
  readonly vanishedCheckMs: number;
  readonly warn: Warn;
}

export interface Sweeping {
  /** Sweeps now, or once more as soon as the sweep under way is done. */
  wake(): void;
  close(): Promise<void>;
}

const atOnce = 50;
const callMs = 10_000;

/**
 * Forwards what is due, records as lost what is past its deadline, and looks for workflows that have vanished: at once,
 * when woken, and every `everyMs`. Each round is a handful of statements, however many reports there are.
 */
export function startSweeping(options: SweepingOptions): Sweeping {
  const state = { isClosed: false, isSweeping: false, isWanted: false };
  let current = Promise.resolve();
  const wake = (): void => {
    state.isWanted = true;
    if (!state.isSweeping && !state.isClosed) current = sweepWhileWanted(options, state);
  };
  const timer = setInterval(wake, options.everyMs);
  wake();
  return {
    wake,
    close: async () => {
      state.isClosed = true;
      clearInterval(timer);
      await current;
    },
  };
}

async function sweepWhileWanted(options: SweepingOptions, state: { isClosed: boolean; isSweeping: boolean; isWanted: boolean }): Promise<void> {
  state.isSweeping = true;
  while (state.isWanted && !state.isClosed) {
    state.isWanted = false;
    for (const part of [forwardDue, loseOverdue, loseVanished]) {
      // One part that fails (Temporal away, the database restarting) keeps no other from being tried; all come round again.
      await part(options).catch((error: unknown) => options.warn('a sweep was cut short', error));
    }
  }
  state.isSweeping = false;
}

async function forwardDue({ forwarder }: SweepingOptions): Promise<void> {
  let taken = Infinity;
  while (taken >= atOnce) taken = await forwarder.forward();
}

async function loseOverdue({ store, forwarder }: SweepingOptions): Promise<void> {
  for (const id of await store.sweeping.pastDeadline(atOnce)) {
    await store.decisions.lose(id, 'deadline');
    await forwarder.forward(id);
  }
}

/** A workflow has vanished if Temporal says closed or not found twice, at least a minute apart, and nothing of its report is open. */
async function loseVanished(options: SweepingOptions): Promise<void> {
  const { store, namespace, vanishedCheckMs } = options;
  for (const { id, missingForMs } of await store.sweeping.takeToWatch(namespace, atOnce, vanishedCheckMs)) {
    if (await isRunning(options.temporal, id)) await store.sweeping.noteFound(id);
    else if (missingForMs === null) await store.sweeping.noteMissing(id);
    else if (missingForMs >= vanishedCheckMs) await store.decisions.loseWorkflow(id, 'workflow_lost');
  }
}

async function isRunning(temporal: Client, id: string): Promise<boolean> {
  try {
    const { status } = await temporal.withDeadline(Date.now() + callMs, () => temporal.workflow.getHandle(id).describe());
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

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
 * when woken, and every `everyMs`. Each has a loop of its own, so that deadlines hold while Temporal is silent. A round is
 * a handful of statements, however many reports there are.
 */
export function startSweeping(options: SweepingOptions): Sweeping {
  const loops = [forwardDue, loseOverdue, loseVanished].map((round) => startLoop(() => round(options), options.warn));
  const wake = (): void => loops.forEach((loop) => loop.wake());
  const timer = setInterval(wake, options.everyMs);
  wake();
  return {
    wake,
    close: async () => {
      clearInterval(timer);
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}

/** Runs rounds one at a time, and one more whenever it is woken meanwhile. A round answers whether there is more to do. */
function startLoop(round: () => Promise<boolean>, warn: Warn): Sweeping {
  const state = { isClosed: false, isWanted: false, isRunning: false };
  let current = Promise.resolve();
  const run = async (): Promise<void> => {
    state.isRunning = true;
    while (state.isWanted && !state.isClosed) {
      state.isWanted = false;
      // What failed (Temporal away, the database restarting) comes round again.
      const hasMore = await round().catch((error: unknown) => {
        warn('a sweep was cut short', error);
        return false;
      });
      state.isWanted ||= hasMore;
    }
    state.isRunning = false;
  };
  return {
    wake: () => {
      state.isWanted = true;
      if (!state.isRunning && !state.isClosed) current = run();
    },
    close: async () => {
      state.isClosed = true;
      await current;
    },
  };
}

async function forwardDue({ forwarder }: SweepingOptions): Promise<boolean> {
  return (await forwarder.forward()) >= atOnce;
}

async function loseOverdue({ store, warn }: SweepingOptions): Promise<boolean> {
  const overdue = await store.sweeping.pastDeadline(atOnce);
  const lost = await Promise.allSettled(overdue.map((id) => store.decisions.lose(id, 'deadline')));
  const failed = lost.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) warn(`${failed.length} reports past a deadline could not be accounted for yet`);
  return overdue.length >= atOnce && failed.length === 0;
}

/** A workflow has vanished if Temporal says closed or not found twice, at least a minute apart, and nothing of its report is open. */
async function loseVanished(options: SweepingOptions): Promise<boolean> {
  const { store, namespace, vanishedCheckMs } = options;
  for (const { id, missingForMs } of await store.sweeping.takeToWatch(namespace, atOnce, vanishedCheckMs)) {
    if (await isRunning(options.temporal, id)) await store.sweeping.noteFound(id);
    else if (missingForMs === null) await store.sweeping.noteMissing(id);
    else if (missingForMs >= vanishedCheckMs) await store.decisions.loseWorkflow(id, 'workflow_lost');
  }
  return false;
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

import { condition } from '@temporalio/workflow';
import type { ActivityProxies } from './activity-proxies.ts';
import type { CancelWatch } from './cancel-watch.ts';
import { batchSize, type Batch, type ReportRef } from './contract/run.ts';
import { isEnd, type Phase } from './contract/vocabulary.ts';

type Watch = Pick<CancelWatch, 'isSeen' | 'recorded'>;

/** A batch, and how long until an email of it is to be tried. */
interface Waiting {
  readonly batch: Batch;
  readonly waitMs: number;
}

interface Tried {
  readonly phase: Phase;
  /** Null where no email of the batch is left to try, or none may be tried any more. */
  readonly retryInMs: number | null;
  readonly isOver: boolean;
}

/**
 * Sends batches until none has an email left to try, or the report has ended under it. Batches take turns, each tried
 * when it is due, so that no email waits for another one's retry.
 */
export async function sendRounds(ref: ReportRef, activities: ActivityProxies, watch: Watch, all: readonly Batch[]): Promise<Phase> {
  let phase: Phase = 'saved';
  let waiting: readonly Waiting[] = all.map((batch) => ({ batch, waitMs: 0 }));
  while (waiting.length > 0) {
    const left: Waiting[] = waiting.filter(({ waitMs }) => waitMs > 0);
    for (const { batch } of waiting.filter(({ waitMs }) => waitMs <= 0)) {
      const tried = await tryBatch(ref, activities, watch, batch);
      phase = tried.phase;
      if (tried.isOver) return phase;
      if (tried.retryInMs !== null) left.push({ batch, waitMs: Math.max(1000, tried.retryInMs) });
    }
    if (left.length === 0) return phase;
    const pauseMs = Math.min(...left.map(({ waitMs }) => waitMs));
    await condition(watch.isSeen, pauseMs);
    waiting = left.map(({ batch, waitMs }) => ({ batch, waitMs: waitMs - pauseMs }));
  }
  return phase;
}

async function tryBatch(ref: ReportRef, activities: ActivityProxies, watch: Watch, batch: Batch): Promise<Tried> {
  const requested = await watch.recorded();
  if (requested !== null) return { phase: requested.phase, retryInMs: null, isOver: true };
  const sent = await activities.sendEmails(ref, batch);
  const { phase } = sent.unrecorded.length === 0 ? sent : await activities.recordOutcomes(ref, sent.unrecorded);
  return { phase, retryInMs: sent.retryInMs, isOver: batch.authority === 'report' && isEnd(phase) };
}

/** Splits a range of recipients into batches. */
export function batchesOf({ authority, correction, from, to }: Batch): Batch[] {
  return Array.from({ length: Math.ceil((to - from + 1) / batchSize) }, (_, index) => ({
    ...{ authority, correction },
    from: from + index * batchSize,
    to: Math.min(to, from + (index + 1) * batchSize - 1),
  }));
}

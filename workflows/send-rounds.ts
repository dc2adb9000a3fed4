import { condition } from '@temporalio/workflow';
import type { ActivityProxies } from './activity-proxies.ts';
import type { CancelWatch } from './cancel-watch.ts';
import { batchSize, type Batch, type ReportRef } from './contract/run.ts';
import { isEnd, type Phase } from './contract/vocabulary.ts';

type Watch = Pick<CancelWatch, 'isSeen' | 'recorded'>;

interface Round {
  readonly phase: Phase;
  /** Batches with emails to be tried again. */
  readonly batches: readonly Batch[];
  readonly waitMs: number;
}

/**
 * Sends batches round by round until none has an email left to try, or the report has ended under it. Every round tries
 * each batch once, so that no email waits for another one's retry.
 */
export async function sendRounds(ref: ReportRef, activities: ActivityProxies, watch: Watch, all: readonly Batch[]): Promise<Phase> {
  let phase: Phase = 'saved';
  let batches = all;
  while (batches.length > 0) {
    const round = await sendRound(ref, activities, watch, batches);
    ({ phase, batches } = round);
    if (batches.length > 0) await condition(watch.isSeen, round.waitMs);
  }
  return phase;
}

async function sendRound(ref: ReportRef, activities: ActivityProxies, watch: Watch, batches: readonly Batch[]): Promise<Round> {
  const again: { batch: Batch; waitMs: number }[] = [];
  let phase: Phase = 'saved';
  for (const batch of batches) {
    const requested = await watch.recorded();
    if (requested !== null) return { phase: requested.phase, batches: [], waitMs: 0 };
    const sent = await activities.sendEmails(ref, batch);
    phase = sent.unrecorded.length === 0 ? sent.phase : (await activities.recordOutcomes(ref, sent.unrecorded)).phase;
    if (batch.authority === 'report' && isEnd(phase)) return { phase, batches: [], waitMs: 0 };
    if (sent.retryInMs !== null) again.push({ batch, waitMs: sent.retryInMs });
  }
  return { phase, batches: again.map(({ batch }) => batch), waitMs: Math.max(1000, Math.min(...again.map(({ waitMs }) => waitMs))) };
}

/** Splits a range of recipients into batches. */
export function batchesOf({ authority, correction, from, to }: Batch): Batch[] {
  return Array.from({ length: Math.ceil((to - from + 1) / batchSize) }, (_, index) => ({
    ...{ authority, correction },
    from: from + index * batchSize,
    to: Math.min(to, from + (index + 1) * batchSize - 1),
  }));
}

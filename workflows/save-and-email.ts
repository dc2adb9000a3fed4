import { condition } from '@temporalio/workflow';
import type { ActivityProxies } from './activity-proxies.ts';
import type { CancelWatch } from './cancel-watch.ts';
import { isEnd, type Phase } from './contract/vocabulary.ts';
import { batchSize, type ReportRef } from './contract/run.ts';

/** A range of recipients, by number. */
interface Batch {
  readonly from: number;
  readonly to: number;
}

/**
 * The section that no cancellation interrupts: saves the report and emails its link. A cancel accepted meanwhile keeps
 * what is not yet claimed from being sent, because the store refuses the claim; nothing here is cut off in the middle.
 */
export async function saveAndEmail(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch): Promise<Phase> {
  const requested = await watch.recorded();
  if (requested !== null) return requested.phase;
  const saved = await activities.saveReport(ref);
  if (saved.kind === 'refused') return saved.phase;
  let phase = saved.phase;
  let batches: readonly Batch[] = batchesOf(saved.recipients);
  while (batches.length > 0 && !isEnd(phase)) {
    const round = await sendRound(ref, activities, watch, batches);
    ({ phase, batches } = round);
    if (isEnd(phase) || batches.length === 0) return phase;
    await condition(watch.isSeen, round.waitMs);
  }
  return phase;
}

interface Round {
  readonly phase: Phase;
  /** Batches with emails to be tried again. */
  readonly batches: readonly Batch[];
  readonly waitMs: number;
}

/** Tries every batch once, so that no email waits for another one's retry. */
async function sendRound(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch, batches: readonly Batch[]): Promise<Round> {
  const again: { batch: Batch; waitMs: number }[] = [];
  let phase: Phase = 'saved';
  for (const batch of batches) {
    const requested = await watch.recorded();
    if (requested !== null) return { phase: requested.phase, batches: [], waitMs: 0 };
    const sent = await activities.sendEmails(ref, batch);
    phase = sent.unrecorded.length === 0 ? sent.phase : (await activities.recordOutcomes(ref, sent.unrecorded)).phase;
    if (isEnd(phase)) break;
    if (sent.retryInMs !== null) again.push({ batch, waitMs: sent.retryInMs });
  }
  return { phase, batches: again.map(({ batch }) => batch), waitMs: Math.max(1000, Math.min(...again.map(({ waitMs }) => waitMs))) };
}

function batchesOf(recipients: number): Batch[] {
  return Array.from({ length: Math.ceil(recipients / batchSize) }, (_, index) => ({
    from: index * batchSize + 1,
    to: Math.min(recipients, (index + 1) * batchSize),
  }));
}

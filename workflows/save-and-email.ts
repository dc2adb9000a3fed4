import type { ActivityProxies } from './activity-proxies.ts';
import type { CancelWatch } from './cancel-watch.ts';
import type { ReportRef } from './contract/run.ts';
import type { Phase } from './contract/vocabulary.ts';
import { batchesOf, sendRounds } from './send-rounds.ts';

/**
 * The section that no cancellation interrupts: saves the report and emails its link. A cancel accepted meanwhile keeps
 * what is not yet claimed from being sent, because the store refuses the claim; nothing here is cut off in the middle.
 */
export async function saveAndEmail(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch): Promise<Phase> {
  const requested = await watch.recorded();
  if (requested !== null) return requested.phase;
  const saved = await activities.saveReport(ref);
  if (saved.kind === 'refused') return saved.phase;
  return emailOwed(ref, activities, watch, saved.recipients);
}

/** Tries every email that the report owes. */
export function emailOwed(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch, recipients: number): Promise<Phase> {
  return sendRounds(ref, activities, watch, batchesOf({ authority: 'report', correction: null, from: 1, to: recipients }));
}

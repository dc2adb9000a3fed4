import { CancellationScope } from '@temporalio/workflow';
import { activitiesOf } from './activity-proxies.ts';
import type { OrderedRun } from './contract/run.ts';
import { batchesOf, sendRounds } from './send-rounds.ts';

/** Nothing cancels what a person has ordered after the end: it is no step of the report. */
const neverSeen = { isSeen: () => false, recorded: async () => null };

/**
 * Sends what was ordered after a report's end: a correction to everybody who has or may have its email, or one email
 * again that a person has authorised. Its workflow id is `<authority>-<report id>` (with the email's id for a resend).
 */
export async function correction({ reportId, batch }: OrderedRun): Promise<void> {
  const activities = activitiesOf();
  await CancellationScope.nonCancellable(() => sendRounds({ reportId, directInput: null }, activities, neverSeen, batchesOf(batch)));
}

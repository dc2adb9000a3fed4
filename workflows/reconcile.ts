import { sleep } from '@temporalio/workflow';
import { activitiesOf } from './activity-proxies.ts';
import type { ForwardedRun } from './contract/run.ts';

/** Growing waits between looks; after the last one, what is still unconfirmed is left for a person. */
const waits = ['2s', '10s', '1m', '5m', '30m', '2h', '8h', '24h'] as const;

/**
 * Looks, by reading only, for evidence of what became of a report's unconfirmed emails. It changes effects and headline,
 * never phase or receipt, and goes on after the report has ended. Its workflow id is `reconcile-<report id>`.
 */
export async function reconcile({ reportId }: ForwardedRun): Promise<{ unconfirmed: number }> {
  const { lookForEmails } = activitiesOf();
  let found = { unconfirmed: 0, canLook: true };
  for (const wait of waits) {
    await sleep(wait);
    found = await lookForEmails(reportId);
    if (found.unconfirmed === 0 || !found.canLook) break;
  }
  return { unconfirmed: found.unconfirmed };
}

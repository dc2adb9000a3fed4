import type { Store } from '../../store/store.ts';
import type { Outcome } from '../../workflows/contract/command.ts';
import { claimOf, registerReport, throughSave, throughStep } from './steps.ts';

/** Sends the email of a saved report, with this outcome. */
export async function mail(store: Store, report: string, outcome: Outcome['outcome']): Promise<void> {
  const claim = claimOf('report-1');
  await store.decisions.claim(report, claim);
  await store.decisions.outcome(report, { email: 'report-1', attempt: claim.attempt, outcome, permanent: outcome === 'refused', phase: 'data', code: null });
}

/** Saves a report that supersedes another, for one recipient. */
export async function succeed(store: Store, older: string, report: string, recipient: string): Promise<void> {
  await registerReport(store, report, { supersedes: older, recipients: [recipient] });
  for (const step of ['collect', 'summarise/1', 'combine'] as const) await throughStep(store, report, step);
  await store.decisions.save(report, 'text', 'hash');
}

/** Makes one report of each ending, named after it. */
export async function oneOfEach(store: Store): Promise<void> {
  for (const [report, outcome] of [['finished', 'accepted'], ['unconfirmed', 'unknown'], ['refused', 'refused']] as const) {
    await throughSave(store, report);
    await mail(store, report, outcome);
  }
  await registerReport(store, 'cancelled');
  await store.decisions.cancel('cancelled', { receipt: 'receipt', request: 'request', door: 'http', by: 'api', reason: 'wrong month' });
  await registerReport(store, 'failed');
  await throughStep(store, 'failed', 'collect');
  await store.decisions.fail('failed', 'run/1', 'model_refused');
  await registerReport(store, 'queued', { title: 'Minutes\u202E of July' });
}

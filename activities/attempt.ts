import { activityInfo, ApplicationFailure, heartbeat, type Context } from '@temporalio/activity';
import { isReportId, validateInput } from '../workflows/contract/input.ts';
import type { ToldBy } from '../workflows/contract/vocabulary.ts';
import { failureTypes, type ReportRef } from '../workflows/contract/run.ts';
import type { Decided } from '../store/fence.ts';
import type { CancelRequest } from '../store/register.ts';
import type { Store } from '../store/store.ts';

/** On whose behalf the running activity begins and claims. */
export function owner(): string {
  const { workflowExecution, activityId } = activityInfo();
  return `${workflowExecution?.runId ?? 'no-run'}/${activityId}`;
}

export function runId(): string {
  return activityInfo().workflowExecution?.runId ?? 'no-run';
}

/** Heartbeats until the returned function is called: for liveness, and so that Temporal can say that it wants the activity to stop. */
export function startHeartbeat(everyMs: number): () => void {
  heartbeat();
  const timer = setInterval(() => heartbeat(), everyMs);
  return () => clearInterval(timer);
}

/** Who asked this activity to stop, by what Temporal says of it. (Listeners of its signal run outside its context.) */
export function askedBy({ cancellationDetails: details }: Context): ToldBy {
  if (details?.workerShutdown === true) return 'shutdown';
  if (details?.paused === true) return 'pause';
  return 'temporal';
}

/** Repeats a decision after registering a direct run where its row is missing; the row of a run we started must be there. */
export async function withRow(store: Store, ref: ReportRef, decide: () => Promise<Decided>): Promise<Decided> {
  const decided = await decide();
  if (!isUnknown(decided)) return decided;
  await registerRun(store, ref, null);
  return decide();
}

function isUnknown({ decision }: Decided): boolean {
  return decision.kind === 'refused' && decision.reason === 'unknown_report';
}

/** Registers a run that was started straight through a Temporal client, with the cancel it has already seen, if any. */
export async function registerRun(store: Store, ref: ReportRef, cancel: CancelRequest | null): Promise<void> {
  if (ref.directInput === null) {
    throw ApplicationFailure.nonRetryable('the row of this report is missing: another database?', failureTypes.unknownReport);
  }
  if (!isReportId(ref.reportId)) {
    throw ApplicationFailure.nonRetryable('the workflow id has to be a report id: up to 128 letters, digits, dots, dashes and underscores', failureTypes.invalidInput);
  }
  const validated = validateInput(ref.directInput);
  if (!validated.ok) {
    const problems = validated.problems.map(({ field, says }) => `${field} ${says}`);
    throw ApplicationFailure.nonRetryable(problems.join('; '), failureTypes.invalidInput);
  }
  const refusal = await store.registerDirect({ reportId: ref.reportId, input: validated.input, namespace: activityInfo().namespace, cancel });
  if (refusal !== null) throw ApplicationFailure.nonRetryable(`supersedes cannot be met: ${refusal}`, failureTypes.invalidInput);
}

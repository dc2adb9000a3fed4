import { ActivityFailure, ApplicationFailure, CancellationScope, CancelledFailure, condition, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import { activitiesOf, type ActivityProxies } from './activity-proxies.ts';
import { watchForCancel, type CancelWatch } from './cancel-watch.ts';
import { failureReasons, isEnd, type End, type FailureReason, type Phase } from './contract/vocabulary.ts';
import { failureTypes, type ReportRef, type RunResult, type StepResult } from './contract/run.ts';
import { emailOwed, saveAndEmail } from './save-and-email.ts';

/**
 * The report of one month: collects, summarises, saves and emails it. The workflow id is the report's id.
 * The whole body is shielded from the run's own cancellation, so that every cancel, a plain one too, is recorded first
 * and told second; only the work runs in a scope that can be cancelled.
 */
export async function report(input: unknown): Promise<RunResult> {
  const ref = refOf(input);
  const activities = activitiesOf();
  const watch = watchForCancel((request) => activities.recordCancel(ref, request));
  return CancellationScope.nonCancellable(async () => {
    const end = await toItsEnd(ref, activities, watch);
    if (end === 'cancelled' && !watch.isRunCancelled()) await activities.askForCancellation(ref);
    if (end === 'cancelled') await condition(watch.isRunCancelled);
    await watch.recorded();
    return closeAs(end, ref.reportId);
  });
}

/** Goes through the steps, and on with emails that turn out to be owed after all, until the report has ended. */
async function toItsEnd(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch): Promise<End> {
  let phase = await throughItsSteps(ref, activities, watch);
  for (;;) {
    await watch.recorded();
    if (isEnd(phase)) return phase;
    const conclusion = await activities.concludeReport(ref);
    if (conclusion.kind === 'ended') return conclusion.phase;
    await condition(watch.isSeen, '10s');
    phase = await emailOwed(ref, activities, watch, conclusion.recipients);
  }
}

function refOf(input: unknown): ReportRef {
  const reportId = workflowInfo().workflowId;
  const isForwarded = typeof input === 'object' && input !== null && 'reportId' in input;
  return { reportId, directInput: isForwarded ? null : (input ?? {}) };
}

/** Works, then saves and emails; answers the phase that is known when nothing more is to be done. */
async function throughItsSteps(ref: ReportRef, activities: ActivityProxies, watch: CancelWatch): Promise<Phase> {
  const work = new CancellationScope({ cancellable: true });
  // The running work is told only after the request has been recorded.
  void condition(watch.isSeen).then(() => watch.recorded()).then(() => work.cancel(), () => work.cancel());
  for (const step of ['collectDocuments', 'summariseDocuments'] as const) {
    const recorded = await watch.recorded();
    if (recorded !== null) return recorded.phase;
    const result = await workOn(step, ref, activities, work, watch);
    if (result.kind !== 'done') return result.phase;
  }
  return saveAndEmail(ref, activities, watch);
}

async function workOn(
  step: 'collectDocuments' | 'summariseDocuments',
  ref: ReportRef,
  activities: ActivityProxies,
  work: CancellationScope,
  watch: CancelWatch,
): Promise<StepResult> {
  for (;;) {
    try {
      return await work.run(() => activities[step](ref));
    } catch (error) {
      const recorded = await watch.recorded();
      if (recorded !== null) return { kind: 'stopped', phase: recorded.phase };
      if (isWithoutReport(error)) throw error;
      if (isOurOwnTrouble(error)) continue;
      const { phase, isOvertaken } = await activities.recordFailure(ref, { reason: reasonOf(error) });
      if (!isOvertaken) return { kind: 'stopped', phase };
    }
  }
}

/** Workers that were stopped and a database that was away are no failures of the step: it is begun again. */
function isOurOwnTrouble(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === failureTypes.interrupted;
}

/** There is no row to record anything in. */
function isWithoutReport(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && (cause.type === failureTypes.unknownReport || cause.type === failureTypes.invalidInput);
}

function reasonOf(error: unknown): FailureReason {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) return 'took_too_long';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return failureReasons.find((reason) => reason === type) ?? 'internal';
}

/** Every request is recorded by now; a cancelled report's run has been asked to cancel by whoever forwarded the cancel. */
function closeAs(end: End, reportId: string): RunResult {
  if (end === 'cancelled') throw new CancelledFailure('the report was cancelled');
  if (end === 'failed') throw ApplicationFailure.nonRetryable('the report failed; its status says why', failureTypes.reportFailed);
  return { reportId, phase: end };
}

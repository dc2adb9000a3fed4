import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import { receiptOf, type Receipt } from '../workflows/contract/status.ts';
import { isEnd, type Door, type Phase } from '../workflows/contract/vocabulary.ts';
import { failureTypes, type Conclusion, type FailureToRecord, type Recorded, type RecordedFailure, type RecordedRequest, type ReportRef, type SeenRequest, type UnrecordedOutcome } from '../workflows/contract/run.ts';
import { registerRun, runId } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Records a request that reached the run by one of Temporal's doors and answers the one receipt of the report. Idempotent:
 * a repeat gets the same receipt. The accepting transaction makes any process of the product cancel the run itself.
 */
export function recordCancel({ store }: Dependencies) {
  return async (ref: ReportRef, request: SeenRequest): Promise<RecordedRequest> => {
    const { requestId, door, by, reason } = request;
    const cancel = { receipt: randomUUID(), request: requestId, door, by, reason };
    if ((await store.decisions.cancel(ref.reportId, cancel)) === null) await registerRun(store, ref, cancel);
    const snapshot = await store.reading.snapshot(ref.reportId);
    const receipt = snapshot === null ? null : receiptOf(snapshot.report, snapshot.cancelledBy, snapshot.cancelReason);
    if (snapshot === null || receipt === null) throw ApplicationFailure.retryable('the request is not recorded yet', failureTypes.stillOpen);
    return { receipt: withoutWords(receipt), phase: snapshot.report.phase };
  };
}

const temporalDoors: readonly Door[] = ['signal', 'update', 'workflow'];

/** What people said elsewhere stays out of Temporal's history; what came by Temporal's doors is in it already. */
function withoutWords(receipt: Receipt): Receipt {
  return temporalDoors.includes(receipt.door) ? receipt : { ...receipt, by: null, reason: null };
}

/** Records that a step has failed for good; ignored where a cancel was accepted or something is saved. Idempotent. */
export function recordFailure({ store }: Dependencies) {
  return async ({ reportId }: ReportRef, { reason }: FailureToRecord): Promise<RecordedFailure> => {
    const { decision, state } = await store.decisions.fail(reportId, runId(), reason);
    return { phase: state?.report.phase ?? 'queued', isOvertaken: decision.kind === 'refused' && decision.reason === 'not_latest' };
  };
}

/** Records what became of sends whose sender could not. Idempotent. */
export function recordOutcomes({ store }: Dependencies) {
  return async ({ reportId }: ReportRef, outcomes: readonly UnrecordedOutcome[]): Promise<Recorded> => {
    let phase: Phase = 'saved';
    for (const outcome of outcomes) {
      const { state } = await store.decisions.outcome(reportId, outcome);
      phase = state?.report.phase ?? phase;
    }
    return { phase };
  };
}

/** Has the run's own cancellation asked for once more: a run that was reset has forgotten it. Idempotent. */
export function askForCancellation({ store }: Dependencies) {
  return async ({ reportId }: ReportRef): Promise<void> => {
    await store.forwarding.dueCancel(reportId);
  };
}

/**
 * Answers how the report ended, or that it owes emails again. What this run began and has given up is recorded as lost; while something of another run
 * is still open, it fails retryably with the wait until the next deadline. Idempotent.
 */
export function concludeReport({ store, limits }: Dependencies) {
  return async ({ reportId }: ReportRef): Promise<Conclusion> => {
    await store.decisions.lose(reportId, 'given_up', runId());
    await store.decisions.lose(reportId, 'deadline');
    const report = await store.contents.report(reportId);
    if (report === null) throw ApplicationFailure.nonRetryable('the row of this report is missing', failureTypes.unknownReport);
    if (isEnd(report.phase)) return { kind: 'ended', phase: report.phase };
    if (report.document.state === 'saved' && report.owed > 0 && report.openClaims === 0) return { kind: 'owed', recipients: report.recipients };
    throw ApplicationFailure.create({
      message: 'something of the report is still open',
      type: failureTypes.stillOpen,
      nextRetryDelay: limits.deadlineMarginMs,
    });
  };
}

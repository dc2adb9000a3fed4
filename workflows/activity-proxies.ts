import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { defaultRunLimits, failureTypes, type RunLimits } from './contract/run.ts';

const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;
const nonRetryableErrorTypes = [failureTypes.unknownReport, failureTypes.invalidInput];

/** The activities of a run, with its limits: work is tried a few times, recording for as long as it takes. */
export function activitiesOf() {
  const limits = limitsOf(workflowInfo().memo);
  const heartbeatTimeout = limits.heartbeatTimeoutMs;
  const retry = { initialInterval: '1s', maximumInterval: '30s', nonRetryableErrorTypes } as const;
  const { collectDocuments } = proxyActivities<Pick<Activities, 'collectDocuments'>>({
    startToCloseTimeout: limits.collectMs,
    heartbeatTimeout,
    cancellationType,
    retry: { ...retry, maximumAttempts: limits.activityAttempts },
  });
  const { summariseDocuments } = proxyActivities<Pick<Activities, 'summariseDocuments'>>({
    startToCloseTimeout: '24h',
    heartbeatTimeout,
    cancellationType,
    retry: { ...retry, maximumAttempts: limits.activityAttempts },
  });
  const { sendEmails } = proxyActivities<Pick<Activities, 'sendEmails'>>({
    startToCloseTimeout: limits.batchMs,
    heartbeatTimeout,
    cancellationType,
    retry,
  });
  const { saveReport, recordCancel, recordFailure, recordOutcomes, concludeReport, askForCancellation, lookForEmails } = proxyActivities<
    Pick<Activities, 'saveReport' | 'recordCancel' | 'recordFailure' | 'recordOutcomes' | 'concludeReport' | 'askForCancellation' | 'lookForEmails'>
  >({ startToCloseTimeout: '60s', cancellationType, retry });
  return { collectDocuments, summariseDocuments, saveReport, sendEmails, recordCancel, recordFailure, recordOutcomes, concludeReport, askForCancellation, lookForEmails };
}

export type ActivityProxies = ReturnType<typeof activitiesOf>;

function limitsOf(memo: Record<string, unknown> | undefined): RunLimits {
  const given: unknown = memo?.['limits'];
  const fields = typeof given === 'object' && given !== null ? given : {};
  const number = (name: keyof RunLimits): number => {
    const value: unknown = Reflect.get(fields, name);
    return typeof value === 'number' && value > 0 ? value : defaultRunLimits[name];
  };
  return {
    heartbeatTimeoutMs: number('heartbeatTimeoutMs'),
    activityAttempts: number('activityAttempts'),
    collectMs: number('collectMs'),
    batchMs: number('batchMs'),
  };
}

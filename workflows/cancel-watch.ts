import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Receipt } from './contract/status.ts';
import type { Door } from './contract/vocabulary.ts';
import { failureTypes, type RecordedRequest, type SeenRequest } from './contract/run.ts';

/** What other services send with a signal or an update; every field may be left out. */
export interface CancelMessage {
  readonly requestId?: string;
  readonly by?: string;
  readonly reason?: string;
}

const cancelReport = defineSignal<[CancelMessage?]>('cancelReport');
const requestCancel = defineUpdate<Receipt, [CancelMessage?]>('requestCancel');

export interface CancelWatch {
  /** A request has been seen, recorded or not: no new step may be scheduled. */
  isSeen(): boolean;
  /** Temporal itself has been asked to cancel the run, so that it can close as Canceled. */
  isRunCancelled(): boolean;
  /** Waits until a request that has been seen is recorded; null where none has been seen. */
  recorded(): Promise<RecordedRequest | null>;
}

/**
 * Listens at all of Temporal's doors and has the first request recorded before anything is told of it.
 * Called at the very start of a run, in its root scope, before anything is awaited.
 */
export function watchForCancel(record: (request: SeenRequest) => Promise<RecordedRequest>): CancelWatch {
  let seen: SeenRequest | null = null;
  let answer: RecordedRequest | null = null;
  let refusal: unknown = null;
  const root = CancellationScope.current();
  const see = (door: Door, message?: CancelMessage): void => {
    seen ??= requestOf(door, message);
  };
  // Asked of the scope itself, not only of its promise: a cancel that comes in one task with the start of the run, or with
  // the end of an activity, has to be seen by the very next line.
  const isSeen = (): boolean => {
    if (root.consideredCancelled) see('workflow');
    return seen !== null;
  };
  const isAnswered = (): boolean => answer !== null || refusal !== null;
  const waitForAnswer = (): Promise<void> => CancellationScope.nonCancellable(() => condition(isAnswered));

  setHandler(cancelReport, (message) => see('signal', message));
  setHandler(requestCancel, async (message) => {
    see('update', message);
    await waitForAnswer();
    if (answer === null) throw ApplicationFailure.nonRetryable('there is no such report to cancel', failureTypes.unknownReport);
    return answer.receipt;
  });
  root.cancelRequested.catch(() => see('workflow'));
  void CancellationScope.nonCancellable(async () => {
    await condition(isSeen);
    if (seen === null) return;
    try {
      answer = await record(seen);
    } catch (error) {
      refusal = error;
    }
  });
  return {
    isSeen,
    isRunCancelled: () => root.consideredCancelled,
    recorded: async () => {
      if (!isSeen()) return null;
      await waitForAnswer();
      if (answer === null) throw refusal;
      return answer;
    },
  };
}

/** Total: whatever a caller sent becomes a request. */
function requestOf(door: Door, message: unknown): SeenRequest {
  const fields = typeof message === 'object' && message !== null ? message : {};
  const text = (name: keyof CancelMessage, limit: number): string | null => {
    const value: unknown = Reflect.get(fields, name);
    return typeof value === 'string' && value !== '' ? value.replace(/\p{Cc}/gu, ' ').slice(0, limit).toWellFormed() : null;
  };
  const requestId = text('requestId', 128) ?? `${door}-${workflowInfo().runId}`;
  return { requestId, door, by: text('by', 200), reason: text('reason', 2000) };
}

import { batchSize, type RunLimits } from '../workflows/contract/run.ts';

interface Settings {
  readonly heartbeatTimeoutMs: number;
  readonly activityAttempts: number;
  readonly collectMs: number;
  readonly sendMs: number;
  readonly deadlineMarginMs: number;
}

/** What a run is told of the settings, in its memo. */
export function runLimitsOf({ heartbeatTimeoutMs, activityAttempts, collectMs, sendMs, deadlineMarginMs }: Settings): RunLimits {
  return {
    heartbeatTimeoutMs,
    activityAttempts,
    collectMs: collectMs + 2 * deadlineMarginMs,
    batchMs: batchSize * (sendMs + deadlineMarginMs) + 2 * deadlineMarginMs,
  };
}

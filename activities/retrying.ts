import { emailState } from '../workflows/contract/email.ts';
import type { Attempt } from '../workflows/contract/state.ts';

export interface RetryLimits {
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

/** The wait after the n-th try: doubled each time, up to a limit. */
export function waitAfter(tries: number, { firstRetryMs, maxRetryMs }: RetryLimits): number {
  return Math.min(maxRetryMs, firstRetryMs * 2 ** (tries - 1));
}

/** How long until a refused email may be tried again, at `at` by the database's clock; zero where it may be tried now. */
export function dueInMs(attempts: readonly Attempt[], at: string, limits: RetryLimits): number {
  const last = attempts.at(-1);
  if (last?.endedAt == null || emailState(attempts) !== 'refused') return 0;
  return Math.max(0, Date.parse(last.endedAt) + waitAfter(attempts.length, limits) - Date.parse(at));
}

/** Whether the email has been tried for as long as it may be. */
export function hasRunOut(attempts: readonly Attempt[], at: string, retryForMs: number): boolean {
  const [first] = attempts;
  return first !== undefined && Date.parse(at) - Date.parse(first.claimedAt) >= retryForMs;
}

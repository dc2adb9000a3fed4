import { APIConnectionError, APIError } from 'openai';
import { ModelError } from '../model.ts';

/** Longer waits are not taken from a service: the retry policy knows better. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** What the service or the network did, in our words: nothing of an answer's text is passed on, only its number. */
export function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionError) return new ModelError('transient', 'model_unreachable', 'the model cannot be reached');
  if (error instanceof APIError && error.status !== undefined) return refusal(error.status, error.headers);
  return new ModelError('transient', 'model_incomplete', 'the answer of the model broke off');
}

function refusal(status: number, headers: Headers | undefined): ModelError {
  const message = `the model answered ${status}`;
  if (status === 429) return new ModelError('transient', 'model_rate_limited', message, retryAfterMs(headers));
  if (status === 408 || status === 409 || status >= 500) return new ModelError('transient', 'model_unreachable', message, retryAfterMs(headers));
  return new ModelError('permanent', 'model_refused', message);
}

function retryAfterMs(headers: Headers | undefined): number | null {
  const asked = headers?.get('retry-after-ms') ?? headers?.get('retry-after') ?? '';
  const unit = headers?.has('retry-after-ms') ? 1 : 1000;
  const waitMs = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * unit : Date.parse(asked) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, Math.ceil(waitMs)));
}

export function tooLate(deadlineMs: number): ModelError {
  return new ModelError('transient', 'model_unreachable', `the model has not answered within ${deadlineMs} ms`);
}

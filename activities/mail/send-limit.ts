import type { SendLimit } from './mail.ts';

/** Starts now. Expired as soon as either clock says so: one stands still while a machine sleeps, the other may be set. */
export function createSendLimit(limitMs: number): SendLimit {
  const monotonicEnd = performance.now() + limitMs;
  const wallEnd = Date.now() + limitMs;
  return { expired: () => performance.now() >= monotonicEnd || Date.now() >= wallEnd };
}

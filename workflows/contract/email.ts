import type { Refusal } from './command.ts';
import type { Attempt, Email } from './state.ts';
import type { AttemptOutcome, Authority, EmailState } from './vocabulary.ts';

/** The id of the email to recipient `number` (from 1) of a report, or of its correction `correction` (from 1). */
export function emailId(number: number, correction: number | null = null): string {
  return correction === null ? `report-${number}` : `correction-${correction}-${number}`;
}

const idShape = /^(?:report|correction-([1-9]\d{0,5}))-([1-9]\d{0,5})$/;

/** Which recipient an email id names, and for which correction; null where it names none. */
export function emailOf(id: string): { number: number; correction: number | null } | null {
  const match = idShape.exec(id);
  if (match === null) return null;
  return { number: Number(match[2]), correction: match[1] === undefined ? null : Number(match[1]) };
}

export function freshEmail(id: string): Email {
  return { id, attempts: [], gaveUp: null, resends: 0, alert: null };
}

/** The state of an email is never written, only folded over its attempts. */
export function emailState(attempts: readonly Attempt[]): EmailState {
  if (attempts.some((attempt) => attempt.outcome === 'accepted')) return 'accepted';
  if (attempts.some((attempt) => attempt.open)) return 'sending';
  if (attempts.some((attempt) => attempt.outcome === 'unknown' || attempt.outcome === 'lost')) return 'unconfirmed';
  return attempts.length > 0 ? 'refused' : 'not_started';
}

/** Whether the report still has this email to try: a saved report that owes none is finished. */
export function isOwed(email: Email): boolean {
  if (email.gaveUp !== null) return false;
  const own = attemptsUnder(email, 'report');
  switch (emailState(own)) {
    case 'not_started':
      return true;
    case 'refused':
      return !own.some((attempt) => attempt.permanent);
    case 'unconfirmed':
      return own.some((attempt) => attempt.replayUntilAt !== null);
    case 'accepted':
    case 'sending':
      return false;
  }
}

/** Whether an attempt under this authority is still to be made: for the report's own, whether the report owes it. */
export function isToTry(email: Email, authority: Authority): boolean {
  if (authority === 'report') return isOwed(email);
  const state = emailState(email.attempts);
  const own = attemptsUnder(email, authority);
  if (state === 'accepted' || state === 'sending') return false;
  return own.every((attempt) => attempt.outcome === 'refused' && !attempt.permanent);
}

export function attemptsUnder(email: Email, authority: Authority): readonly Attempt[] {
  return email.attempts.filter((attempt) => attempt.authority === authority);
}

const whyNoClaim = {
  sending: 'email_sending',
  accepted: 'email_accepted',
} as const satisfies Partial<Record<EmailState, Refusal>>;

/**
 * Whether another attempt of the email may be claimed after all earlier ones; null where it may.
 * Only a proven refusal that may pass, or a key that the provider still replays, allows a further one.
 */
export function refusalToClaim(email: Email, authority: Authority, at: string): Refusal | null {
  const state = emailState(email.attempts);
  if (state === 'sending' || state === 'accepted') return whyNoClaim[state];
  const own = attemptsUnder(email, authority);
  switch (emailState(own)) {
    case 'not_started':
      return null;
    case 'refused':
      return own.some((attempt) => attempt.permanent) ? 'email_refused' : null;
    case 'unconfirmed':
      return own.every((attempt) => attempt.replayUntilAt !== null && at < attempt.replayUntilAt) ? null : 'email_unconfirmed';
    case 'sending':
    case 'accepted':
      return 'email_sending';
  }
}

const strength = { sending: 0, unknown: 1, lost: 1, refused: 2, accepted: 3 } as const satisfies Record<AttemptOutcome, number>;

export function isStronger(outcome: AttemptOutcome, than: AttemptOutcome): boolean {
  return strength[outcome] > strength[than];
}

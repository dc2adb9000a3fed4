import { emailOf, emailState, freshEmail, isOwed, isStronger } from './email.ts';
import type { AttemptEnded, ClaimLost, CorrectionOrdered, EmailClaimed, Entry, EvidenceFound, GaveUp, ResendAuthorised } from './entry.ts';
import type { Attempt, Email, EmailCounts, Report, State } from './state.ts';
import type { EmailState } from './vocabulary.ts';

type Dated = { readonly sequence: number; readonly at: string };
type AttemptEntry = AttemptEnded | ClaimLost | EvidenceFound;
type EmailEntry = (AttemptEntry | EmailClaimed | GaveUp | CorrectionOrdered | ResendAuthorised) & Dated & Entry;

/** Folds what concerns emails, and keeps the fence's counters equal to what the emails say. */
export function reduceEmail(state: State, entry: EmailEntry): State {
  switch (entry.kind) {
    case 'email_claimed':
      return claimed(state, entry);
    case 'attempt_ended':
    case 'claim_lost':
    case 'evidence':
      return attemptChanged(state, entry);
    case 'gave_up':
      return withEmail(state, { ...find(state, entry.email), gaveUp: entry.because });
    case 'correction_ordered':
      return correctionOrdered(state, entry);
    case 'resend_authorised': {
      const { requests } = state;
      const next = withEmail(state, { ...find(state, entry.email), resends: entry.resend });
      return { ...next, requests: { ...requests, [entry.request]: entry.kind } };
    }
  }
}

function find(state: State, id: string): Email {
  return state.emails[id] ?? freshEmail(id);
}

function claimed(state: State, entry: EmailClaimed & Dated): State {
  const { attempt: id, authority, owner, key, messageId, hash, provider, replayUntilAt, deadlineAt } = entry;
  const sent = { id, authority, owner, key, messageId, hash, provider, replayUntilAt, deadlineAt, claimedAt: entry.at } as const;
  const nothingYet = { outcome: 'sending', permanent: false, open: true, lostAt: null, endedAt: null, code: null, evidence: [] } as const;
  const email = find(state, entry.email);
  return withEmail(state, { ...email, attempts: [...email.attempts, { ...sent, ...nothingYet }] });
}

function attemptChanged(state: State, entry: AttemptEntry & Dated): State {
  const email = find(state, entry.email);
  const before = email.attempts.find((attempt) => attempt.id === entry.attempt);
  if (before === undefined) throw new Error(`an attempt changes that was never claimed: ${entry.attempt}`);
  const after = changed(before, entry);
  const attempts = email.attempts.map((attempt) => (attempt.id === after.id ? after : attempt));
  return withEmail(state, { ...email, attempts, alert: email.alert ?? alertOf(before, after) });
}

function changed(attempt: Attempt, entry: AttemptEntry & Dated): Attempt {
  if (entry.kind === 'claim_lost') return { ...stronger(attempt, 'lost', false), open: false, lostAt: entry.at };
  if (entry.kind === 'attempt_ended') {
    return { ...stronger(attempt, entry.outcome, entry.permanent), open: false, endedAt: entry.at, code: entry.code };
  }
  const evidence = { at: entry.at, source: entry.source, copies: entry.copies };
  return { ...stronger(attempt, entry.outcome, entry.permanent), evidence: [...attempt.evidence, evidence] };
}

function stronger(attempt: Attempt, outcome: Attempt['outcome'], permanent: boolean): Attempt {
  return isStronger(outcome, attempt.outcome) ? { ...attempt, outcome, permanent } : attempt;
}

function alertOf(before: Attempt, after: Attempt): Email['alert'] {
  if (after.evidence.some((evidence) => evidence.copies > 1)) return 'found_twice';
  return before.outcome === 'refused' && after.outcome === 'accepted' ? 'accepted_after_refusal' : null;
}

function correctionOrdered(state: State, entry: CorrectionOrdered & Dated): State {
  const { report } = state;
  const correctionEmails = { ...report.correctionEmails, not_started: report.correctionEmails.not_started + entry.emails.length };
  const added = Object.fromEntries(entry.emails.map((id) => [id, freshEmail(id)]));
  return {
    ...state,
    emails: { ...state.emails, ...added },
    requests: { ...state.requests, [entry.request]: entry.kind },
    report: { ...report, corrections: entry.correction, correctionEmails },
  };
}

function withEmail(state: State, email: Email): State {
  const before = find(state, email.id);
  return { ...state, emails: { ...state.emails, [email.id]: email }, report: counted(state.report, before, email) };
}

function counted(report: Report, before: Email, after: Email): Report {
  const openClaims = report.openClaims + openIn(after) - openIn(before);
  const moved = (counts: EmailCounts): EmailCounts => move(counts, emailState(before.attempts), emailState(after.attempts));
  if (emailOf(after.id)?.correction !== null) return { ...report, openClaims, correctionEmails: moved(report.correctionEmails) };
  const owed = report.owed + Number(isOwed(after)) - Number(isOwed(before));
  const untried = report.untried + Number(isUntried(after)) - Number(isUntried(before));
  return { ...report, openClaims, owed, untried, emails: moved(report.emails) };
}

function isUntried(email: Email): boolean {
  return email.attempts.length === 0 && email.gaveUp === null;
}

function openIn(email: Email): number {
  return email.attempts.filter((attempt) => attempt.open).length;
}

function move(counts: EmailCounts, from: EmailState, to: EmailState): EmailCounts {
  return from === to ? counts : { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 };
}

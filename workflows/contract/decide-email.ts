import type { Claim, FindEvidence, GiveUp, Outcome, Refusal } from './command.ts';
import { accept, refuse, repeat, type Decision } from './decision.ts';
import { attemptsUnder, emailOf, freshEmail, isOwed, isStronger, refusalToClaim } from './email.ts';
import type { Attempt, Email, Report, State } from './state.ts';
import { isEnd } from './vocabulary.ts';

type EmailCommand = Claim | Outcome | FindEvidence | GiveUp;

/** Decides on one email: claiming a send of it, what became of an attempt, and when no more is tried. */
export function decideEmail(state: State, command: EmailCommand, at: string): Decision {
  const email = findEmail(state, command.email);
  if (email === null) return refuse('unknown_email');
  switch (command.kind) {
    case 'claim':
      return decideClaim(state, email, command, at);
    case 'outcome':
      return decideOutcome(email, command);
    case 'find_evidence':
      return decideEvidence(email, command);
    case 'give_up':
      return decideGiveUp(state, email, command);
  }
}

/** The emails of a report exist from its registration on, those of a correction from its order on. */
export function findEmail(state: State, id: string): Email | null {
  const name = emailOf(id);
  if (name === null) return null;
  if (name.correction !== null) return state.emails[id] ?? null;
  return name.number <= state.report.recipients ? (state.emails[id] ?? freshEmail(id)) : null;
}

/** No byte leaves without a claim; a claim is the only permission to transmit, once. */
function decideClaim(state: State, email: Email, command: Claim, at: string): Decision {
  const known = email.attempts.find((attempt) => attempt.id === command.attempt);
  if (known !== undefined) return known.open ? repeat() : refuse('not_open');
  const refusal =
    refusalOfAuthority(state, email, command) ??
    (email.gaveUp !== null && command.authority === 'report' ? 'email_given_up' : null) ??
    refusalToClaim(email, command.authority, at) ??
    refusalOfMessage(email, command) ??
    refusalOfAncestor(state, command);
  if (refusal !== null) return refuse(refusal);
  const { attempt, authority, owner, key, messageId, hash, provider, replayUntilAt, deadlineAt } = command;
  const first = attemptsUnder(email, authority)[0];
  const window = first === undefined ? replayUntilAt : first.replayUntilAt;
  return accept([{ kind: 'email_claimed', email: email.id, attempt, authority, owner, key, messageId, hash, provider, replayUntilAt: window, deadlineAt }]);
}

function refusalOfAuthority(state: State, email: Email, command: Claim): Refusal | null {
  const { report } = state;
  const refusal = command.authority === 'report' ? refusalOfOwn(report, email) : refusalAfterEnd(report, email, command);
  if (refusal !== null || command.authority.startsWith('correction-')) return refusal;
  if (report.document.state === 'deleted') return 'document_deleted';
  return report.document.state === 'saved' ? null : 'no_document';
}

function refusalOfOwn(report: Report, email: Email): Refusal | null {
  if (isEnd(report.phase)) return 'ended';
  if (report.cancel !== null) return 'cancelled';
  if (report.failure !== null) return 'failing';
  return emailOf(email.id)?.correction === null ? null : 'not_authorised';
}

function refusalAfterEnd(report: Report, email: Email, command: Claim): Refusal | null {
  if (!isEnd(report.phase)) return 'not_ended';
  if (!allowsAfterEnd(email, command)) return 'not_authorised';
  return command.authority.startsWith('resend-') && report.supersededBy !== null ? 'already_superseded' : null;
}

function allowsAfterEnd(email: Email, command: Claim): boolean {
  const correction = emailOf(email.id)?.correction ?? null;
  if (command.authority === `resend-${email.resends}`) return email.resends > 0;
  return correction !== null && command.authority === `correction-${correction}`;
}

/** All attempts of one email under one authority are the same message under the same key. */
function refusalOfMessage(email: Email, command: Claim): Refusal | null {
  const same = (attempt: Attempt): boolean =>
    attempt.key === command.key &&
    attempt.messageId === command.messageId &&
    attempt.hash === command.hash &&
    attempt.provider === command.provider;
  const others = email.attempts.filter((attempt) => attempt.authority !== command.authority);
  if (others.some((attempt) => attempt.key === command.key)) return 'different_message';
  return attemptsUnder(email, command.authority).every(same) ? null : 'different_message';
}

function refusalOfAncestor(state: State, command: Claim): Refusal | null {
  if (command.authority !== 'report' || state.report.acceptedDuplicateRisk) return null;
  return command.ancestor === 'accepted' || command.ancestor === 'unconfirmed' || command.ancestor === 'sending' ? 'already_mailed' : null;
}

/** An outcome is taken at any time and from anyone; a second, stronger one of the same attempt counts as evidence. */
function decideOutcome(email: Email, command: Outcome): Decision {
  const attempt = email.attempts.find((candidate) => candidate.id === command.attempt);
  if (attempt === undefined) return refuse('unknown_attempt');
  const { outcome, permanent, phase, code } = command;
  if (attempt.endedAt === null) {
    return accept([{ kind: 'attempt_ended', email: email.id, attempt: attempt.id, outcome, permanent, phase, code }]);
  }
  if (outcome === 'unknown' || !isStronger(outcome, attempt.outcome)) return repeat();
  return accept([{ kind: 'evidence', email: email.id, attempt: attempt.id, outcome, permanent, source: 'late_reply', copies: 1 }]);
}

/** Finding an email proves it accepted; not finding it proves nothing, and is no command at all. */
function decideEvidence(email: Email, command: FindEvidence): Decision {
  const attempt = email.attempts.find((candidate) => candidate.id === command.attempt);
  if (attempt === undefined) return refuse('unknown_attempt');
  const known = attempt.evidence.reduce((most, evidence) => Math.max(most, evidence.copies), 1);
  if (!isStronger('accepted', attempt.outcome) && command.copies <= known) return repeat();
  const { source, copies } = command;
  return accept([{ kind: 'evidence', email: email.id, attempt: attempt.id, outcome: 'accepted', permanent: false, source, copies }]);
}

function decideGiveUp(state: State, email: Email, command: GiveUp): Decision {
  if (email.gaveUp !== null) return repeat();
  if (isEnd(state.report.phase)) return refuse('ended');
  if (state.report.document.state === 'not_saved' || !isOwed(email)) return refuse('not_owed');
  return accept([{ kind: 'gave_up', email: email.id, because: command.because }]);
}

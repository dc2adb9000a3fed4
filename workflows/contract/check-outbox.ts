import { emailOf } from './email.ts';
import { emptyRecord } from './check-record.ts';
import type { AttemptEnded, ClaimLost, EmailClaimed, EvidenceFound } from './entry.ts';
import type { AttemptOutcome, Authority, EmailState } from './vocabulary.ts';

/** One claimed send as the checker follows it. */
export interface Sent {
  readonly claim: EmailClaimed;
  outcome: AttemptOutcome;
  permanent: boolean;
  open: boolean;
  ended: boolean;
  lost: boolean;
  /** The most copies that any evidence has found. */
  copies: number;
}

export interface Mail {
  /** Whether it is one of the report's own, and not of a correction. */
  readonly isReports: boolean;
  readonly attempts: Sent[];
  gaveUp: boolean;
  resends: number;
  /** What the email adds to the outbox's counts. */
  weight: Weight;
}

export interface Weight {
  readonly openClaims: number;
  /** Of the report's own emails: tried and still to be tried, nothing left to try, accepted or unconfirmed. */
  readonly retriable: number;
  readonly settled: number;
  readonly mailed: number;
}

const noWeight: Weight = { openClaims: 0, retriable: 0, settled: 0, mailed: 0 };

/** Everything the ledger has said of emails so far, folded a second time and apart from `reduce`. */
export interface Outbox {
  recipients: number;
  readonly mails: Record<string, Mail>;
  readonly sent: Record<string, Sent>;
  /** The first claim that carried each key, Message-ID and hash of frozen bytes. */
  readonly keys: Record<string, EmailClaimed>;
  readonly messageIds: Record<string, EmailClaimed>;
  readonly hashes: Record<string, EmailClaimed>;
  /** The weights of all emails together. */
  total: Weight;
}

export function emptyOutbox(): Outbox {
  return {
    recipients: 0,
    mails: emptyRecord(),
    sent: emptyRecord(),
    keys: emptyRecord(),
    messageIds: emptyRecord(),
    hashes: emptyRecord(),
    total: noWeight,
  };
}

/** The email of that id as it stands; null where the report has no such recipient, or no such correction was ordered. */
export function mailOf(outbox: Outbox, id: string): Mail | null {
  const known = outbox.mails[id];
  if (known !== undefined) return known;
  const name = emailOf(id);
  return name?.correction === null && name.number <= outbox.recipients ? freshMail(true) : null;
}

function freshMail(isReports: boolean): Mail {
  return { isReports, attempts: [], gaveUp: false, resends: 0, weight: noWeight };
}

/** The emails of a correction exist from its order on. */
export function noteCorrection(outbox: Outbox, emails: readonly string[]): void {
  emails.forEach((id) => (outbox.mails[id] ??= freshMail(false)));
}

export function under(mail: Mail, authority: Authority): Sent[] {
  return mail.attempts.filter((sent) => sent.claim.authority === authority);
}

const strongestFirst = ['accepted', 'sending', 'unconfirmed', 'refused'] as const;

/** The state of an email; written apart from `emailState`, so that one mistake cannot hide in both. */
export function standing(attempts: readonly Sent[]): EmailState {
  const states = attempts.map(standingOf);
  return strongestFirst.find((state) => states.includes(state)) ?? 'not_started';
}

function standingOf(sent: Sent): EmailState {
  if (sent.outcome === 'accepted') return 'accepted';
  if (sent.open) return 'sending';
  return sent.outcome === 'refused' ? 'refused' : 'unconfirmed';
}

/** Whether the report itself still has to try the email. */
export function isStillOwed(mail: Mail): boolean {
  const own = under(mail, 'report');
  const state = standing(own);
  if (mail.gaveUp || state === 'accepted' || state === 'sending') return false;
  if (state === 'unconfirmed') return own.some((sent) => sent.claim.replayUntilAt !== null);
  return own.every((sent) => !sent.permanent);
}

/** The attempt that an entry speaks of; undefined where that email never had it. */
export function sentOf(outbox: Outbox, entry: { readonly email: string; readonly attempt: string }): Sent | undefined {
  const sent = outbox.sent[entry.attempt];
  return sent?.claim.email === entry.email ? sent : undefined;
}

const ranks = { sending: 0, lost: 1, unknown: 1, refused: 2, accepted: 3 } as const satisfies Record<AttemptOutcome, number>;

export function outranks(outcome: AttemptOutcome, other: AttemptOutcome): boolean {
  return ranks[outcome] > ranks[other];
}

export function noteClaim(outbox: Outbox, claim: EmailClaimed): void {
  changeMail(outbox, claim.email, (mail) => {
    const sent: Sent = { claim, outcome: 'sending', permanent: false, open: true, ended: false, lost: false, copies: 1 };
    mail.attempts.push(sent);
    outbox.sent[claim.attempt] = sent;
  });
  outbox.keys[claim.key] ??= claim;
  outbox.messageIds[claim.messageId] ??= claim;
  outbox.hashes[claim.hash] ??= claim;
}

export function noteAttempt(outbox: Outbox, entry: AttemptEnded | ClaimLost | EvidenceFound): void {
  const sent = sentOf(outbox, entry);
  if (sent !== undefined) changeMail(outbox, entry.email, () => changeSent(sent, entry));
}

function changeSent(sent: Sent, entry: AttemptEnded | ClaimLost | EvidenceFound): void {
  const outcome = entry.kind === 'claim_lost' ? 'lost' : entry.outcome;
  if (outranks(outcome, sent.outcome)) {
    sent.outcome = outcome;
    sent.permanent = entry.kind !== 'claim_lost' && entry.permanent;
  }
  if (entry.kind === 'evidence') sent.copies = Math.max(sent.copies, entry.copies);
  else sent.open = false;
  sent.ended ||= entry.kind === 'attempt_ended';
  sent.lost ||= entry.kind === 'claim_lost';
}

/** Changes an email and keeps the outbox's counts equal to what its emails say. */
export function changeMail(outbox: Outbox, id: string, change: (mail: Mail) => void): void {
  const mail = mailOf(outbox, id);
  if (mail === null) return;
  outbox.mails[id] = mail;
  change(mail);
  const before = mail.weight;
  mail.weight = weightOf(mail);
  outbox.total = {
    openClaims: outbox.total.openClaims + mail.weight.openClaims - before.openClaims,
    retriable: outbox.total.retriable + mail.weight.retriable - before.retriable,
    settled: outbox.total.settled + mail.weight.settled - before.settled,
    mailed: outbox.total.mailed + mail.weight.mailed - before.mailed,
  };
}

function weightOf(mail: Mail): Weight {
  const openClaims = mail.attempts.filter((sent) => sent.open).length;
  if (!mail.isReports) return { ...noWeight, openClaims };
  const isOwed = isStillOwed(mail);
  const retriable = Number(isOwed && mail.attempts.length > 0);
  const mailed = Number(hasReached(standing(mail.attempts)));
  return { openClaims, retriable, settled: Number(!isOwed), mailed };
}

/** Whether an email in this state has arrived, or may have. */
export function hasReached(state: EmailState): boolean {
  return state === 'accepted' || state === 'unconfirmed';
}

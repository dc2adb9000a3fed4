import { hasReached, mailOf, outranks, sentOf, standing, under, type Mail, type Outbox, type Sent } from './check-outbox.ts';
import { nothingAtLast, type EntryOf, type LedgerPoint } from './check-point.ts';
import { count, has, type Past } from './check-past.ts';
import { emptyRecord } from './check-record.ts';
import { emailOf } from './email.ts';
import type { CorrectionOrdered, EmailClaimed, Entry, EvidenceFound, ResendAuthorised } from './entry.ts';

/** Points 8 to 11: claims, attempts and corrections. */
export const emailPoints: readonly LedgerPoint[] = [
  {
    number: 8,
    sentence: "A claim carries key, Message-ID, hash, provider and deadline; one email's attempts of one authority share them, no two emails do.",
    objectsTo: (entry, past) => (entry.kind === 'email_claimed' ? badMessage(entry, past.outbox) : null),
    objectsAtLast: nothingAtLast,
  },
  {
    number: 9,
    sentence: 'Each claim, and each permission to send again, is legal after what became of the earlier attempts.',
    objectsTo: badPermission,
    objectsAtLast: nothingAtLast,
  },
  {
    number: 10,
    sentence: 'An attempt has one end, evidence only strengthens, and an accepted email stays accepted.',
    objectsTo: badChange,
    objectsAtLast: nothingAtLast,
  },
  {
    number: 11,
    sentence: 'A correction names exactly the emails then accepted or unconfirmed.',
    objectsTo: (entry, past) => (entry.kind === 'correction_ordered' ? badCorrection(entry, past) : null),
    objectsAtLast: nothingAtLast,
  },
];

function badMessage(claim: EmailClaimed, outbox: Outbox): string | null {
  const { email, attempt, authority } = claim;
  if (messageFields.some((name) => claim[name] === '')) return `Attempt ${attempt} does not name its key, Message-ID, hash and provider.`;
  const stolen = stolenField(claim, outbox);
  if (stolen !== null) return `Attempt ${attempt} uses the ${stolen} of another message.`;
  const first = outbox.mails[email]?.attempts.find((sent) => sent.claim.authority === authority);
  return first === undefined || isSameMessage(first.claim, claim) ? null : `Attempt ${attempt} is not the message of the attempts before it.`;
}

const messageFields = ['key', 'messageId', 'hash', 'provider'] as const;

/** A key belongs to one email and authority; a Message-ID and frozen bytes belong to one email. */
function stolenField(claim: EmailClaimed, outbox: Outbox): string | null {
  const { email, authority, key, messageId, hash } = claim;
  const holder = outbox.keys[key] ?? claim;
  if (holder.email !== email || holder.authority !== authority) return 'key';
  if ((outbox.messageIds[messageId] ?? claim).email !== email) return 'Message-ID';
  return (outbox.hashes[hash] ?? claim).email === email ? null : 'hash';
}

function isSameMessage(one: EmailClaimed, other: EmailClaimed): boolean {
  return [...messageFields, 'replayUntilAt' as const].every((name) => one[name] === other[name]);
}

function badPermission(entry: Entry, past: Past): string | null {
  if (entry.kind !== 'email_claimed' && entry.kind !== 'resend_authorised') return null;
  const mail = mailOf(past.outbox, entry.email);
  if (mail === null) return `The report has no email ${entry.email}.`;
  if (entry.kind === 'resend_authorised') return badResend(entry, mail, past);
  if (past.outbox.sent[entry.attempt] !== undefined) return `Attempt ${entry.attempt} was claimed twice.`;
  return badAuthority(entry, mail, past) ?? badNext(entry, mail);
}

function badResend(entry: ResendAuthorised, mail: Mail, past: Past): string | null {
  const state = standing(mail.attempts);
  if (past.phase === 'cancelled') return `Email ${entry.email} is to be sent again by a cancelled report.`;
  if (!hasDocument(past)) return `Email ${entry.email} is to be sent again without a document.`;
  if (state === 'accepted' || state === 'sending') return `Email ${entry.email} is to be sent again while it is ${state}.`;
  if (state === 'unconfirmed' && !entry.acceptedDuplicateRisk) return `Email ${entry.email} is unconfirmed and nobody accepted the risk.`;
  return entry.resend === mail.resends + 1 ? null : `Resend ${entry.resend} of email ${entry.email} follows resend ${mail.resends}.`;
}

function hasDocument(past: Past): boolean {
  return has(past, 'saved') && !has(past, 'document_deleted');
}

function badAuthority(claim: EmailClaimed, mail: Mail, past: Past): string | null {
  const { authority, email } = claim;
  if (authority === 'report' && mail.gaveUp) return `Email ${email} was claimed after it had been given up.`;
  if (!hasAuthority(claim, mail)) return `Email ${email} was claimed without authority, as ${authority}.`;
  if (authority.startsWith('correction-')) return null;
  return hasDocument(past) ? null : `Email ${email} was claimed without a document.`;
}

function hasAuthority(claim: EmailClaimed, mail: Mail): boolean {
  if (claim.authority === 'report') return mail.isReports;
  if (claim.authority.startsWith('resend-')) return mail.resends > 0 && claim.authority === `resend-${mail.resends}`;
  return claim.authority === `correction-${emailOf(claim.email)?.correction}`;
}

/** A further send needs a proven refusal that may pass, or a key that the provider still replays. */
function badNext(claim: EntryOf<'email_claimed'>, mail: Mail): string | null {
  const state = standing(mail.attempts);
  if (state === 'sending' || state === 'accepted') return `Email ${claim.email} was claimed while it was ${state}.`;
  const own = under(mail, claim.authority);
  if (standing(own) === 'unconfirmed') return own.every(replaysAt(claim.at)) ? null : `Email ${claim.email} was sent again while it was unconfirmed.`;
  return own.some((sent) => sent.permanent) ? `Email ${claim.email} was sent again after a final refusal.` : null;
}

function replaysAt(at: string) {
  return ({ claim }: Sent): boolean => claim.replayUntilAt !== null && at < claim.replayUntilAt;
}

function badChange(entry: Entry, past: Past): string | null {
  if (entry.kind !== 'attempt_ended' && entry.kind !== 'claim_lost' && entry.kind !== 'evidence') return null;
  const sent = sentOf(past.outbox, entry);
  if (sent === undefined) return `Attempt ${entry.attempt} of email ${entry.email} was never claimed.`;
  if (entry.kind === 'evidence') return badEvidence(entry, sent);
  if (sent.ended) return `Attempt ${entry.attempt} is over after it had ended.`;
  if (entry.kind === 'attempt_ended') return null;
  if (sent.lost) return `Attempt ${entry.attempt} was lost twice.`;
  return entry.because === 'deadline' && entry.at < sent.claim.deadlineAt ? `Attempt ${entry.attempt} was lost before its deadline.` : null;
}

/** Evidence says more than is known: a stronger outcome, or more copies of what was accepted. */
function badEvidence(entry: EvidenceFound, sent: Sent): string | null {
  const isNews = outranks(entry.outcome, sent.outcome) || (entry.outcome === 'accepted' && entry.copies > sent.copies);
  return isNews ? null : `The evidence of attempt ${entry.attempt} is no stronger than what was known.`;
}

function badCorrection(entry: CorrectionOrdered, past: Past): string | null {
  const { correction, emails } = entry;
  if (correction !== count(past, 'correction_ordered') + 1) return `Correction ${correction} is out of its turn.`;
  const named = emptyRecord<true>();
  emails.filter((id) => isToBeCorrected(id, correction, past.outbox)).forEach((id) => (named[id] = true));
  const stray = emails.find((id) => named[id] === undefined);
  if (stray !== undefined) return `Correction ${correction} names ${stray}, which is not to be corrected.`;
  if (emails.length === 0) return `Correction ${correction} names no email.`;
  if (Object.keys(named).length !== emails.length) return `Correction ${correction} names an email twice.`;
  return emails.length === past.outbox.total.mailed ? null : `Correction ${correction} leaves out emails that were accepted or unconfirmed.`;
}

function isToBeCorrected(id: string, correction: number, outbox: Outbox): boolean {
  const name = emailOf(id);
  if (name?.correction !== correction) return false;
  return hasReached(standing(outbox.mails[`report-${name.number}`]?.attempts ?? []));
}

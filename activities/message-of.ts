import { createHash } from 'node:crypto';
import { emailOf } from '../workflows/contract/email.ts';
import type { Authority } from '../workflows/contract/vocabulary.ts';
import { linkGeneration, linkToken } from '../store/link-token.ts';
import type { Dependencies } from './dependencies.ts';
import type { FrozenMessage } from './mail/mail.ts';
import { renderReportLink, type ReportLink } from './mail/message.ts';
import { titleOf } from './title-of.ts';

const triesToPrepare = 3;

export interface Addressed {
  readonly reportId: string;
  readonly email: string;
  readonly authority: Authority;
  readonly recipient: string;
}

/** The frozen message of an email under one authority: what its first claim stored, else rendered now; null where it cannot be prepared. */
export async function messageOf(dependencies: Dependencies, addressed: Addressed): Promise<FrozenMessage | null> {
  const { reportId, email, authority, recipient } = addressed;
  const frozen = await dependencies.store.contents.frozen(reportId, email, authority);
  if (frozen !== null) return { from: dependencies.mail.from, to: recipient, ...frozen };
  const letter = await letterOf(dependencies, addressed);
  if (letter === null) return null;
  for (let tried = 0; tried < triesToPrepare; tried += 1) {
    // Only what cannot be rendered counts here; a database that is away is no fault of the message.
    const rendered = await renderReportLink(letter).catch(() => null);
    if (rendered !== null) return rendered;
  }
  return null;
}

/** Everything that the email says; null where words of it have been erased since. */
async function letterOf(dependencies: Dependencies, { reportId, email, authority, recipient }: Addressed): Promise<ReportLink | null> {
  const { store, links, mail } = dependencies;
  const correction = emailOf(email)?.correction ?? null;
  const [input, saved, reportTitle, ordered] = await Promise.all([
    store.contents.input(reportId),
    store.contents.saved(reportId),
    titleOf(dependencies, reportId),
    correction === null ? null : store.contents.correction(reportId, correction),
  ]);
  const said = correction === null ? ofReport(reportTitle, saved) : ofCorrection(reportTitle, ordered);
  if (said === null || input === null) return null;
  return {
    ...said,
    from: mail.from,
    to: recipient,
    month: input.month,
    reportTitle,
    link: `${links.publicUrl}/r/${linkToken(links.secret, { reportId, email, generation: linkGeneration })}`,
    messageId: messageIdOf(reportId, email, authority, mail.from),
  };
}

type Said = Pick<ReportLink, 'subject' | 'correction' | 'date'>;

function ofReport(title: string, saved: { savedAt: string } | null): Said | null {
  return saved === null ? null : { subject: `${title} is ready`, correction: null, date: saved.savedAt };
}

function ofCorrection(title: string, ordered: { message: string; orderedAt: string } | null): Said | null {
  return ordered === null ? null : { subject: `Correction to ${title}`, correction: ordered.message, date: ordered.orderedAt };
}

/** The same for every attempt under one authority, in the sender's domain, and of a shape that any report id fits into. */
function messageIdOf(reportId: string, email: string, authority: Authority, from: string): string {
  const digest = createHash('sha256').update(`${reportId}/${email}/${authority}`).digest('hex').slice(0, 32);
  return `<${email}.${digest}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

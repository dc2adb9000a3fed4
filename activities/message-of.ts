import { createHash } from 'node:crypto';
import { emailOf } from '../workflows/contract/email.ts';
import type { Authority } from '../workflows/contract/vocabulary.ts';
import { linkToken } from '../store/link-token.ts';
import type { Dependencies } from './dependencies.ts';
import type { FrozenMessage } from './mail/mail.ts';
import { renderReportLink } from './mail/message.ts';
import { titleOf } from './title-of.ts';

const triesToPrepare = 3;
/** Raised when every link of a report is to be revoked. */
const linkGeneration = 1;

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
  for (let tried = 0; tried < triesToPrepare; tried += 1) {
    const rendered = await render(dependencies, addressed).catch(() => null);
    if (rendered !== null) return rendered;
  }
  return null;
}

async function render(dependencies: Dependencies, { reportId, email, authority, recipient }: Addressed): Promise<FrozenMessage> {
  const { store, links, mail } = dependencies;
  const correction = emailOf(email)?.correction ?? null;
  const [input, saved, reportTitle, ordered] = await Promise.all([
    store.contents.input(reportId),
    store.contents.saved(reportId),
    titleOf(dependencies, reportId),
    correction === null ? null : store.contents.correction(reportId, correction),
  ]);
  if (correction !== null && ordered === null) throw new Error('the words of the correction are not there any more');
  return renderReportLink({
    from: mail.from,
    to: recipient,
    subject: correction === null ? `${reportTitle} is ready` : `Correction to ${reportTitle}`,
    month: input?.month ?? '',
    reportTitle,
    correction: ordered?.message ?? null,
    link: `${links.publicUrl}/r/${linkToken(links.secret, { reportId, email, generation: linkGeneration })}`,
    messageId: messageIdOf(reportId, email, authority, mail.from),
    date: ordered?.orderedAt ?? saved?.savedAt ?? new Date(0).toISOString(),
  });
}

/** The same for every attempt under one authority, in the sender's domain, and of a shape that any report id fits into. */
function messageIdOf(reportId: string, email: string, authority: Authority, from: string): string {
  const digest = createHash('sha256').update(`${reportId}/${email}/${authority}`).digest('hex').slice(0, 32);
  return `<${email}.${digest}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

import { createHash } from 'node:crypto';
import { linkToken } from '../store/link-token.ts';
import type { Dependencies } from './dependencies.ts';
import type { FrozenMessage } from './mail/mail.ts';
import { renderReportLink } from './mail/message.ts';
import { titleOf } from './title-of.ts';

const triesToPrepare = 3;
/** Raised when every link of a report is to be revoked. */
const linkGeneration = 1;

/** The frozen message of an email: what its first claim stored, else rendered now; null where it cannot be prepared. */
export async function messageOf(dependencies: Dependencies, reportId: string, email: string, recipient: string): Promise<FrozenMessage | null> {
  const frozen = await dependencies.store.contents.frozen(reportId, email, 'report');
  const { from } = dependencies.mail;
  if (frozen !== null) return { from, to: recipient, ...frozen };
  for (let tried = 0; tried < triesToPrepare; tried += 1) {
    const rendered = await render(dependencies, reportId, email, recipient).catch(() => null);
    if (rendered !== null) return rendered;
  }
  return null;
}

async function render(dependencies: Dependencies, reportId: string, email: string, recipient: string): Promise<FrozenMessage> {
  const { store, links, mail } = dependencies;
  const [input, saved, reportTitle] = await Promise.all([store.contents.input(reportId), store.contents.saved(reportId), titleOf(dependencies, reportId)]);
  const month = input?.month ?? '';
  return renderReportLink({
    from: mail.from,
    to: recipient,
    subject: `${reportTitle} is ready`,
    month,
    reportTitle,
    correction: null,
    link: `${links.publicUrl}/r/${linkToken(links.secret, { reportId, email, generation: linkGeneration })}`,
    messageId: messageIdOf(reportId, email, mail.from),
    date: saved?.savedAt ?? new Date(0).toISOString(),
  });
}

/** The same for every attempt of an email, in the sender's domain, and of a shape that any report id fits into. */
function messageIdOf(reportId: string, email: string, from: string): string {
  const digest = createHash('sha256').update(`${reportId}/${email}`).digest('hex').slice(0, 32);
  return `<${email}.${digest}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

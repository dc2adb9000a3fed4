import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { FrozenMessage } from './mail.ts';
import { letter } from './message/letter.ts';
import type { LetterContent } from './message/letter.ts';
import { oneLine, shortened } from './message/text.ts';
import { isPlainAddress } from './plain-address.ts';

export interface ReportLink extends LetterContent {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** With or without angle brackets. */
  readonly messageId: string;
  /** The Date header, as an ISO time. */
  readonly date: string;
}

/**
 * The email that carries a report's link: text and HTML, the link on a line of its own in both.
 * The same input gives the same bytes in every process, so a message need not be kept to be sent again.
 * Rejects what cannot be rendered: an address that is not plain, a link that is none.
 */
export async function renderReportLink(input: ReportLink): Promise<FrozenMessage> {
  const { from, to } = input;
  if (!isPlainAddress(from) || !isPlainAddress(to)) throw new RangeError('an email needs two plain addresses');
  const messageId = `<${input.messageId.replace(/^<(.*)>$/, '$1')}>`;
  const raw = await composed(input, messageId).build();
  return { from, to, messageId, raw, sha256: createHash('sha256').update(raw).digest('hex') };
}

function composed(input: ReportLink, messageId: string): ReturnType<MailComposer['compile']> {
  return new MailComposer({
    ...letter(input),
    // As objects, since a string would be parsed.
    from: { name: '', address: input.from },
    to: { name: '', address: input.to },
    subject: shortened(oneLine(input.subject), 150),
    messageId,
    date: new Date(input.date),
    headers: {
      // RFC 3834, and the same for Exchange: no holiday notice answers this.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // Gmail folds equal subjects into one thread; reports of different months stay apart by this.
      'X-Entity-Ref-ID': messageId,
    },
    // What would be drawn by lot or chosen by the content otherwise.
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 32),
    textEncoding: 'quoted-printable',
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

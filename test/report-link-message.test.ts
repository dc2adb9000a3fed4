import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReportLink } from '../activities/mail/message.ts';
import type { ReportLink } from '../activities/mail/message.ts';
import { createSendLimit } from '../activities/mail/send-limit.ts';
import { createSmtpProvider } from '../activities/mail/smtp.ts';
import { startInbox } from './support/maildev-inbox.ts';
import type { Inbox } from './support/maildev-inbox.ts';

const link = `https://reports.example.com/r/${'t0ken'.repeat(20)}?a=1&b=2`;

const input: ReportLink = {
  from: 'reports@example.com',
  to: 'b@example.com',
  subject: 'The report for July',
  month: '2025-07',
  reportTitle: 'Minutes of the committee',
  link,
  messageId: 'e1@example.com',
  date: '2025-08-01T10:00:00.000Z',
  correction: null,
};

test('the same input gives the same bytes', async () => {
  expect(await renderReportLink(input)).toEqual(await renderReportLink({ ...input }));
});

test('another message gives another boundary', async () => {
  const [one, other] = [await rendered({}), await rendered({ messageId: 'e2@example.com' })];
  expect(boundaryOf(one)).not.toBe(boundaryOf(other));
});

test('the message names itself, its time, and that no person wrote it', async () => {
  const headers = headersOf(await rendered({}));
  expect(headers).toMatchObject({
    From: 'reports@example.com',
    To: 'b@example.com',
    Subject: 'The report for July',
    'Message-ID': '<e1@example.com>',
    Date: 'Fri, 01 Aug 2025 10:00:00 +0000',
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  });
  expect(headers['Content-Type']).toMatch(/^multipart\/alternative;/);
});

test('the bytes are seven bits, in lines that every mail server takes', async () => {
  const raw = await rendered({ reportTitle: 'Prüfung 報告 ✓', correction: 'x'.repeat(5000) });
  const lines = raw.split('\r\n');
  expect(raw).toMatch(/^[\t\r\n -~]*\r\n$/);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
});

describe('in a reader\'s inbox', () => {
  let inbox: Inbox;
  beforeAll(async () => {
    inbox = await startInbox();
  });
  afterAll(() => inbox.stop());

  test('text and HTML show the same link, on a line of its own', async () => {
    const { text, html } = await delivered(inbox, { messageId: 'link@example.com' });
    const escaped = link.replace('&', '&amp;');
    expect(text.split('\n')).toContain(link);
    expect(html.split('\n')).toContain(`<a href="${escaped}">${escaped}</a>`);
    expect([text, html]).toEqual([expect.stringContaining('July 2025'), expect.stringContaining('July 2025')]);
  });

  test('texts of others are shown and never obeyed', async () => {
    const hostile = '<script>alert(1)</script> & "x"\u202Egnp';
    const { text, html, subject } = await delivered(inbox, { messageId: 'hostile@example.com', subject: hostile, reportTitle: hostile, correction: `${hostile}\r\n.\r\nsecond` });
    expect(subject).toBe('<script>alert(1)</script> & "x" gnp');
    expect(text).toContain('report "<script>alert(1)</script> & "x" gnp" for July 2025');
    expect(text).toContain('\n.\nsecond\n');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; gnp<br>\n.<br>\nsecond');
    expect(html).not.toContain('<script');
  });
});

test.each([
  { of: 'a smuggled header', subject: 'One\r\nBcc: evil@evil.test', shown: 'One Bcc: evil@evil.test' },
  { of: 'line breaks of all kinds', subject: 'One\nX: y\u0000\u2028\u2029z', shown: 'One X: y z' },
  { of: 'direction marks', subject: 'a\u202Eb\u2066c\u200Fd', shown: 'a b c d' },
  { of: 'spaces', subject: '   spaced   out ', shown: 'spaced out' },
  { of: '150 letters', subject: 'x'.repeat(150), shown: 'x'.repeat(150) },
  { of: '151 letters', subject: 'x'.repeat(151), shown: `${'x'.repeat(149)}…` },
  { of: 'many pictures', subject: '👍'.repeat(200), shown: `${'👍'.repeat(149)}…` },
  { of: 'half a character', subject: 'half \uD83D', shown: 'half \uFFFD' },
])('a subject of $of becomes one plain line', async ({ subject, shown }) => {
  const raw = await rendered({ subject });
  expect(subjectOf(raw)).toBe(shown);
  expect(Object.keys(headersOf(raw))).toEqual(Object.keys(headersOf(await rendered({}))));
});

test.each([
  { to: 'b@example.com, evil@evil.test' },
  { to: 'b@example.com\r\nBcc: evil@evil.test' },
  { from: 'Reports <reports@example.com>' },
  { link: 'javascript:alert(1)' },
  { link: '/r/token' },
] satisfies Partial<ReportLink>[])('nothing is rendered with %j', async (wrong) => {
  await expect(renderReportLink({ ...input, ...wrong })).rejects.toThrow(RangeError);
});

test.each([
  { month: '2025-07', shown: 'July 2025' },
  { month: '2025-12', shown: 'December 2025' },
  { month: '2025-13', shown: '2025-13' },
])('the month $month is called $shown', async ({ month, shown }) => {
  expect(await rendered({ month })).toContain(`for ${shown} is ready`);
});

async function rendered(changes: Partial<ReportLink>): Promise<string> {
  return (await renderReportLink({ ...input, ...changes })).raw.toString('latin1');
}

async function delivered(inbox: Inbox, changes: Partial<ReportLink>): Promise<{ text: string; html: string; subject: string }> {
  const message = await renderReportLink({ ...input, ...changes });
  await createSmtpProvider({ url: inbox.smtpUrl }).send(message, { attemptId: 'a', idempotencyKey: 'k', limit: createSendLimit(5000), limitMs: 5000 });
  const response = await fetch(`${inbox.url}/api/email?headers.message-id=${encodeURIComponent(message.messageId)}`);
  const emails: readonly { text: string; html: string; subject: string }[] = JSON.parse(await response.text());
  return emails[0] ?? { text: '', html: '', subject: '' };
}

function headersOf(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return Object.fromEntries(head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

function boundaryOf(raw: string): string | undefined {
  return /boundary="([^"]+)"/.exec(raw)?.[1];
}

/** RFC 2047, as far as one encoder uses it. */
function subjectOf(raw: string): string {
  const joined = (headersOf(raw)['Subject'] ?? '').replace(/\?=\s+=\?UTF-8\?[QB]\?/g, '');
  return joined.replace(/=\?UTF-8\?([QB])\?(.*?)\?=/g, (_, kind: string, text: string) =>
    kind === 'B' ? Buffer.from(text, 'base64').toString() : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')),
  );
}

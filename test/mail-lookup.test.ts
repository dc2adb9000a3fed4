import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMaildevLookup } from '../activities/mail/maildev.ts';
import { createMailpitLookup } from '../activities/mail/mailpit.ts';
import { renderReportLink } from '../activities/mail/message.ts';
import { createSendLimit } from '../activities/mail/send-limit.ts';
import { createSmtpProvider } from '../activities/mail/smtp.ts';
import { startInbox } from './support/maildev-inbox.ts';
import type { Inbox } from './support/maildev-inbox.ts';

const lookups = { maildev: createMaildevLookup, mailpit: createMailpitLookup };

/** The inbox holds r1-10 once, R1-10 (another id) once, and r1-2 twice. */
const delivered = ['r1-10@example.com', 'R1-10@example.com', 'r1-2@example.com', 'r1-2@example.com'];

const found = [
  { messageId: 'r1-10@example.com', result: { kind: 'found', copies: 1 } },
  { messageId: '<r1-10@example.com>', result: { kind: 'found', copies: 1 } },
  { messageId: 'r1-2@example.com', result: { kind: 'found', copies: 2 } },
  { messageId: 'r1-1@example.com', result: { kind: 'absent' } },
  { messageId: '1-10@example.com', result: { kind: 'absent' } },
  { messageId: 'r1-10@example.co', result: { kind: 'absent' } },
  { messageId: '', result: { kind: 'absent' } },
];

describe('in a MailDev inbox', () => {
  let inbox: Inbox;
  beforeAll(async () => {
    inbox = await startInbox();
    await Promise.all(delivered.map((messageId) => deliver(inbox.smtpUrl, messageId)));
  });
  afterAll(() => inbox.stop());

  test.each(found)('"$messageId" is $result', async ({ messageId, result }) => {
    expect(await createMaildevLookup({ url: inbox.url }).find(messageId, new AbortController().signal)).toEqual(result);
  });
});

describe('in a Mailpit inbox', () => {
  test.each(found)('"$messageId" is $result', async ({ messageId, result }) => {
    const url = await serving(mailpitWith(delivered));
    expect(await createMailpitLookup({ url }).find(messageId, new AbortController().signal)).toEqual(result);
  });

  test('copies behind hundreds of longer ids are counted', async () => {
    const longer = Array.from({ length: 450 }, (_, index) => `r1-2${index}@example.com`);
    const url = await serving(mailpitWith(['r1-2', ...longer, 'r1-2']));
    expect(await createMailpitLookup({ url }).find('r1-2', new AbortController().signal)).toEqual({ kind: 'found', copies: 2 });
  });
});

describe.each(['maildev', 'mailpit'] as const)('a %s look-up', (name) => {
  test.each([
    { happens: 'answers 500', listener: (_, response) => response.writeHead(500).end('[]') },
    { happens: 'answers without JSON', listener: (_, response) => response.end('<html>') },
    { happens: 'answers with something else', listener: (_, response) => response.end('{"messages": "none"}') },
    { happens: 'sends it elsewhere', listener: (_, response) => response.writeHead(302, { location: '/other' }).end() },
    { happens: 'hangs up', listener: (request) => request.socket.destroy() },
    { happens: 'never answers', listener: () => {} },
    { happens: 'stops in mid-answer', listener: (_, response) => response.writeHead(200).write('[') },
  ] satisfies { happens: string; listener: RequestListener }[])('has no answer when the inbox $happens', async ({ listener }) => {
    const url = await serving(listener);
    expect(await lookups[name]({ url, timeoutMs: 200 }).find('r1@example.com', new AbortController().signal)).toEqual({ kind: 'unavailable' });
  });

  test('has no answer when nothing listens or its address is none', async () => {
    const find = (url: string) => lookups[name]({ url }).find('r1@example.com', new AbortController().signal);
    expect([await find('http://127.0.0.1:1/'), await find('nowhere')]).toEqual([{ kind: 'unavailable' }, { kind: 'unavailable' }]);
  });

  test('has no answer when it is told to stop', async () => {
    const url = await serving(() => {});
    expect(await lookups[name]({ url }).find('r1@example.com', AbortSignal.timeout(50))).toEqual({ kind: 'unavailable' });
  });

  test('asks under the path of the address, with its name and password as a login', async () => {
    const requests: IncomingMessage[] = [];
    const url = await serving((request, response) => {
      requests.push(request);
      response.end('[]');
    });
    await lookups[name]({ url: `${url.replace('//', '//us%40er:p%3Ass@')}/inbox` }).find('r1@example.com', new AbortController().signal);
    expect(requests.map(({ url: path, headers }) => [path?.startsWith('/inbox/api/'), headers.authorization])).toEqual([[true, `Basic ${btoa('us@er:p:ss')}`]]);
  });
});

async function deliver(smtpUrl: string, messageId: string): Promise<void> {
  const message = await renderReportLink({ ...letter, messageId });
  await createSmtpProvider({ url: smtpUrl }).send(message, { attemptId: 'a', idempotencyKey: 'k', limit: createSendLimit(5000), limitMs: 5000 });
}

const letter = {
  from: 'reports@example.com',
  to: 'b@example.com',
  subject: 'The report',
  month: '2025-07',
  reportTitle: 'The report',
  link: 'https://reports.example.com/r/token',
  date: '2025-08-01T10:00:00Z',
  correction: null,
};

/** Answers as Mailpit 1.33 does: hits that contain the id in any case, newest first, ids without brackets. */
function mailpitWith(messageIds: readonly string[]): RequestListener {
  return (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://mailpit');
    const id = (searchParams.get('query') ?? '').replace('message-id:', '').toLowerCase();
    const start = Number(searchParams.get('start'));
    const hits = messageIds.filter((messageId) => messageId.toLowerCase().includes(id)).toReversed();
    const messages = hits.slice(start, start + Number(searchParams.get('limit')));
    response.end(
      JSON.stringify({
        total: messageIds.length,
        count: messages.length,
        messages_count: hits.length,
        start,
        messages: messages.map((messageId, index) => ({ ID: `mail-${start + index}`, MessageID: messageId, Subject: 'The report' })),
      }),
    );
  };
}

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

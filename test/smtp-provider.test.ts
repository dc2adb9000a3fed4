import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FrozenMessage, SendOutcome } from '../activities/mail/mail.ts';
import { createSendLimit } from '../activities/mail/send-limit.ts';
import { createSmtpProvider } from '../activities/mail/smtp.ts';
import { startFaultSmtpServer } from './support/fault-smtp-server.ts';
import type { FaultSmtpServer, SmtpFault, SmtpServerOptions } from './support/fault-smtp-server.ts';

const small = 2_000;
/** More than all buffers between the two hold, so that it cannot leave at once. */
const large = 24_000_000;

const accepted = { kind: 'accepted', providerId: '4Fq1x' } as const;
const unknown = { kind: 'unknown', phase: 'after_dot' } as const;
const aborted = { kind: 'unknown', phase: 'aborted' } as const;

function refused(phase: string, code: number | null = null, permanent = false): object {
  return { kind: 'not_accepted', permanent, phase, code };
}

interface Row {
  readonly happens: string;
  readonly fault: SmtpFault;
  readonly outcome: object;
  /** How many messages the server has taken in the end. */
  readonly taken: unknown;
  readonly size?: number;
  readonly limitMs?: number;
  readonly graceMs?: number;
}

const rows: readonly Row[] = [
  { happens: 'no greeting', fault: { at: 'greeting', then: 'hang' }, limitMs: 200, outcome: refused('connect'), taken: 0 },
  { happens: 'close before the greeting', fault: { at: 'greeting', then: 'close' }, outcome: refused('connect'), taken: 0 },
  { happens: 'greeting 421', fault: { at: 'greeting', reply: '421 busy', then: 'close' }, outcome: refused('connect', 421), taken: 0 },
  { happens: 'greeting 554', fault: { at: 'greeting', reply: '554 not you' }, outcome: refused('connect', 554), taken: 0 },
  { happens: 'EHLO hang', fault: { at: 'EHLO', then: 'hang' }, limitMs: 200, outcome: refused('connect'), taken: 0 },
  { happens: 'EHLO close', fault: { at: 'EHLO', then: 'close' }, outcome: refused('connect'), taken: 0 },
  { happens: 'EHLO 421', fault: { at: 'EHLO', reply: '421 going down', then: 'close' }, outcome: refused('connect', 421), taken: 0 },
  { happens: 'AUTH 535', fault: { at: 'AUTH', reply: '535 wrong' }, outcome: refused('auth', 535), taken: 0 },
  { happens: 'AUTH 454', fault: { at: 'AUTH', reply: '454 later' }, outcome: refused('auth', 454), taken: 0 },
  { happens: 'AUTH reset', fault: { at: 'AUTH', then: 'reset' }, outcome: refused('auth'), taken: 0 },
  { happens: 'MAIL 451', fault: { at: 'MAIL', reply: '451 later' }, outcome: refused('envelope', 451), taken: 0 },
  { happens: 'MAIL 550', fault: { at: 'MAIL', reply: '550 no' }, outcome: refused('envelope', 550, true), taken: 0 },
  { happens: 'MAIL hang', fault: { at: 'MAIL', then: 'hang' }, limitMs: 200, outcome: refused('envelope'), taken: 0 },
  { happens: 'RCPT 450', fault: { at: 'RCPT', reply: '450 greylisted' }, outcome: refused('envelope', 450), taken: 0 },
  { happens: 'RCPT 550', fault: { at: 'RCPT', reply: '550 nobody' }, outcome: refused('envelope', 550, true), taken: 0 },
  { happens: 'RCPT close', fault: { at: 'RCPT', then: 'close' }, outcome: refused('envelope'), taken: 0 },
  { happens: 'DATA 451', fault: { at: 'DATA', reply: '451 later' }, outcome: refused('envelope', 451), taken: 0 },
  { happens: 'DATA 554', fault: { at: 'DATA', reply: '554 no' }, outcome: refused('envelope', 554, true), taken: 0 },
  { happens: 'DATA hang', fault: { at: 'DATA', then: 'hang' }, limitMs: 200, outcome: refused('envelope'), taken: 0 },
  { happens: 'half body, close', fault: { at: 'body', then: 'close' }, size: large, outcome: refused('data'), taken: 0 },
  { happens: 'half body, reset', fault: { at: 'body', then: 'reset' }, size: large, outcome: refused('data'), taken: 0 },
  { happens: 'half body, hang', fault: { at: 'body', then: 'hang' }, size: large, limitMs: 500, outcome: refused('data'), taken: 0 },
  { happens: 'half body, 552', fault: { at: 'body', reply: '552 too large', then: 'hang' }, size: large, outcome: refused('data', 552, true), taken: 0 },
  { happens: 'goodbye in the body, still reading', fault: { at: 'body', then: 'half_close' }, outcome: unknown, taken: 1 },
  // Whether the message still gets out is a race that no client can see the end of.
  { happens: 'goodbye with the 354, still reading', fault: { at: 'DATA', then: 'half_close' }, outcome: unknown, taken: expect.any(Number) },
  { happens: 'after the dot 451', fault: { at: 'dot', reply: '451 later' }, outcome: refused('refused', 451), taken: 0 },
  { happens: 'after the dot 554', fault: { at: 'dot', reply: '554 spam' }, outcome: refused('refused', 554, true), taken: 0 },
  { happens: 'after the dot 421', fault: { at: 'dot', reply: '421 going down', then: 'close' }, outcome: refused('refused', 421), taken: 0 },
  { happens: 'after the dot close', fault: { at: 'dot', then: 'close' }, outcome: unknown, taken: 1 },
  { happens: 'after the dot reset', fault: { at: 'dot', then: 'reset' }, outcome: unknown, taken: 1 },
  { happens: 'after the dot hang', fault: { at: 'dot', then: 'hang' }, limitMs: 300, outcome: unknown, taken: 1 },
  { happens: 'after the dot a reply cut off', fault: { at: 'dot', fragment: '25', then: 'close' }, outcome: unknown, taken: 1 },
  { happens: 'after the dot a good reply without its end', fault: { at: 'dot', fragment: '250 queued as 4Fq1x', then: 'close' }, outcome: unknown, taken: 1 },
  { happens: 'after the dot a bad reply without its end', fault: { at: 'dot', fragment: '451 later', then: 'close' }, outcome: unknown, taken: 1 },
  { happens: 'after the dot nonsense', fault: { at: 'dot', reply: 'oops' }, outcome: unknown, taken: 1 },
  { happens: 'a good reply after the deadline', fault: { at: 'dot', delayMs: 600 }, limitMs: 300, graceMs: 0, outcome: aborted, taken: 1 },
  { happens: 'a slow good reply', fault: { at: 'dot', delayMs: 150 }, outcome: accepted, taken: 1 },
  { happens: 'a good reply and a reset', fault: { at: 'dot', reply: '250 Ok: queued as 4Fq1x', then: 'close' }, outcome: accepted, taken: 1 },
];

describe.each([{ extensions: [] }, { extensions: ['PIPELINING', 'DSN'] }])('with the extensions $extensions', ({ extensions }) => {
  test.each(rows)('$happens leaves the outcome that was proven', async ({ fault, ...row }) => {
    const server = await serving({ fault, extensions: [...extensions, ...loginFor(fault)] });
    const outcome = await send(server.url.replace('//', '//user:secret@'), row);
    await server.quiet();
    expect({ outcome, taken: server.taken.length }).toEqual({ outcome: row.outcome, taken: row.taken });
    expect(server.connections()).toBe(1);
  });
});

test('a refused connection is not an acceptance', async () => {
  expect(await send(`smtp://127.0.0.1:${await unusedPort()}`)).toEqual(refused('connect'));
});

test('a host that does not exist is not an acceptance', async () => {
  expect(await send('smtp://mail.invalid', { limitMs: 1000 })).toEqual(refused('connect'));
});

test('the frozen bytes arrive as they are, from one sender to one recipient', async () => {
  const server = await serving({ extensions: ['PIPELINING', 'DSN'] });
  const message = frozen({ text: '.starts with a dot\r\n..two\r\n.\r\nnot the end\r\n' });
  await send(server.url, { message });
  expect(server.taken).toEqual([{ messageId: message.messageId, bytes: message.raw, sender: message.from, recipients: [message.to] }]);
});

test('the id of the attempt travels in the envelope', async () => {
  const server = await serving({ extensions: ['DSN'] });
  await send(server.url);
  expect(server.commands).toContain('MAIL FROM:<reports@example.com> ENVID=attempt-1');
});

test('a login is made with the name and password of the address', async () => {
  const server = await serving({ extensions: ['AUTH PLAIN'] });
  expect(await send(server.url.replace('//', '//us%40er:p%3Ass@'))).toEqual(accepted);
  expect(server.commands).toContain(`AUTH PLAIN ${btoa('\0us@er\0p:ss')}`);
});

describe('once the send limit has passed', () => {
  test('no connection is made', async () => {
    const server = await serving({});
    expect(await send(server.url, { expiresInMs: 0 })).toEqual(refused('not_transmitted'));
    expect(server.connections()).toBe(0);
  });

  test.each([
    { happens: 'before the 354', fault: { at: 'DATA', delayMs: 1000 }, size: small, messageBytes: 0 },
    { happens: 'while the body is stuck', fault: { at: 'body', delayMs: 1000 }, size: large, messageBytes: expect.any(Number) },
  ] satisfies { happens: string; fault: SmtpFault; size: number; messageBytes: number }[])('the final dot is never written ($happens)', async ({ fault, size, messageBytes }) => {
    const server = await serving({ fault });
    expect(await send(server.url, { size, expiresInMs: 500, limitMs: 10_000 })).toEqual(refused('not_transmitted'));
    await server.quiet();
    expect(server.connections()).toBe(1);
    expect({ messageBytes: server.messageBytes(), dots: server.dots(), taken: server.taken }).toEqual({ messageBytes, dots: 0, taken: [] });
  });
});

test.each([{ clock: 'performance' as const }, { clock: 'Date' as const }])('a send limit has passed as soon as $clock alone says so', ({ clock }) => {
  vi.useFakeTimers({ toFake: [clock] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createSendLimit(1000);
  vi.advanceTimersByTime(990);
  const early = limit.expired();
  vi.advanceTimersByTime(10);
  expect([early, limit.expired()]).toEqual([false, true]);
});

test.each([
  { to: 'b@example.com\r\nBcc: evil@evil.test' },
  { to: 'b@example.com, evil@evil.test' },
  { to: '"b@example.com, evil"@evil.test' },
  { to: 'Team: b@example.com, evil@evil.test;' },
  { to: 'B <b@example.com>' },
  { to: 'b@example.com> SIZE=1' },
  { to: 'bäcker@example.com' },
  { to: 'b.@example.com' },
  { to: '@example.com' },
  { to: '' },
  { to: `${'b'.repeat(250)}@example.com` },
  { from: 'reports@example.com\r\nRCPT TO:<evil@evil.test>' },
  { raw: Buffer.alloc(0) },
  { raw: Buffer.from('Subject: not what was frozen\r\n\r\n') },
] satisfies Partial<FrozenMessage>[])('a message with %j never leaves', async (wrong) => {
  const server = await serving({});
  expect(await send(server.url, { message: { ...frozen(), ...wrong } })).toEqual(refused('local', null, true));
  expect(server.connections()).toBe(0);
});

test.each([
  { address: 'http://mail.example.com' },
  { address: 'smtp://' },
  { address: 'mail.example.com:25' },
  { address: 'smtp://mail.example.com?tls.rejectUnauthorised=false' },
  { address: 'smtp://mail.example.com?requireTLS=yes' },
])('the address $address is refused when the provider is made', ({ address }) => {
  expect(() => createSmtpProvider({ url: address })).toThrow(/SMTP address/);
});

/** A server that offers a login is asked for it; the others are left without. */
function loginFor({ at }: SmtpFault): readonly string[] {
  return at === 'AUTH' ? ['AUTH PLAIN'] : [];
}

interface Sending {
  readonly size?: number;
  readonly limitMs?: number;
  readonly graceMs?: number;
  /** When the limit really passes, of which timers that stood still know nothing. */
  readonly expiresInMs?: number;
  readonly message?: FrozenMessage;
}

async function send(url: string, sending: Sending = {}): Promise<SendOutcome> {
  const { size = small, limitMs = 5000, graceMs = 1000 } = sending;
  const provider = createSmtpProvider({ url, graceMs });
  const message = sending.message ?? frozen({ size });
  const limit = createSendLimit(sending.expiresInMs ?? limitMs);
  return provider.send(message, { attemptId: 'attempt-1', idempotencyKey: 'key-1', limit, limitMs });
}

function frozen({ size = small, text = 'x'.repeat(70).concat('\r\n').repeat(Math.ceil(size / 72)) } = {}): FrozenMessage {
  const [from, to, messageId] = ['reports@example.com', 'b@example.com', `<${randomUUID()}@example.com>`];
  const raw = Buffer.from(`From: ${from}\r\nTo: ${to}\r\nMessage-ID: ${messageId}\r\nSubject: The report\r\n\r\n${text}`);
  return { from, to, messageId, raw, sha256: createHash('sha256').update(raw).digest('hex') };
}

async function serving(options: SmtpServerOptions): Promise<FaultSmtpServer> {
  const server = await startFaultSmtpServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function unusedPort(): Promise<number> {
  const server = await startFaultSmtpServer();
  await server.close();
  return server.port;
}

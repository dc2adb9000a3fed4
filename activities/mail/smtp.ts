import { createHash } from 'node:crypto';
import type { NodemailerError } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { FrozenMessage, MailProvider, SendAttempt, SendOutcome } from './mail.ts';
import { isPlainAddress } from './plain-address.ts';
import { bodyOf } from './smtp/body.ts';
import { DeadlinePassed, acceptanceOf, outcomeOf } from './smtp/outcome.ts';
import type { Dialogue } from './smtp/outcome.ts';
import { smtpSettings } from './smtp/settings.ts';
import type { SmtpSettings } from './smtp/settings.ts';

export interface SmtpProviderOptions {
  /** `smtp[s]://[user:password@]host[:port]`; for its options see `smtp/settings.ts`. */
  readonly url: string;
  /** For each of looking the host up, connecting with TLS, and the greeting. */
  readonly connectTimeoutMs?: number;
  /** How long after the send limit a reply to the final dot is still waited for. */
  readonly graceMs?: number;
}

interface Timeouts {
  readonly connectTimeoutMs: number;
  readonly graceMs: number;
}

/**
 * Sends by SMTP: one connection, one transaction, one recipient for each attempt, and no repetition of its own.
 *
 * It drives nodemailer's connection and not its mailer. The mailer's error codes do not tell a connection lost before
 * the message from one lost after it; here the stage is known, because each step is our own. And nothing is composed,
 * so no file or address in a message is ever opened: the bytes are those that were frozen. Nothing is added per attempt
 * for the same reason, not even a header; the attempt's id travels as the envelope's ENVID, where a server knows DSN.
 */
export function createSmtpProvider(options: SmtpProviderOptions): MailProvider {
  const { url, connectTimeoutMs = 10_000, graceMs = 1000 } = options;
  const settings = smtpSettings(url);
  return {
    name: 'smtp',
    async send(message, attempt) {
      if (!isSound(message)) return { kind: 'not_accepted', permanent: true, phase: 'local', code: null };
      if (attempt.limit.expired()) return { kind: 'not_accepted', permanent: false, phase: 'not_transmitted', code: null };
      return transmit(settings, { connectTimeoutMs, graceMs }, message, attempt);
    },
    // Each attempt closes its own connection.
    close() {},
  };
}

/** Whether the message may be sent at all: anything else would be a mistake of ours, and no attempt would mend it. */
function isSound(message: FrozenMessage): boolean {
  const digest = createHash('sha256').update(message.raw).digest('hex');
  return isPlainAddress(message.from) && isPlainAddress(message.to) && message.raw.length > 0 && digest === message.sha256;
}

async function transmit(settings: SmtpSettings, timeouts: Timeouts, message: FrozenMessage, attempt: SendAttempt): Promise<SendOutcome> {
  const dialogue: Dialogue = { stage: 'connect' };
  const connection = connectionTo(settings, timeouts.connectTimeoutMs, attempt.limitMs);
  const broken = Promise.withResolvers<never>();
  connection.on('error', broken.reject);
  // Its last word where it has no other. A step that fails by it gets its own, richer error first.
  connection.on('end', () => setImmediate(broken.reject, new Error('the connection has ended')));
  const deadline = setTimeout(broken.reject, attempt.limitMs + timeouts.graceMs, new DeadlinePassed());
  try {
    return await Promise.race([converse(connection, settings, message, attempt, dialogue), broken.promise]);
  } catch (error) {
    return outcomeOf(error, dialogue);
  } finally {
    clearTimeout(deadline);
    // Destroys the socket with all that it still holds: what was judged not to have left must not leave afterwards.
    connection.close();
  }
}

function connectionTo(settings: SmtpSettings, connectTimeoutMs: number, limitMs: number): SMTPConnection {
  const setUp = Math.min(connectTimeoutMs, limitMs);
  return new SMTPConnection({
    host: settings.host,
    port: settings.port,
    secure: settings.secure,
    requireTLS: settings.requireTLS,
    ignoreTLS: settings.ignoreTLS,
    name: settings.name,
    tls: { rejectUnauthorized: settings.rejectUnauthorized },
    connectionTimeout: setUp,
    greetingTimeout: setUp,
    dnsTimeout: setUp,
    // Of silence. Shorter than RFC 5321's ten minutes for the final reply: a reply missed is told as unknown, never retried blindly.
    socketTimeout: limitMs,
    socketCloseTimeout: 0,
  });
}

async function converse(
  connection: SMTPConnection,
  settings: SmtpSettings,
  message: FrozenMessage,
  attempt: SendAttempt,
  dialogue: Dialogue,
): Promise<SendOutcome> {
  await step((done) => connection.connect(done));
  dialogue.stage = 'auth';
  const { auth } = settings;
  if (auth !== null && connection.allowsAuth) await step((done) => connection.login({ credentials: auth }, done));
  dialogue.stage = 'envelope';
  const envelope = { from: message.from, to: [message.to], dsn: { envid: attempt.attemptId } };
  const body = bodyOf(message.raw, attempt.limit, dialogue);
  return acceptanceOf(await replyTo((done) => connection.send(envelope, body, done)), dialogue);
}

type Done<Result> = (error?: NodemailerError | null, result?: Result) => void;

function step(start: (done: Done<boolean>) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

function replyTo(start: (done: Done<{ response: string }>) => void): Promise<string> {
  return new Promise((resolve, reject) => start((error, sent) => (error || !sent ? reject(error ?? new Error('no reply')) : resolve(sent.response))));
}

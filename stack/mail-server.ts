import { join } from 'node:path';
import { MailDev } from 'maildev';
import { environment, readConfig, required } from '../config.ts';

// The embedded mail server with its inbox page, as a process of its own: what it prints is not for our standard output.
const { data, embedded } = readConfig(environment());
const address = '127.0.0.1';
const server = new MailDev({
  ip: address,
  webIp: address,
  smtp: required(embedded.smtpPort, 'SMTP_PORT'),
  web: required(embedded.inboxPort, 'INBOX_PORT'),
  mailDirectory: join(data, 'mail'),
  silent: true,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.stop().then(() => process.exit(0)));
await server.start();
console.log('mail server ready');

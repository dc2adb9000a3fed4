import { afterEach, describe, expect, test } from 'vitest';
import { createMaildevLookup } from '../activities/mail/maildev.ts';
import { createSmtpProvider } from '../activities/mail/smtp.ts';
import type { Status } from '../workflows/contract/status.ts';
import type { SmtpFault } from './support/fault-smtp-server.ts';
import { startInbox } from './support/maildev-inbox.ts';
import { faultyService, firstFaultyService } from './support/moments.ts';
import { startProduct, type Product } from './support/product.ts';
import { quickModel } from './support/quick-model.ts';
import { inputOf } from './support/steps.ts';
import { startSwallowingProxy } from './support/swallowing-proxy.ts';
import { endOf, statusWhere } from './support/waiting.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function started(product: Product): Promise<string> {
  closing.unshift(() => product.stop());
  const answer = await product.reports.start({ input: inputOf(), key: 'once', caller: 'test' });
  return 'report' in answer ? answer.report.id : '';
}

interface Row {
  readonly server: string;
  readonly fault: SmtpFault;
  readonly headline: string;
  readonly outcomes: Status['emails'][number]['attempts'][number]['outcome'][];
  readonly taken: number;
}

const accepted = 'Finished. Report saved; email accepted by the mail service';
const unconfirmed = 'Finished. Report saved; email outcome unconfirmed';

/** The fault is met once; whatever comes after it goes well, so a resend would be taken. */
const rows: readonly Row[] = [
  { server: 'takes the message and falls silent', fault: { at: 'dot', then: 'hang' }, headline: unconfirmed, outcomes: ['unknown'], taken: 1 },
  { server: 'takes the message and hangs up', fault: { at: 'dot', then: 'close' }, headline: unconfirmed, outcomes: ['unknown'], taken: 1 },
  { server: 'takes the message and answers half a line', fault: { at: 'dot', fragment: '250 2.0.0 Ok', then: 'close' }, headline: unconfirmed, outcomes: ['unknown'], taken: 1 },
  { server: 'falls silent before the message', fault: { at: 'DATA', then: 'hang' }, headline: accepted, outcomes: ['refused', 'accepted'], taken: 1 },
  { server: 'refuses for now after the message', fault: { at: 'dot', reply: '451 4.3.0 later' }, headline: accepted, outcomes: ['refused', 'accepted'], taken: 1 },
  { server: 'refuses the recipient for good', fault: { at: 'RCPT', reply: '550 5.1.1 nobody' }, headline: 'Finished. Report saved; email refused by the mail service', outcomes: ['refused'], taken: 0 },
];

describe('a mail server that', () => {
  test.each(rows)('$server leaves the email as it is said, and is sent it at most once', async ({ fault, headline, outcomes, taken }) => {
    const service = await firstFaultyService(fault);
    closing.push(service.stop);
    const product = await startProduct({ model: quickModel, mail: service.mail });
    const id = await started(product);
    const status = await endOf(product, id);
    expect(status.headline).toBe(headline);
    expect(status.emails[0]?.attempts.map(({ outcome }) => outcome)).toEqual(outcomes);
    await service.server.quiet();
    expect(await service.taken()).toBe(taken);
  });
});

test('an email whose reply was swallowed is unconfirmed, then found by the look-up, and never sent again', async () => {
  const inbox = await startInbox();
  const proxy = await startSwallowingProxy(inbox.smtpUrl);
  closing.push(proxy.close, inbox.stop);
  const mail = { provider: createSmtpProvider({ url: proxy.url }), lookup: createMaildevLookup({ url: inbox.url }), from: 'reports@standdown.localhost' };
  const product = await startProduct({ model: quickModel, mail });
  const id = await started(product);
  expect((await endOf(product, id)).headline).toBe(unconfirmed);
  const status = await statusWhere(product, id, ({ emailCounts }) => emailCounts.accepted === 1, 'the look-up to find the email');
  expect(status).toMatchObject({ phase: 'finished', headline: accepted, cancelRequest: null });
  expect(status.emails[0]?.attempts).toMatchObject([{ outcome: 'accepted', evidence: [{ source: 'maildev', copies: 1 }] }]);
});

test('where nothing can be looked up, the status says what to search for by hand', async () => {
  const service = await faultyService({ at: 'dot', then: 'close' });
  closing.push(service.stop);
  const product = await startProduct({ model: quickModel, mail: service.mail });
  const id = await started(product);
  const status = await endOf(product, id);
  expect(status.emails[0]?.checkByHand).toEqual({
    messageId: service.server.taken[0]?.messageId,
    provider: 'smtp',
    recipient: 'reader@example.com',
    claimedAt: status.emails[0]?.attempts[0]?.claimedAt,
  });
});

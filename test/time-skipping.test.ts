import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { keepClock, type KeptClock } from './support/clock.ts';
import { startProduct, type Product } from './support/product.ts';
import { quickModel } from './support/quick-model.ts';
import { scriptedMail, type ScriptedMail } from './support/scripted-mail.ts';
import { inputOf } from './support/steps.ts';
import { endOf, runExists, statusWhere } from './support/waiting.ts';

let environment: TestWorkflowEnvironment;
let product: Product;
let clock: KeptClock;

// One server a test: its clock is unlocked by whoever awaits a result, and locks of different tests would add up.
beforeEach(async () => {
  environment = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path: inject('testServerPath') } } });
  await environment.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: { StanddownMonth: keyword } });
});
afterEach(async () => {
  clock.stop();
  await product.stop();
  await environment.teardown();
});

const hour = 3_600_000;
/** Temporal's number for a Keyword. */
const keyword = 2;

async function startWith(mail: ScriptedMail): Promise<string> {
  const limits = { retryForMs: 24 * hour, firstRetryMs: hour, maxRetryMs: hour } as const;
  product = await startProduct({ model: quickModel, mail: mail.mail, skipsTime: true, temporalAddress: environment.address, limits });
  clock = keepClock(product.databaseUrl, () => environment.currentTimeMs());
  const started = await product.reports.start({ input: inputOf(), key: 'once', caller: 'test' });
  expect(started.kind).toBe('started');
  const { items } = await product.reports.list({ phase: null, cursor: null, limit: 1 });
  const id = items[0]?.id ?? '';
  await runExists(product, id);
  return id;
}

test('an email refused for a day is given up after it, and the report finishes saying so', { timeout: 120_000 }, async () => {
  const mail = scriptedMail(() => ({ kind: 'not_accepted', permanent: false, phase: 'envelope', code: 451 }), () => ({ kind: 'absent' }));
  const id = await startWith(mail);
  await environment.client.workflow.getHandle(id).result();
  const status = await endOf(product, id);
  expect(status.headline).toBe('Finished. Report saved; email refused by the mail service');
  expect(status.emails[0]?.gaveUp).toBe('retry_budget');
  const attempts = status.emails[0]?.attempts ?? [];
  const hours = attempts.map(({ claimedAt }) => (Date.parse(claimedAt) - Date.parse(attempts[0]?.claimedAt ?? '')) / hour);
  expect(hours.every((at, index) => index === 0 || at - (hours[index - 1] ?? 0) >= 1)).toBe(true);
  expect(hours.at(-1)).toBeLessThan(24);
  expect(mail.sent.length).toBeGreaterThanOrEqual(10);
  expect(new Set(mail.sent).size).toBe(1);
});

test('an email refused three times and then taken is sent once in the end', async () => {
  const mail = scriptedMail(
    (number) => (number < 4 ? { kind: 'not_accepted', permanent: false, phase: 'connect', code: null } : { kind: 'accepted', providerId: null }),
    () => ({ kind: 'absent' }),
  );
  const id = await startWith(mail);
  await expect(environment.client.workflow.getHandle(id).result()).resolves.toEqual({ reportId: id, phase: 'finished' });
  const status = await endOf(product, id);
  expect(status.headline).toBe('Finished. Report saved; email accepted by the mail service');
  expect(status.emails[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'accepted']);
});

test('a refusal that is final is not tried again', async () => {
  const mail = scriptedMail(() => ({ kind: 'not_accepted', permanent: true, phase: 'refused', code: 550 }), () => ({ kind: 'absent' }));
  const id = await startWith(mail);
  await environment.client.workflow.getHandle(id).result();
  const status = await endOf(product, id);
  expect(status.headline).toBe('Finished. Report saved; email refused by the mail service');
  expect(mail.sent.length).toBe(1);
});

test('a cancel between two tries ends the report at once and no further try is made', async () => {
  const mail = scriptedMail(() => ({ kind: 'not_accepted', permanent: false, phase: 'envelope', code: 451 }), () => ({ kind: 'absent' }));
  const id = await startWith(mail);
  await statusWhere(product, id, ({ emailCounts }) => emailCounts.refused === 1, 'the first refusal');
  const answer = await product.reports.cancel(id, { requestId: null, by: 'test', reason: null, door: 'http' });
  expect(answer?.report.headline).toBe('Cancelled. Report saved; email refused by the mail service');
  expect(answer?.receipt).toMatchObject({ effect: 'prevented', prevented: { save: false, emails: 0, furtherAttempts: 1 } });
  await expect(environment.client.workflow.getHandle(id).result()).rejects.toThrow(/cancel/i);
  expect(mail.sent.length).toBe(1);
});

test('an email found late by a look-up becomes accepted, hours after the report has finished', async () => {
  const mail = scriptedMail(() => ({ kind: 'unknown', phase: 'after_dot' }), (number) => (number < 5 ? { kind: 'absent' } : { kind: 'found', copies: 1 }));
  const id = await startWith(mail);
  await environment.client.workflow.getHandle(id).result();
  expect((await endOf(product, id)).headline).toBe('Finished. Report saved; email outcome unconfirmed');
  await runExists(product, `reconcile-${id}`);
  await expect(environment.client.workflow.getHandle(`reconcile-${id}`).result()).resolves.toEqual({ unconfirmed: 0 });
  const status = await endOf(product, id);
  expect(status.headline).toBe('Finished. Report saved; email accepted by the mail service');
  expect(status.emails[0]?.attempts[0]).toMatchObject({ outcome: 'accepted', evidence: [{ source: 'scripted', copies: 1 }] });
  expect(mail.sent.length).toBe(1);
});

test('an email that is never found stays unconfirmed, with what to check by hand, and is not sent again', async () => {
  const mail = scriptedMail(() => ({ kind: 'unknown', phase: 'after_dot' }), () => ({ kind: 'absent' }));
  const id = await startWith(mail);
  await environment.client.workflow.getHandle(id).result();
  await runExists(product, `reconcile-${id}`);
  await expect(environment.client.workflow.getHandle(`reconcile-${id}`).result()).resolves.toEqual({ unconfirmed: 1 });
  const status = await endOf(product, id);
  expect(status.headline).toBe('Finished. Report saved; email outcome unconfirmed');
  expect(status.emails[0]?.checkByHand).toMatchObject({ messageId: mail.sent[0], provider: 'scripted', recipient: 'reader@example.com' });
  expect(mail.looked.length).toBe(8);
  expect(mail.sent.length).toBe(1);
});

import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { inboxService, sourceFailingAt } from './support/moments.ts';
import { createNamespace } from './support/namespaces.ts';
import { startProduct, type Doors, type Product } from './support/product.ts';
import { quickModel } from './support/quick-model.ts';
import type { SendOutcome } from '../activities/mail/mail.ts';
import { activitiesOf, eventsOf, resetRun } from './support/histories.ts';
import { scriptedMail } from './support/scripted-mail.ts';
import { inputOf } from './support/steps.ts';
import { closeStatus, endOf, runExists, statusWhere, waitFor } from './support/waiting.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(doors: Partial<Doors> = {}): Promise<Product> {
  const service = await inboxService();
  const product = await startProduct({ model: quickModel, mail: service.mail, ...doors });
  closing.push(() => product.stop(), service.stop);
  return product;
}

async function start(product: Product, recipients: readonly string[] = ['reader@example.com']): Promise<string> {
  const answer = await product.reports.start({ input: inputOf({ recipients }), key: randomUUID(), caller: 'test' });
  return 'report' in answer ? answer.report.id : '';
}

const finished = 'Finished. Report saved; email accepted by the mail service';

test('a happy run with one recipient uses four activities and no timer', async () => {
  const product = await open();
  const id = await start(product);
  expect((await endOf(product, id)).headline).toBe(finished);
  await closeStatus(product, id);
  expect(await activitiesOf(product, id)).toEqual(['collectDocuments', 'summariseDocuments', 'saveReport', 'sendEmails']);
  expect((await eventsOf(product, id)).filter((type) => type.includes('TIMER'))).toEqual([]);
});

test('a collection that fails half-way goes on from what it has stored', async () => {
  const { source, read } = sourceFailingAt(2);
  const product = await open({ source });
  const id = await start(product);
  const status = await endOf(product, id);
  expect(status.headline).toBe(finished);
  expect(read).toEqual(['a.md', 'b.md', 'b.md']);
  expect(status.operations.filter(({ name }) => name === 'collect').map(({ state }) => state)).toEqual(['failed', 'done']);
});

test('a report whose run was terminated fails and says that its workflow was lost', async () => {
  const product = await open({ works: false, vanishedCheckMs: 1500 });
  const id = await start(product);
  await runExists(product, id);
  await product.temporal.workflow.getHandle(id).terminate('by an operator');
  const status = await endOf(product, id);
  expect(status).toMatchObject({ headline: 'Failed before anything started. No report was saved and no email was sent', failure: 'workflow_lost' });
});

test('a report whose run goes on is not taken for lost', async () => {
  const product = await open({ works: false, vanishedCheckMs: 300 });
  const id = await start(product);
  await runExists(product, id);
  await expect(statusWhere(product, id, ({ phase }) => phase === 'failed', 'a failure that must not come', 3000)).rejects.toThrow(/in vain/);
  await product.startWorker();
  expect((await endOf(product, id)).headline).toBe(finished);
});

test('a start and a cancel that nobody forwarded are forwarded by the next process that comes up', async () => {
  const first = await open({ works: false, forwards: false });
  const cancelled = await start(first);
  const kept = await start(first);
  await first.reports.cancel(cancelled, { requestId: null, by: null, reason: null, door: 'http' });
  const second = await open({ databaseUrl: first.databaseUrl, taskQueue: first.taskQueue });
  expect((await endOf(second, kept)).headline).toBe(finished);
  expect(await closeStatus(second, cancelled)).toBe('CANCELLED');
  expect(await closeStatus(second, kept)).toBe('COMPLETED');
});

test('in a namespace without the search attribute runs are started without it, with one warning', async () => {
  const namespace = await createNamespace();
  const warnings: string[] = [];
  const product = await open({ namespace, warn: (says) => warnings.push(says) });
  const ids = [await start(product), await start(product)];
  expect(await Promise.all(ids.map(async (id) => (await endOf(product, id)).headline))).toEqual([finished, finished]);
  expect(warnings).toEqual([`the namespace ${namespace} has no search attribute StanddownMonth: runs are started without it`]);
});

test('in a namespace with the search attribute a run is found by its month, and says what it is', async () => {
  const product = await open();
  const id = await start(product);
  await endOf(product, id);
  const description = await product.temporal.workflow.getHandle(id).describe();
  expect(JSON.stringify(description.typedSearchAttributes)).toContain('2025-07');
  expect(await description.staticSummary()).toBe('Monthly report for 2025-07');
});

test('a run that was reset after its report was cancelled closes as cancelled again', async () => {
  const product = await open({ model: { ...quickModel, summarise: ({ signal }) => waitFor(signal) } });
  const id = await start(product);
  await statusWhere(product, id, ({ phase }) => phase === 'summarising', 'the model to be asked');
  await product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
  expect(await closeStatus(product, id)).toBe('CANCELLED');
  const reset = await resetRun(product, id);
  expect(reset).not.toBe('');
  expect(await closeStatus(product, id)).toBe('CANCELLED');
  expect((await endOf(product, id)).headline).toBe('Cancelled. No report was saved and no email was sent');
});

test('an email that turns out to be refused after it was thought unconfirmed is tried again', async () => {
  const held = Promise.withResolvers<SendOutcome>();
  const outcomes: readonly (SendOutcome | Promise<SendOutcome>)[] = [{ kind: 'unknown', phase: 'aborted' }, held.promise];
  const { mail } = scriptedMail((number) => outcomes[number - 1] ?? { kind: 'accepted', providerId: null }, () => ({ kind: 'absent' }));
  const product = await open({ mail });
  const id = await start(product, ['first@example.com', 'second@example.com']);
  const status = await statusWhere(product, id, ({ emailCounts }) => emailCounts.unconfirmed === 1 && emailCounts.sending === 1, 'the second email to be on its way');
  const attempt = status.emails[0]?.attempts[0]?.id ?? '';
  await product.store.decisions.outcome(id, { email: 'report-1', attempt, outcome: 'refused', permanent: false, phase: 'not_transmitted', code: null });
  held.resolve({ kind: 'accepted', providerId: null });
  expect((await endOf(product, id)).headline).toBe('Finished. Report saved; 2 emails accepted by the mail service');
});

test('a run started straight through Temporal under an id that no report can have fails, and says so', async () => {
  const product = await open();
  const workflowId = `with/a/slash-${randomUUID()}`;
  const handle = await product.temporal.workflow.start('report', { workflowId, taskQueue: product.taskQueue, args: [inputOf()] });
  await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { type: 'InvalidInput' } } });
});

test.each([['itself', (id: string) => id], ['a report that is not there', () => 'nothing']])('a direct run that supersedes %s fails and leaves no row', async (_, ancestor) => {
  const product = await open();
  const workflowId = `direct-${randomUUID()}`;
  const input = inputOf({ supersedes: ancestor(workflowId) });
  const handle = await product.temporal.workflow.start('report', { workflowId, taskQueue: product.taskQueue, args: [input] });
  await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { type: 'InvalidInput' } } });
  expect(await product.reports.status(workflowId)).toBeNull();
});

test('a deadline is kept while many starts wait for a Temporal that does not answer', async () => {
  const product = await open({ works: false, temporalAddress: '127.0.0.1:1' });
  const waiting = Array.from({ length: 120 }, () => start(product));
  const id = await start(product);
  await Promise.all(waiting);
  await product.store.decisions.begin(id, { operation: 'orphan', step: 'collect', owner: 'gone/1', holder: 'gone', deadlineMs: 100 });
  await product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
  expect((await endOf(product, id, 6000)).phase).toBe('cancelled');
});

import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { inboxService, sourceFailingAt } from './support/moments.ts';
import { createNamespace } from './support/namespaces.ts';
import { startProduct, type Doors, type Product } from './support/product.ts';
import { quickModel } from './support/quick-model.ts';
import { activitiesOf, eventsOf } from './support/histories.ts';
import { inputOf } from './support/steps.ts';
import { closeStatus, endOf, runExists, statusWhere } from './support/waiting.ts';

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

async function start(product: Product): Promise<string> {
  const answer = await product.reports.start({ input: inputOf(), key: randomUUID(), caller: 'test' });
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

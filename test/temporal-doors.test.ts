import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../workflows/contract/status.ts';
import { asAdmin } from './support/database.ts';
import { inputOf } from './support/steps.ts';
import { moments, openScene, type Scene } from './support/scenes.ts';
import { closeStatus, endOf, runExists, statusWhere, until } from './support/waiting.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({});
});
afterAll(() => scene.close());

/** Starts a run as another service would, with nothing but a Temporal client. */
async function startDirectly(input: unknown): Promise<string> {
  const workflowId = `direct-${randomUUID()}`;
  await scene.product.temporal.workflow.start('report', { workflowId, taskQueue: scene.product.taskQueue, args: [input] });
  return workflowId;
}

const handleOf = (id: string) => scene.product.temporal.workflow.getHandle(id);
const message = { requestId: 'ticket-7', by: 'billing', reason: 'wrong month' };

/** In how many transactions the ledger of a report was written. */
async function transactionsOf(id: string): Promise<number[]> {
  const counts: number[] = [];
  await asAdmin(async (admin) => {
    const { rows } = await admin.query('select count(distinct xmin::text)::integer as count from ledger where report_id = $1', [id]);
    counts.push(...rows.map(({ count }) => count));
  }, scene.product.databaseUrl);
  return counts;
}

describe('a running report', () => {
  test('is cancelled by a signal, whose sender is told in the receipt', async () => {
    const id = await moments.summarising(scene);
    await handleOf(id).signal('cancelReport', message);
    const status = await endOf(scene.product, id);
    expect(status).toMatchObject({ phase: 'cancelled', cancelRequest: { ...message, door: 'signal', effect: 'prevented' } });
    expect(await closeStatus(scene.product, id)).toBe('CANCELLED');
  });

  test('is cancelled by an update, which answers the one receipt', async () => {
    const id = await moments.summarising(scene);
    const first = await handleOf(id).executeUpdate('requestCancel', { args: [message] });
    const status = await endOf(scene.product, id);
    expect(first).toMatchObject({ ...message, door: 'update', receiptId: status.cancelRequest?.receiptId });
    expect(status.cancelRequest).toMatchObject({ ...message, effect: 'prevented' });
    expect(await closeStatus(scene.product, id)).toBe('CANCELLED');
  });

  test('answers two updates at once with one receipt', async () => {
    const id = await moments.summarising(scene);
    const ask = (requestId: string) => handleOf(id).executeUpdate<Receipt, [object]>('requestCancel', { args: [{ requestId }] });
    const receipts = await Promise.all([ask('one'), ask('two')]);
    const { cancelRequest } = await endOf(scene.product, id);
    expect(receipts.map(({ receiptId, requestId }) => ({ receiptId, requestId }))).toEqual(
      Array.from({ length: 2 }, () => ({ receiptId: cancelRequest?.receiptId, requestId: cancelRequest?.requestId })),
    );
  });

  test.each([undefined, null, 'text', 7, [], { requestId: 7, by: null }, { by: 'a\u0000b' }, { requestId: '\ud800', reason: '\udfff' }])('is cancelled by a signal that carries %j', async (odd) => {
    const id = await moments.summarising(scene);
    await handleOf(id).signal('cancelReport', odd);
    expect((await endOf(scene.product, id)).phase).toBe('cancelled');
  });
});

describe('a run started straight through a Temporal client', () => {
  test('registers itself, and finishes like any other', async () => {
    const id = await startDirectly({ month: '2025-07', sources: inputOf().sources, recipients: ['direct@example.com'] });
    await until(() => scene.product.reports.status(id), 'the run to register itself');
    const status = await endOf(scene.product, id);
    expect(status).toMatchObject({ headline: 'Finished. Report saved; email accepted by the mail service', requestedBy: 'temporal' });
    expect(await closeStatus(scene.product, id)).toBe('COMPLETED');
  });

  test('that is cancelled before it was ever registered is registered with its cancel, in one transaction', async () => {
    await scene.product.stopWorker();
    const id = await startDirectly(inputOf());
    await handleOf(id).cancel();
    expect(await scene.product.reports.status(id)).toBeNull();
    await scene.product.startWorker();
    expect(await closeStatus(scene.product, id)).toBe('CANCELLED');
    expect(await endOf(scene.product, id)).toMatchObject({ headline: 'Cancelled before anything started', cancelRequest: { door: 'workflow' } });
    expect(await transactionsOf(id)).toEqual([1]);
  });

  test.each([{}, { month: 'July' }, inputOf({ recipients: ['a@example.com, b@example.com'] }), 'text', null])('with the wrong input %j fails and leaves no row', async (wrong) => {
    const id = await startDirectly(wrong);
    expect(await closeStatus(scene.product, id)).toBe('FAILED');
    expect(await scene.product.reports.status(id)).toBeNull();
  });
});

test('a run that we started, whose row is missing, fails and adopts nothing', async () => {
  const id = await startDirectly({ reportId: 'somewhere else' });
  expect(await closeStatus(scene.product, id)).toBe('FAILED');
  await expect(handleOf(id).result()).rejects.toMatchObject({ cause: { cause: { type: 'UnknownReport' } } });
  expect(await scene.product.reports.status(id)).toBeNull();
});

test('a cancel of which the workers were never notified reaches them by the heartbeat', async () => {
  const deaf = await openScene({ pushes: false });
  const id = await moments.summarising(deaf);
  await deaf.product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
  const { operations } = await endOf(deaf.product, id);
  await deaf.close();
  expect(operations.at(-1)).toMatchObject({ state: 'stopped', toldBy: 'temporal' });
});

test('a cancel is pushed to the process that runs the operation', async () => {
  const id = await moments.summarising(scene);
  await scene.product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
  const { operations } = await endOf(scene.product, id);
  expect(operations.at(-1)).toMatchObject({ state: 'stopped', toldBy: 'push' });
});

test('an operation whose worker has vanished is recorded as lost by its deadline, and the cancelled report ends', async () => {
  const alone = await openScene({ works: false });
  const id = await moments.queued(alone);
  await runExists(alone.product, id);
  await alone.product.store.decisions.begin(id, { operation: 'orphan', step: 'collect', owner: 'gone/1', holder: 'gone', deadlineMs: 1500 });
  const answer = await alone.product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
  expect(answer?.report).toMatchObject({ stopping: true, headline: 'Stopping… waiting for the collection to return', waitingFor: [{ id: 'orphan', holder: 'gone' }] });
  const status = await statusWhere(alone.product, id, ({ phase }) => phase === 'cancelled', 'the deadline to end it');
  await alone.close();
  expect(status.headline).toBe('Cancelled. No report was saved and no email was sent; 1 operation was lost and may still be running unheard');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CancelAnswer } from '../client/reports.ts';
import type { Status } from '../workflows/contract/status.ts';
import { registerReport, throughSave } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** A report whose collection runs. */
async function collecting(id: string): Promise<void> {
  await registerReport(api.store, id);
  await api.store.decisions.begin(id, { operation: `collection of ${id}`, step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
}

async function cancel(id: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<{ status: number } & CancelAnswer> {
  const response = await api.post(`/api/reports/${id}/cancel`, body, headers);
  return { status: response.status, ...(await bodyOf<CancelAnswer>(response)) };
}

test('a cancel of a running report is answered 202 with the receipt, and 200 with the same one once it has ended', async () => {
  await collecting('running');
  const accepted = await cancel('running', { reason: 'wrong month' });
  expect(accepted).toMatchObject({ status: 202, receipt: { door: 'http', by: 'api', reason: 'wrong month', effect: 'pending', prevented: null }, report: { stopping: true, phase: 'collecting' } });
  expect(accepted.report.cancelRequest).toEqual(accepted.receipt);
  await api.store.decisions.end('running', { operation: 'collection of running', account: { kind: 'stopped' }, toldMsAgo: 5, toldBy: 'push', draft: null });
  const repeated = await cancel('running', { reason: 'another reason' });
  const prevented = { save: true, emails: 1, furtherAttempts: 0 };
  expect(repeated).toMatchObject({ status: 200, receipt: { ...accepted.receipt, effect: 'prevented', prevented }, report: { phase: 'cancelled', stopping: false } });
});

test('a cancel of a report that waits ends it at once', async () => {
  await registerReport(api.store, 'waiting');
  expect(await cancel('waiting')).toMatchObject({ status: 200, receipt: { effect: 'prevented' }, report: { headline: 'Cancelled before anything started' } });
});

test('a first cancel of a report that has ended is answered 200, too late', async () => {
  await registerReport(api.store, 'failed');
  await api.store.decisions.loseWorkflow('failed', 'workflow_refused');
  expect(await cancel('failed')).toMatchObject({ status: 200, receipt: { effect: 'too_late', prevented: null }, report: { phase: 'failed' } });
});

test('twenty cancels at once get one receipt', async () => {
  await throughSave(api.store, 'at-once');
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => cancel('at-once', { reason: `press ${index}` })));
  expect(new Set(answers.map(({ receipt }) => receipt.receiptId)).size).toBe(1);
  const { entries } = await bodyOf<{ entries: { kind: string }[] }>(await api.get('/api/reports/at-once/ledger'));
  expect(entries.filter(({ kind }) => kind === 'cancel_accepted')).toHaveLength(1);
});

test.each([
  ['the key as the id of the request', 'keyed', {}, { 'Idempotency-Key': 'my press' }, { requestId: 'my press' }],
  ['the page as its door', 'from-page', {}, { 'X-Standdown-Door': 'page' }, { door: 'page', by: 'page' }],
  ['HTTP as its door, whatever else is claimed', 'claims', {}, { 'X-Standdown-Door': 'workflow' }, { door: 'http', by: 'api' }],
  ['no reason where it is null', 'null', { reason: null }, {}, { reason: null }],
  ['no reason where it is blank', 'blank', { reason: '  ' }, {}, { reason: null }],
  ['a reason of 2000 characters', 'long', { reason: 'é'.repeat(2000) }, {}, { reason: 'é'.repeat(2000) }],
])('a receipt has %s', async (_, id, body, headers, receipt) => {
  await registerReport(api.store, id);
  expect(await cancel(id, body, headers)).toMatchObject({ receipt });
});

test.each([
  ['no body and no content type', {}],
  ['no body and the content type of a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ["the page's own origin", { Origin: 'http://standdown.test' }],
  ['the origin that the request was sent to', { Origin: 'http://localhost' }],
])('a cancel with %s is accepted', async (title, headers) => {
  const id = title.replace(/\W+/g, '-');
  await registerReport(api.store, id);
  const response = await api.app.request(`/api/reports/${id}/cancel`, { method: 'POST', headers });
  expect(response.status).toBe(200);
  expect(await bodyOf<Status>(await api.get(`/api/reports/${id}`))).toMatchObject({ phase: 'cancelled' });
});

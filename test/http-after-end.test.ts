import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemDocument } from '../client/http/problem.ts';
import type { Status } from '../workflows/contract/status.ts';
import { asAdmin } from './support/database.ts';
import { oneOfEach } from './support/lives-in-store.ts';
import { claimOf, registerReport, throughSave, throughWork } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
  await oneOfEach(api.store);
  await throughSave(api.store, 'cancelled-saved');
  await api.post('/api/reports/cancelled-saved/cancel', {});
});
afterAll(() => api.close());

interface Asked {
  readonly method: 'DELETE' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const deleting: Asked = { method: 'DELETE', path: '/document' };
const correcting = (message: string): Asked => ({ method: 'POST', path: '/corrections', body: { message } });
const resending = (email: string, acceptDuplicateRisk?: boolean): Asked => ({
  ...{ method: 'POST', path: `/emails/${email}/resend` },
  ...(acceptDuplicateRisk === undefined ? {} : { body: { acceptDuplicateRisk } }),
});

function ask(id: string, { method, path, body }: Asked, key: string = randomUUID(), headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const init = { method, body: body === undefined ? null : JSON.stringify(body), headers: { ...type, 'Idempotency-Key': key, ...headers } };
  return Promise.resolve(api.app.request(`/api/reports/${id}${path}`, init));
}

type Ending = 'accepted' | 'unknown' | 'refused';

/** A finished report whose emails have these outcomes. */
async function endedWith(...outcomes: readonly Ending[]): Promise<string> {
  const id = `ended-${randomUUID()}`;
  await registerReport(api.store, id, { recipients: outcomes.map((outcome, index) => `${outcome}${index}@example.com`) });
  await throughWork(api.store, id);
  await api.store.decisions.save(id, 'text', 'hash');
  for (const [index, outcome] of outcomes.entries()) {
    const email = `report-${index + 1}`;
    const hash = `hash of ${email}`;
    const claim = claimOf(email, { hash, message: { raw: Buffer.from(email), sha256: hash, messageId: `<${email}@test>` } });
    await api.store.decisions.claim(id, claim);
    await api.store.decisions.outcome(id, { email, attempt: claim.attempt, outcome, permanent: outcome === 'refused', phase: 'data', code: null });
  }
  return id;
}

async function written(id: string, kind: string): Promise<Readonly<Record<string, unknown>>[]> {
  const { entries } = await bodyOf<{ entries: Readonly<Record<string, unknown>>[] }>(await api.get(`/api/reports/${id}/ledger`));
  return entries.filter((entry) => entry['kind'] === kind);
}

async function whoAsked(id: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  await asAdmin(async (admin) => {
    const { rows } = await admin.query('select request, requested_by as by from action_requests where report_id = $1 order by request', [id]);
    found.push(...rows);
  }, api.url);
  return found;
}

describe('at an end', () => {
  test('a saved report is deleted: 200 with the status that says so', async () => {
    const id = await endedWith('accepted');
    const response = await ask(id, deleting);
    expect(response.status).toBe(200);
    expect(await bodyOf(response)).toMatchObject({ headline: 'Finished. Report saved and deleted since; email accepted by the mail service', document: { state: 'deleted', url: null } });
    expect((await api.get(`/api/reports/${id}/document`)).status).toBe(410);
  });

  test('a correction is ordered: 202 with the status that holds its words and its emails', async () => {
    const id = await endedWith('unknown');
    const response = await ask(id, correcting('  The budget is\r\n12,000.\n'));
    expect(response.status).toBe(202);
    expect(await bodyOf(response)).toMatchObject({
      headline: 'Finished. Report saved; email outcome unconfirmed; 1 correction ordered: email not started',
      corrections: [{ number: 1, message: 'The budget is\n12,000.' }],
      emails: [{ id: 'report-1' }, { id: 'correction-1-1', state: 'not_started' }],
    });
  });

  test.each([
    ['refused', resending('report-1')],
    ['refused', resending('report-1', false)],
    ['unknown', resending('report-1', true)],
  ] as const)('an email whose outcome is %s is sent again as asked for: 202', async (outcome, asked) => {
    const id = await endedWith(outcome);
    const response = await ask(id, asked);
    expect(response.status).toBe(202);
    expect(await bodyOf(response)).toMatchObject({ id, phase: 'finished' });
    expect(await written(id, 'resend_authorised')).toMatchObject([{ email: 'report-1', resend: 1 }]);
  });

  test.each([
    ['the API', {}, 'api'],
    ['the page', { 'X-Standdown-Door': 'page' }, 'page'],
  ])('%s is noted as who asked', async (_, headers, by) => {
    const id = await endedWith('accepted');
    await ask(id, correcting('words'), 'a key', headers);
    await ask(id, deleting, 'another key', headers);
    expect(await whoAsked(id)).toEqual([{ request: 'a key', by }, { request: 'another key', by }]);
  });
});

describe('what is not possible is refused with 409, and why', () => {
  test.each([
    ['deleting', 'queued', deleting, 'not-ended', 'The report: Queued.'],
    ['correcting', 'queued', correcting('words'), 'not-ended', 'The report: Queued.'],
    ['resending', 'queued', resending('report-1'), 'not-ended', 'The report: Queued.'],
    ['deleting', 'cancelled', deleting, 'no-document', 'Nothing was done.'],
    ['correcting', 'cancelled', correcting('words'), 'nobody-to-correct', 'Nothing was done.'],
    ['correcting', 'refused', correcting('words'), 'nobody-to-correct', 'Nothing was done.'],
    ['resending', 'cancelled-saved', resending('report-1', true), 'cancelled', 'one that supersedes it does'],
    ['resending', 'failed', resending('report-1', true), 'no-document', 'Nothing was done.'],
    ['resending', 'finished', resending('report-1', true), 'email-accepted', 'Nothing was done.'],
    ['resending', 'unconfirmed', resending('report-1'), 'risk-not-accepted', 'With acceptDuplicateRisk'],
    ['resending', 'unconfirmed', resending('report-1', false), 'risk-not-accepted', 'may arrive twice'],
  ])('%s a report that is %s (%o): %s', async (_, id, asked, kind, says) => {
    const before = await (await api.get(`/api/reports/${id}`)).text();
    const response = await ask(id, asked);
    expect({ status: response.status, type: response.headers.get('Content-Type') }).toEqual({ status: 409, type: 'application/problem+json' });
    expect(await bodyOf<ProblemDocument>(response)).toMatchObject({ type: `urn:standdown:problem:${kind}`, status: 409, detail: expect.stringContaining(says), errors: [] });
    expect(await (await api.get(`/api/reports/${id}`)).text()).toBe(before);
  });

  test('resending what was deleted', async () => {
    const id = await endedWith('refused');
    await ask(id, deleting);
    const response = await ask(id, resending('report-1'));
    expect([response.status, (await bodyOf<ProblemDocument>(response)).type]).toEqual([409, 'urn:standdown:problem:document-deleted']);
  });

  test('resending what a later report supersedes', async () => {
    const id = await endedWith('refused');
    await api.start(`successor of ${id}`, { supersedes: id });
    const response = await ask(id, resending('report-1'));
    expect([response.status, (await bodyOf<ProblemDocument>(response)).type]).toEqual([409, 'urn:standdown:problem:already-superseded']);
  });
});

test.each([
  ['deleting an unknown report', 'nobody', deleting, 'unknown-report'],
  ['correcting an unknown report', 'nobody', correcting('words'), 'unknown-report'],
  ['resending of an unknown report', 'nobody', resending('report-1'), 'unknown-report'],
  ['resending to a recipient too many', 'refused', resending('report-2'), 'unknown-email'],
  ['resending of a correction that nobody ordered', 'refused', resending('correction-1-1'), 'unknown-email'],
  ['resending of what is no id', 'refused', resending('a%00b'), 'unknown-email'],
])('%s is answered 404', async (_, id, asked, kind) => {
  const response = await ask(id, asked);
  expect([response.status, (await bodyOf<ProblemDocument>(response)).type]).toEqual([404, `urn:standdown:problem:${kind}`]);
});

describe('under the same key', () => {
  test.each([
    ['deleting', 'accepted', deleting, 'document_deleted', 200],
    ['correcting', 'accepted', correcting('words'), 'correction_ordered', 202],
    ['resending', 'refused', resending('report-1'), 'resend_authorised', 202],
    ['resending at the risk', 'unknown', resending('report-1', true), 'resend_authorised', 202],
  ] as const)('%s, ten times at once and once more, is done once and answered alike', async (_, outcome, asked, kind, status) => {
    const id = await endedWith(outcome);
    const responses = await Promise.all(Array.from({ length: 10 }, () => ask(id, asked, 'one key')));
    const last = await ask(id, asked, 'one key');
    expect([...responses, last].map((response) => response.status)).toEqual(Array.from({ length: 11 }, () => status));
    expect(new Set(await Promise.all([...responses, last].map((response) => response.text()))).size).toBe(1);
    expect(await written(id, kind)).toHaveLength(1);
  });

  test('a correction is ordered a second time under another key', async () => {
    const id = await endedWith('accepted');
    await ask(id, correcting('words'), 'one');
    expect(await bodyOf<Status>(await ask(id, correcting('words'), 'two'))).toMatchObject({ corrections: [{ number: 1 }, { number: 2 }] });
  });

  test.each([
    ['a correction after a deletion', deleting, correcting('words')],
    ['a deletion after a correction', correcting('words'), deleting],
    ['other words', correcting('words'), correcting('other words')],
    ['another email', resending('report-2'), resending('report-1')],
  ])('%s is refused, and what was asked for first stands alone', async (_, first, second) => {
    const id = await endedWith('refused', 'refused', 'accepted');
    expect((await ask(id, first, 'one key')).ok).toBe(true);
    const before = await (await api.get(`/api/reports/${id}`)).text();
    const response = await ask(id, second, 'one key');
    expect([response.status, (await bodyOf<ProblemDocument>(response)).type]).toEqual([409, 'urn:standdown:problem:request-reused']);
    expect(await (await api.get(`/api/reports/${id}`)).text()).toBe(before);
  });
});

test.each([
  [['refused'], '1 recipient would be mailed, none of whom this report has mailed.'],
  [['accepted'], "The one recipient may have this report's email already: a report that supersedes this one mails nobody; any other new one mails that one again."],
  [['accepted', 'unknown'], "All 2 recipients may have this report's email already: a report that supersedes this one mails nobody; any other new one mails all 2."],
  [['accepted', 'refused'], "1 recipient may have this report's email already: a report that supersedes this one mails only the other 1; any other new one mails all 2."],
] as const)('the status of a report whose emails are %j says whom another start would mail', async (outcomes, says) => {
  const { ifStartedAgain } = await bodyOf<Status>(await api.get(`/api/reports/${await endedWith(...outcomes)}`));
  expect(ifStartedAgain).toBe(`A second report would stand beside the saved one. ${says}`);
});

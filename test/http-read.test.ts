import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listed } from '../store/reading.ts';
import type { EmailStatus, Status } from '../workflows/contract/status.ts';
import { registerReport, throughSave } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;
const markdown = { Accept: 'text/markdown' };
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

beforeAll(async () => {
  api = await openApi({ temporalState: async () => 'unreachable' });
  for (let number = 1; number <= 5; number += 1) await registerReport(api.store, `queued-${number}`);
  await registerReport(api.store, 'cancelled');
  await api.post('/api/reports/cancelled/cancel', {});
  await registerReport(api.store, 'many', { recipients: Array.from({ length: 150 }, (_, index) => `reader${index + 1}@example.com`) });
  await throughSave(api.store, 'saved');
  await throughSave(api.store, 'deleted');
  await api.post('/api/reports/deleted/cancel', {});
  await api.store.decisions.deleteDocument('deleted', { request: 'away with it', by: null });
});
afterAll(() => api.close());

interface ListPage {
  readonly reports: readonly Listed[];
  readonly nextCursor: string | null;
}

async function idsOf(query: string): Promise<{ ids: string[]; nextCursor: string | null }> {
  const { reports, nextCursor } = await bodyOf<ListPage>(await api.get(`/api/reports${query}`));
  return { ids: reports.map(({ id }) => id), nextCursor };
}

describe('the list', () => {
  test('is the newest first, a page at a time, each report once', async () => {
    const first = await idsOf('?limit=4');
    const second = await idsOf(`?limit=4&cursor=${first.nextCursor}`);
    const third = await idsOf(`?limit=4&cursor=${second.nextCursor}`);
    expect([first.ids, second.ids, third.ids]).toEqual([
      ['deleted', 'saved', 'many', 'cancelled'],
      ['queued-5', 'queued-4', 'queued-3', 'queued-2'],
      ['queued-1'],
    ]);
    expect(third.nextCursor).toBeNull();
  });

  test('of one phase holds no other', async () => {
    expect(await idsOf('?phase=cancelled')).toEqual({ ids: ['deleted', 'cancelled'], nextCursor: null });
    expect(await idsOf('?phase=finished')).toEqual({ ids: [], nextCursor: null });
  });
});

test('all emails are read a page at a time, in the order of the recipients', async () => {
  const pageOf = async (query: string): Promise<{ emails: readonly EmailStatus[]; nextCursor: string | null }> => bodyOf(await api.get(`/api/reports/many/emails${query}`));
  const first = await pageOf('');
  const second = await pageOf(`?cursor=${first.nextCursor}`);
  expect([first.emails.length, second.emails.length, second.nextCursor]).toEqual([100, 50, null]);
  expect([...first.emails, ...second.emails].map(({ recipient }) => recipient)).toEqual(Array.from({ length: 150 }, (_, index) => `reader${index + 1}@example.com`));
  const status = await bodyOf<Status>(await api.get('/api/reports/many'));
  expect(status.emails).toEqual(first.emails);
  expect(status.emailCounts).toEqual({ not_started: 150 });
});

test('the ledger is every entry from 1 on, without a gap', async () => {
  const { entries } = await bodyOf<{ entries: { sequence: number; kind: string }[] }>(await api.get('/api/reports/cancelled/ledger'));
  expect(entries.map(({ sequence, kind }) => `${sequence} ${kind}`)).toEqual(['1 registered', '2 cancel_accepted', '3 concluded']);
});

describe('the document', () => {
  test.each([
    ['Markdown where nothing is asked for', {}, 200, 'text/markdown; charset=utf-8', /^text$/],
    ['Markdown where anything will do', { Accept: '*/*' }, 200, 'text/markdown; charset=utf-8', /^text$/],
    ['Markdown where it is liked better', { Accept: 'text/html;q=0.5, text/markdown' }, 200, 'text/markdown; charset=utf-8', /^text$/],
    ['Markdown where the wish cannot be read', { Accept: ';;q=,/' }, 200, 'text/markdown; charset=utf-8', /^text$/],
    ['a page in a browser', browser, 200, 'text/html; charset=UTF-8', /<article><p>text<\/p><\/article>/],
  ])('is %s', async (_, headers, status, type, text) => {
    const response = await api.get('/api/reports/saved/document', headers);
    expect({ status: response.status, type: response.headers.get('Content-Type'), vary: response.headers.get('Vary') }).toEqual({ status, type, vary: 'Accept' });
    expect(await response.text()).toMatch(text);
  });

  test.each([
    ['deleted', markdown, 410, /"type":"urn:standdown:problem:deleted"/],
    ['deleted', browser, 410, /This report has been deleted/],
    ['cancelled', markdown, 404, /"type":"urn:standdown:problem:not-saved".*Cancelled before anything started/],
    ['cancelled', browser, 404, /It was cancelled before it was saved/],
  ])('of the %s report, asked for with %o, is answered %i', async (id, headers, status, text) => {
    const response = await api.get(`/api/reports/${id}/document`, headers);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
  });
});

describe('the page of the document', () => {
  test.each([
    ['saved', 200, /<article><p>text<\/p><\/article>/],
    ['deleted', 410, /This report has been deleted/],
    ['cancelled', 404, /It was cancelled before it was saved/],
    ['queued-1', 404, /It is not finished yet/],
    ['nobody', 404, /There is no such report/],
  ])('of the %s report is answered %i', async (id, status, text) => {
    const response = await api.get(`/reports/${id}/document`, browser);
    expect({ status: response.status, type: response.headers.get('Content-Type') }).toEqual({ status, type: 'text/html; charset=UTF-8' });
    expect(await response.text()).toMatch(text);
  });

  test('is where the status says that the document is', async () => {
    const { document } = await bodyOf<Status>(await api.get('/api/reports/saved'));
    expect(document.url).toBe('/reports/saved/document');
  });
});

describe('an emailed link', () => {
  test.each([
    ['saved', 200, /<article><p>text<\/p><\/article>/],
    ['deleted', 410, /This report has been deleted.*July 2025/s],
    ['cancelled', 410, /This report was not saved.*It was cancelled before it was saved/s],
    ['queued-1', 410, /It is not finished yet/],
  ])('to the %s report is answered %i as a page that says why', async (id, status, text) => {
    const response = await api.get(api.linkTo(id));
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.headers.get('Content-Security-Policy')).toContain("script-src 'none'");
    expect(await response.text()).toMatch(text);
  });

  test.each([
    ['of another secret', '/r/WyJzYXZlZCIsInJlcG9ydC0xIiwxXQ.W0IIH63tQnNpe3WpdpF1Jg7rpGne7I54-jyB66dgYEI'],
    ['without a signature', '/r/WyJzYXZlZCIsInJlcG9ydC0xIiwxXQ'],
    ['that is nonsense', '/r/%00.%00.%ff'],
    ['that is endless', `/r/${'a'.repeat(10_000)}`],
  ])('%s is answered 404 as a page', async (_, path) => {
    const response = await api.get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('This link leads nowhere');
  });

  test('tells nothing of other recipients, of who cancelled, or why', async () => {
    await registerReport(api.store, 'private', { recipients: ['reader@example.com', 'other@example.com'] });
    await api.post('/api/reports/private/cancel', { reason: 'a secret reason' });
    const page = await (await api.get(api.linkTo('private'))).text();
    expect(page).not.toMatch(/@example\.com|secret reason/);
  });

  test('changes nothing by being opened', async () => {
    const before = await (await api.get('/api/reports/saved')).text();
    await api.get(api.linkTo('saved'));
    await api.app.request(api.linkTo('saved'), { method: 'HEAD' });
    expect(await (await api.get('/api/reports/saved')).text()).toBe(before);
  });
});

test('being alive and being ready are answered 200, and Temporal being away is told', async () => {
  expect(await bodyOf(await api.get('/healthz'))).toEqual({ alive: true });
  const ready = await api.get('/readyz');
  expect(ready.status).toBe(200);
  expect(await bodyOf(ready)).toEqual({ ready: true, database: 'writable', temporal: 'unreachable' });
});

test.each(['/', '/reports/saved', '/api/reports', '/api/reports/nobody', '/nothing', '/page.js', '/openapi.json', '/healthz'])('%s is answered with headers that keep others out', async (path) => {
  const { headers } = await api.get(path);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Cache-Control')).toMatch(/^no-(store|cache)$/);
});

describe('with the database away', () => {
  let away: TestApi;
  beforeAll(async () => {
    away = await openApi({ databaseUrl: 'postgres://me:pw@127.0.0.1:9/x' });
  });
  afterAll(() => away.close());

  test.concurrent.each([
    ['the list', () => away.get('/api/reports')],
    ['a start', () => away.start('a key')],
    ['a cancel', () => away.post('/api/reports/any/cancel', {})],
    ['the events', () => away.get('/api/reports/any/events')],
  ])('%s is answered 503 with when to ask again', async (_, ask) => {
    const response = await ask();
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await bodyOf(response)).toMatchObject({ type: 'urn:standdown:problem:unavailable', status: 503 });
  });

  test.concurrent('a page is answered 503 as a page', async () => {
    const response = await away.get('/', browser);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('<h1>The database cannot be reached</h1>');
  });

  test.concurrent('it is alive, and not ready', async () => {
    expect((await away.get('/healthz')).status).toBe(200);
    const ready = await away.get('/readyz');
    expect(ready.status).toBe(503);
    expect(await bodyOf(ready)).toEqual({ ready: false, database: 'unavailable', temporal: 'unknown' });
  });
});

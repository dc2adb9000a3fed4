import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Status } from '../workflows/contract/status.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';
import { registerReport } from './support/steps.ts';

let api: TestApi;
const folder = { isThere: true };

beforeAll(async () => {
  api = await openApi({ inspectSources: async () => (folder.isThere ? [] : [{ field: 'sources[0]', says: 'cannot be collected: it does not exist' }]) });
});
afterAll(() => api.close());

async function idOf(response: Response): Promise<string> {
  return (await bodyOf<Status>(response)).id;
}

describe('a start', () => {
  test('is answered 201 with the status, and with where it is', async () => {
    const response = await api.start('first');
    const status = await bodyOf<Status>(response);
    expect(response.status).toBe(201);
    expect(response.headers.get('Location')).toBe(`/api/reports/${status.id}`);
    expect(status).toMatchObject({ month: '2025-07', phase: 'queued', headline: 'Queued', requestedBy: 'api', sequence: 1 });
    expect(await (await api.get(`/api/reports/${status.id}`)).json()).toEqual(status);
  });

  test('under the same key is answered 200 with the same report', async () => {
    const first = await api.start('again');
    const second = await api.start('again', { recipients: ['reader@example.com'] });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(await idOf(second)).toBe(await idOf(first));
  });

  test('under the same key with other input is refused, and starts nothing', async () => {
    await api.start('other');
    const before = await (await api.get('/api/reports?limit=100')).json();
    const response = await api.start('other', { month: '2025-08' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ type: 'urn:standdown:problem:different-input', status: 409 });
    expect(await (await api.get('/api/reports?limit=100')).json()).toEqual(before);
  });

  test('by the page has keys of its own', async () => {
    const [byProgram, byPage] = [await api.start('shared'), await api.start('shared', {}, { 'X-Standdown-Door': 'page' })];
    expect([byProgram.status, byPage.status]).toEqual([201, 201]);
    expect(await byPage.json()).toMatchObject({ requestedBy: 'page' });
  });

  test('sent ten times at once starts one report', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.start('at once')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(await Promise.all(responses.map(idOf))).size).toBe(1);
  });

  test('whose folder is not there is refused by the field, unless it repeats one from when it was', async () => {
    const first = await api.start('before');
    folder.isThere = false;
    const [repeated, late] = [await api.start('before'), await api.start('after')];
    folder.isThere = true;
    expect([first.status, repeated.status, late.status]).toEqual([201, 200, 400]);
    expect(await late.json()).toMatchObject({ errors: [{ field: 'sources[0]', says: 'cannot be collected: it does not exist' }] });
  });
});

describe('a start that supersedes', () => {
  test('an ended report is answered 201, and the two name each other', async () => {
    await registerReport(api.store, 'old');
    await api.post('/api/reports/old/cancel', {});
    const response = await api.start('successor', { supersedes: 'old' });
    const status = await bodyOf<Status>(response);
    expect(response.status).toBe(201);
    expect(status).toMatchObject({ supersedes: 'old' });
    expect(await (await api.get('/api/reports/old')).json()).toMatchObject({ supersededBy: status.id });
  });

  test.each([
    ['a report that nobody knows', 'nobody', 'nothing-to-supersede', [{ field: 'supersedes', says: 'must be the id of a report that exists' }]],
    ['a report that has not ended', 'running', 'not-ended', []],
    ['a report that has a successor', 'taken', 'already-superseded', []],
  ])('%s is refused with 409', async (_, supersedes, kind, errors) => {
    await registerReport(api.store, 'running');
    await registerReport(api.store, 'taken');
    await api.post('/api/reports/taken/cancel', {});
    await api.start('takes it', { supersedes: 'taken' });
    const response = await api.start(`wants ${supersedes}`, { supersedes });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ type: `urn:standdown:problem:${kind}`, errors });
  });
});

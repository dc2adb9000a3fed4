import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Serving } from '../client/http/serving.ts';
import { openEvents } from './support/event-stream.ts';
import { nobodyLooks, reportsAreLookedFor } from './support/looks.ts';
import { registerReport } from './support/steps.ts';
import { openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;
let serving: Serving;

beforeAll(async () => {
  api = await openApi({ commentEveryMs: 100 });
  serving = await serve(api.app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await serving.close();
  await api.close();
});

const urlOf = (id: string): string => `http://127.0.0.1:${serving.port}/api/reports/${id}/events`;

async function begin(id: string): Promise<void> {
  await api.store.decisions.begin(id, { operation: `collection of ${id}`, step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
}

test('the current status comes first, then one at each change, to the end and beyond', async () => {
  await registerReport(api.store, 'watched');
  const stream = await openEvents(urlOf('watched'));
  expect(stream.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const [first] = await stream.events(1);
  expect(first).toMatchObject({ name: 'status', id: '1', status: { id: 'watched', phase: 'queued', sequence: 1 } });
  await begin('watched');
  await stream.events(2);
  await api.post('/api/reports/watched/cancel', {});
  await stream.events(3);
  await api.store.decisions.end('watched', { operation: 'collection of watched', account: { kind: 'stopped' }, toldMsAgo: null, toldBy: 'push', draft: null });
  const events = await stream.events(4);
  expect(events.map(({ id, status }) => `${id} ${status.headline}`)).toEqual([
    '1 Queued',
    '2 Collecting documents',
    '3 Stopping… waiting for the collection to return',
    '5 Cancelled. No report was saved and no email was sent',
  ]);
  await stream.receives(': still here\n\n');
  await api.start('supersedes it', { supersedes: 'watched' });
  expect((await stream.events(5)).at(-1)?.status.supersededBy).toEqual(expect.any(String));
  stream.leave();
});

test('a reader that comes again is not sent the status it has', async () => {
  await registerReport(api.store, 'known');
  const stream = await openEvents(urlOf('known'), { 'Last-Event-ID': '1' });
  await stream.receives(': still here\n\n');
  await begin('known');
  expect((await stream.events(1)).map(({ id }) => id)).toEqual(['2']);
  stream.leave();
});

test.each([
  ['an older one', '1'],
  ['one that never was', '99'],
  ['no number', 'nonsense'],
])('a reader that names %s as its last event gets the current status', async (title, last) => {
  const id = title.replaceAll(' ', '-');
  await registerReport(api.store, id);
  await begin(id);
  const stream = await openEvents(urlOf(id), { 'Last-Event-ID': last });
  expect((await stream.events(1)).map((event) => event.id)).toEqual(['2']);
  stream.leave();
});

test('nothing is looked for any more when the last reader has left, or has only asked for the head', async () => {
  await registerReport(api.store, 'left');
  const streams = await Promise.all([openEvents(urlOf('left')), openEvents(urlOf('left'))]);
  await Promise.all(streams.map((stream) => stream.events(1)));
  await reportsAreLookedFor(api.url);
  streams.forEach((stream) => stream.leave());
  const { headers } = await fetch(urlOf('left'), { method: 'HEAD' });
  expect(headers.get('Content-Type')).toBe('text/event-stream');
  expect(await nobodyLooks(api.url)).toBe(true);
});

test('a process that stops ends its streams and takes no further connection', async () => {
  const stopping = new AbortController();
  const other = await openApi({ databaseUrl: api.url, stopping: stopping.signal });
  const server = await serve(other.app, { host: '127.0.0.1', port: 0 });
  await registerReport(api.store, 'stops');
  const url = `http://127.0.0.1:${server.port}/api/reports/stops/events`;
  const stream = await openEvents(url);
  await stream.events(1);
  stopping.abort();
  await stream.ended;
  await server.close();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  await other.close();
});

test.each([
  ['NUL in a header', 'GET /api/reports HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\0b\r\n\r\n', '400'],
  ['NUL in the path', 'GET /api/reports/a\0b HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
  ['a method of no protocol', 'BREW /api/reports HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
  ['TRACE', 'TRACE /api/reports HTTP/1.1\r\nHost: x\r\n\r\n', '405'],
  ['PROPFIND', 'PROPFIND /api/reports HTTP/1.1\r\nHost: x\r\n\r\n', '405'],
  ['a host that is none', 'GET /api/reports HTTP/1.1\r\nHost: a b/c?d#e@f\r\n\r\n', '400'],
  ['a path that is none', 'GET /\\..\\x HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
  ['a body that is announced too long', 'POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{', '413'],
  ['a body in chunks that are none', 'POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
  ['headers over all bounds', `GET /api/reports HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, '431'],
])('%s on the wire is refused, and never as a fault of the server', async (_, sent, status) => {
  const socket = connect(serving.port, '127.0.0.1');
  socket.on('error', () => undefined); // A server that refuses may not wait for the rest.
  socket.write(sent, 'latin1');
  const [answer]: Buffer[] = await once(socket, 'data');
  socket.destroy();
  expect(answer?.toString('latin1')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

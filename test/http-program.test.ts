import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import type { ProblemDocument } from '../client/http/problem.ts';
import type { Status } from '../workflows/contract/status.ts';
import { freePort } from '../stack/ports.ts';
import { runApi, type ApiProgram } from './support/api-program.ts';
import { freshDatabase } from './support/database.ts';
import { openEvents } from './support/event-stream.ts';
import { inputOf } from './support/steps.ts';
import { bodyOf } from './support/test-api.ts';
import { until } from './support/waiting.ts';

const secret = 'a secret for tests only';
let settings: Record<string, string>;
let root: string;
let api: ApiProgram;
let address: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'standdown-http-'));
  await mkdir(join(root, 'minutes/2025-07'), { recursive: true });
  await mkdir(join(root, 'empty'));
  await writeFile(join(root, 'minutes/2025-07/a.md'), '# A meeting');
  const { url } = await freshDatabase();
  settings = { DATABASE_URL: url, STANDDOWN_SECRET: secret, DOCUMENTS_ROOT: root, TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_TASK_QUEUE: `nobody-works-${process.pid}` };
  api = runApi(settings);
  address = await api.address();
});
afterAll(() => rm(root, { recursive: true }));

function start(key: string, path: string, to = address): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return fetch(`${to}/api/reports`, { method: 'POST', headers, body: JSON.stringify(inputOf({ sources: [{ kind: 'folder', path }] })) });
}

test('is ready with Temporal, and says so', async () => {
  expect(await bodyOf(await fetch(`${address}/readyz`))).toEqual({ ready: true, database: 'writable', temporal: 'reachable' });
});

test('brings a start to Temporal by itself', async () => {
  const { id } = await bodyOf<Status>(await start('forwarded', 'minutes/{month}'));
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const handle = new Client({ connection }).workflow.getHandle(id);
  const { type } = await until(() => handle.describe().catch(() => null), 'the run to exist');
  expect(type).toBe('report');
  await handle.terminate('the test is over');
  await connection.close();
});

test.each([
  ['a folder that is not there', 'minutes/1999-{month}', 'it does not exist'],
  ['an empty folder', 'empty', 'it holds no document'],
  ['a file', 'minutes/{month}/a.md', 'it is not a folder'],
])('a start with %s is refused by the field', async (_, path, why) => {
  const response = await start(`wrong ${path}`, path);
  expect(response.status).toBe(400);
  expect((await bodyOf<ProblemDocument>(response)).errors).toEqual([{ field: 'sources[0]', says: `cannot be collected: ${why}` }]);
});

describe('another process', () => {
  test('without the documents folder on its machine accepts, and without Temporal is ready', async () => {
    const other = runApi({ ...settings, DOCUMENTS_ROOT: join(root, 'not-here'), TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`, SWEEP_EVERY_MS: '600000' });
    const to = await other.address();
    expect((await start('elsewhere', 'minutes/{month}', to)).status).toBe(201);
    expect(await bodyOf(await fetch(`${to}/readyz`))).toEqual({ ready: true, database: 'writable', temporal: 'unreachable' });
    other.signal('SIGINT');
    expect(await other.ended).toMatchObject({ exit: 0 });
  });

  test('on a port that is taken says so and exits with 4', async () => {
    const { exit, stderr } = await runApi({ ...settings, PORT: new URL(address).port }).ended;
    expect({ exit, stderr }).toEqual({ exit: 4, stderr: 'standdown API: the port is taken; choose another with PORT\n' });
  });

  test.each([
    ['without a database', { DATABASE_URL: '' }, 2, 'DATABASE_URL is required here'],
    ['without a secret', { STANDDOWN_SECRET: '' }, 2, 'STANDDOWN_SECRET is required where DATABASE_URL is set'],
    ['with a port that is none', { PORT: 'http' }, 2, 'PORT has to be a port number from 0 to 65535'],
    ['with a database that is away', { DATABASE_URL: 'postgres://me:pw@127.0.0.1:9/x' }, 4, 'nothing answers at DATABASE_URL'],
  ])('%s says so and exits', async (_, wrong, exit, says) => {
    expect(await runApi({ ...settings, ...wrong }).ended).toEqual({ exit, stderr: expect.stringContaining(says) });
  });
});

test('on SIGTERM it ends its streams and exits with 0', async () => {
  const { id } = await bodyOf<Status>(await start('streamed', 'minutes/{month}'));
  const stream = await openEvents(`${address}/api/reports/${id}/events`);
  await stream.events(1);
  api.signal('SIGTERM');
  await stream.ended;
  expect(await api.ended).toEqual({ exit: 0, stderr: '' });
});

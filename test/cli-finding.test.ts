import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../stack/ports.ts';
import { openStore, type Store } from '../store/store.ts';
import { runCommand, wordsOf, type Ended } from './support/command-line.ts';
import { asAdmin, freshDatabase } from './support/database.ts';
import { mail } from './support/lives-in-store.ts';
import { throughSave } from './support/steps.ts';

const secret = 'a secret for tests only';
const start = 'start --month 2025-07 --source minutes/{month} --to a@example.com --json';
const made: { url: string; folder: string; nobody: string; stranger?: Server; strangersUrl: string; store?: Store } = { url: '', folder: '', nobody: '', strangersUrl: '' };

beforeAll(async () => {
  const { url } = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'standdown-cli-'));
  const nobody = `127.0.0.1:${await freePort()}`;
  const stranger = createServer((_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>'));
  const strangersUrl = await addressOf(stranger);
  Object.assign(made, { url, folder, nobody, stranger, strangersUrl, store: openStore({ url, poolSize: 2 }) });
});

afterAll(async () => {
  made.stranger?.close();
  await made.store?.close();
  await rm(made.folder, { recursive: true });
});

describe('what it talks to', () => {
  test.each([
    ['an API that is away', () => ({ STANDDOWN_URL: `http://${made.nobody}` }), 4, 'Nothing answers at http://127.0.0.1:'],
    ['something else at the address of the API', () => ({ STANDDOWN_URL: made.strangersUrl }), 1, 'is not Standdown'],
    ['a database that is away', () => ({ DATABASE_URL: `postgres://me:pw@${made.nobody}/x`, STANDDOWN_SECRET: secret }), 4, 'The database at DATABASE_URL cannot be reached.'],
    ['a database without a secret', () => ({ DATABASE_URL: made.url }), 2, 'STANDDOWN_SECRET is required where DATABASE_URL is set'],
    ['no running start command', () => ({ STANDDOWN_DATA: join(made.folder, 'none') }), 4, 'Standdown is not running here; `npm start` starts it.'],
    ['a wrong setting', () => ({ STANDDOWN_URL: 'nowhere' }), 2, 'STANDDOWN_URL has to be an http:// or https:// address'],
  ])('%s', async (_, settings, exit, says) => {
    expect(await runCommand(['list'], settings())).toEqual({ exit, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('the servers of a running start command, by its addresses.json', async () => {
    const data = await dataFolder({ DATABASE_URL: made.url, STANDDOWN_SECRET: secret });
    expect(await runCommand(['list', '--phase', 'saved'], { STANDDOWN_DATA: data })).toEqual({ exit: 0, stdout: 'No reports\n', stderr: '' });
  });

  test('nothing, where a start command was killed and left its addresses.json', async () => {
    const data = await dataFolder({ DATABASE_URL: `postgres://me:pw@${made.nobody}/x`, STANDDOWN_SECRET: secret });
    expect(await runCommand(['list'], { STANDDOWN_DATA: data })).toEqual({ exit: 4, stdout: '', stderr: expect.stringContaining('`npm start`') });
  });

  test('no database that nobody has set up', async () => {
    const name = `empty_${randomUUID().replaceAll('-', '')}`;
    await asAdmin((admin) => admin.query(`create database ${name}`));
    const ended = await runCommand(['list'], { DATABASE_URL: made.url.replace(/\/[^/]+$/, `/${name}`), STANDDOWN_SECRET: secret });
    await asAdmin((admin) => admin.query(`drop database ${name} with (force)`));
    expect(ended).toEqual({ exit: 1, stdout: '', stderr: expect.stringContaining('is not set up yet') });
  });
});

describe('a start straight at the database', () => {
  test('looks at the sources first where the documents folder is named', async () => {
    const ended = await direct(`${start} --title Looked-for`, { DOCUMENTS_ROOT: made.folder });
    expect(JSON.parse(ended.stderr)).toMatchObject({ errors: [{ field: 'sources[0]', says: 'cannot be collected: it does not exist' }], exitStatus: 2 });
    expect((await direct('list --json --limit 100')).stdout).not.toContain('Looked-for');
  });

  test('and a cancel are brought to the Temporal that is named with the database', async () => {
    const settings = { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_TASK_QUEUE: `nobody-works-${randomUUID()}` };
    const { id }: { id: string } = JSON.parse((await direct(start, settings)).stdout);
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    const handle = new Client({ connection }).workflow.getHandle(id);
    expect((await handle.describe()).taskQueue).toBe(settings.TEMPORAL_TASK_QUEUE);
    await direct(`cancel ${id}`, settings);
    const { events } = await handle.fetchHistory();
    await connection.close();
    expect(events?.filter((event) => event.workflowExecutionCancelRequestedEventAttributes)).toHaveLength(1);
  });

  test('and what is ordered after the end are brought there as runs of their own', async () => {
    const settings = { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_TASK_QUEUE: `nobody-works-${randomUUID()}` };
    const id = await refusedReport();
    await direct(`resend ${id} report-1`, settings);
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    const { taskQueue } = await new Client({ connection }).workflow.getHandle(`resend-1-report-1-${id}`).describe();
    await connection.close();
    expect(taskQueue).toBe(settings.TEMPORAL_TASK_QUEUE);
  });

  test.each([
    ['no Temporal is named', async () => ({ DATABASE_URL: made.url, STANDDOWN_SECRET: secret })],
    ['one is named that may not be the one of the start command', async () => ({
      STANDDOWN_DATA: await dataFolder({ DATABASE_URL: made.url, STANDDOWN_SECRET: secret }),
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    })],
  ])('is left to running processes where %s', async (_, settings) => {
    const { id }: { id: string } = JSON.parse((await runCommand(wordsOf(start), await settings())).stdout);
    expect(await made.store?.forwarding.takeDue(1, 0, 'default', id)).toMatchObject([{ id, start: true, cancel: false }]);
  });
});

test('a cancel is accepted with Temporal away, and says that Temporal was not told', async () => {
  const { id }: { id: string } = JSON.parse((await direct(start)).stdout);
  const { exit, stdout, stderr } = await direct(`cancel ${id}`, { TEMPORAL_ADDRESS: made.nobody });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining(`${id} could not be forwarded to Temporal yet`) });
  expect(stdout).toMatch(/^Cancelled before anything started\n/);
});

test('a start whose answer is lost is repeated under its key, and says how to go on', async () => {
  const keys: (string | undefined)[] = [];
  const server = createServer((request) => {
    keys.push(request.headers['idempotency-key']?.toString());
    request.socket.destroy();
  });
  const url = await addressOf(server);
  const { exit, stdout, stderr } = await runCommand(wordsOf(start), { STANDDOWN_URL: url });
  server.close();
  expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' });
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ detail: expect.stringContaining(`add --key ${keys[0]}`), exitStatus: 4 });
});

describe('config', () => {
  test('tells each setting, where it comes from, and no secret', async () => {
    const data = await dataFolder({ DATABASE_URL: made.url, STANDDOWN_SECRET: secret, SMTP_URL: 'smtp://me:hush@127.0.0.1:25', TEMPORAL_ADDRESS: 'localhost:7233' });
    const { exit, stdout } = await runCommand(['config'], { STANDDOWN_DATA: data, MAIL_LOOKUP: 'mailpit:http://me:hush@box', OPENAI_API_KEY: 'hush', MODEL: '' });
    expect(exit).toBe(0);
    expect(stdout).not.toMatch(/hush|postgres:\/\/|a secret/);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'MODEL: extractive (default)',
        'OPENAI_API_KEY: (set, hidden) (from environment; default: none)',
        'SMTP_URL: (set, hidden) (from addresses.json; default: the embedded mail server)',
        'TEMPORAL_ADDRESS: localhost:7233 (from addresses.json; default: the embedded dev server)',
        'MAIL_LOOKUP: mailpit:http://(hidden)@box (from environment; default: the embedded mail server where that is used, else none)',
      ]),
    );
  });

  test('as JSON holds every setting, and says what is wrong with them', async () => {
    const { exit, stdout, stderr } = await runCommand(['config', '--json'], { STANDDOWN_DATA: made.folder, PORT: 'many' });
    expect(exit).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ settings: expect.arrayContaining([expect.objectContaining({ name: 'PORT', value: 'many', from: 'environment', default: '3000' })]) });
    expect(JSON.parse(stderr)).toMatchObject({ errors: [{ field: '', says: 'PORT has to be a port number from 0 to 65535' }], exitStatus: 2 });
  });
});

function direct(line: string, settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runCommand(wordsOf(line), { DATABASE_URL: made.url, STANDDOWN_SECRET: secret, ...settings });
}

/** A finished report whose email the mail service refused. */
async function refusedReport(): Promise<string> {
  const id = `refused-${randomUUID()}`;
  if (made.store === undefined) throw new Error('the store is not open');
  await throughSave(made.store, id);
  await mail(made.store, id, 'refused');
  return id;
}

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

/** A data folder as a running start command leaves it. */
async function dataFolder(variables: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(made.folder, randomUUID());
  await mkdir(folder);
  await writeFile(join(folder, 'addresses.json'), JSON.stringify({ pid: 1, page: '', inbox: null, temporalUi: null, variables }));
  return folder;
}

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { announced, runningIn, startCommand } from './support/start-command.ts';
import type { StartedCommand } from './support/start-command.ts';

const UP = 'running; Ctrl-C stops everything';
const PARTS = ['API', 'PostgreSQL', 'Temporal', 'mail server', 'worker'];
const limit = 120_000;

let data: string;
const env = () => ({ TEMPORAL_CLI_PATH: inject('temporalCliPath') });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'standdown-start-'));
});
afterAll(() => rm(data, { recursive: true }));

test('--once reports on the samples, prints the headline alone on standard output, and leaves nothing running', { timeout: limit }, async () => {
  const { status, stdout, stderr } = await startCommand(data, ['--once'], env()).end;
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: 'Finished. Report saved; email accepted by the mail service\n' });
  expect(stderr).toMatch(/page {8}http:.*inbox {7}http:.*Temporal {4}http:.*Summarising/s);
  expect(await runningIn(data)).toEqual({});
  expect(await readdir(data)).not.toContain('addresses.json');
});

let held: StartedCommand;

test('on a data folder with a report it starts none, and says privately where everything is', { timeout: limit }, async () => {
  held = startCommand(data, [], env());
  await held.says(UP);
  const { mode, pid, page } = await announced(data);
  expect({ mode, pid }).toEqual({ mode: '600', pid: held.pid });
  const listed: unknown = await (await fetch(`${page}/api/reports`)).json();
  expect(listed).toMatchObject({ reports: [{ month: '2026-10', phase: 'finished' }] });
  expect(Object.keys(await runningIn(data)).toSorted()).toEqual(PARTS);
});

test('a data folder in use is refused with its holder and page', { timeout: limit }, async () => {
  const { status, stderr } = await startCommand(data, [], env()).end;
  const { page } = await announced(data);
  expect(status).toBe(4);
  expect(stderr).toContain(`is in use by process ${held.pid}; its page is ${page}`);
});

test('a worker that is killed is started again', { timeout: limit }, async () => {
  const { worker } = await runningIn(data);
  process.kill(worker ?? 0, 'SIGKILL');
  await held.says('the worker ended (SIGKILL); starting it again');
  await expect.poll(async () => (await runningIn(data)).worker, { timeout: limit }).not.toBeOneOf([undefined, worker]);
});

test('what a killed start command left running is stopped by the next one', { timeout: limit }, async () => {
  const before = await runningIn(data);
  held.kill('SIGKILL');
  await held.end;
  expect(await runningIn(data)).toEqual(before);
  held = startCommand(data, [], env());
  await held.says('stopped what an earlier start left running');
  await held.says(UP);
  expect(Object.values(await runningIn(data))).not.toEqual(expect.arrayContaining(Object.values(before)));
});

test('one Ctrl-C, though it arrives twice, stops everything in order', { timeout: limit }, async () => {
  held.kill('SIGINT');
  held.kill('SIGINT');
  expect(await held.end).toMatchObject({ status: 0, stdout: '' });
  expect(await runningIn(data)).toEqual({});
});

test('a port that is taken is named', { timeout: limit }, async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = Object.assign({ port: 0 }, server.address());
  const end = await startCommand(data, [], { ...env(), PORT: String(port) }).end;
  server.close();
  expect(end).toMatchObject({ status: 4, stderr: expect.stringContaining(`port ${port} on 127.0.0.1 is taken; choose another with PORT`) });
});

test.for([
  { args: ['--often'], with: {}, says: "Unknown option '--often'" },
  { args: [], with: { MODEL: 'gpt' }, says: 'MODEL has to be extractive or openai/<model>' },
  { args: ['--once'], with: { DOCUMENTS_ROOT: '/tmp' }, says: '--once needs --month' },
])('npm start -- $args with $with leaves with status 2: $says', async ({ args, with: settings, says }) => {
  const end = await startCommand(data, args, { ...env(), ...settings }).end;
  expect(end).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(says) });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { check } from '../workflows/contract/check.ts';
import { startFakeModelServer, type FakeModelServer } from './support/fake-model-server.ts';
import { announced, runningIn, startCommand, type StartedCommand } from './support/start-command.ts';
import { killEverything } from './support/killing.ts';
import { until } from './support/waiting.ts';

const limit = 180_000;
let data: string;
let model: FakeModelServer;
let running: StartedCommand;

const settings = () => ({
  ...{ TEMPORAL_CLI_PATH: inject('temporalCliPath'), MODEL: 'openai/fake-1', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' },
  ...{ MODEL_CALL_LIMIT_MS: '20000', HEARTBEAT_TIMEOUT_MS: '3000', HEARTBEAT_EVERY_MS: '500', STICKY_SCHEDULE_TO_START_MS: '1000', SWEEP_EVERY_MS: '2000' },
});

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'standdown-killed-'));
  model = await startFakeModelServer();
});
afterEach(async () => {
  running.kill('SIGTERM');
  await running.end;
  await model.close();
  await rm(data, { recursive: true });
});

/** Starts everything with a report that hangs in its second summary, and kills every process of it. */
async function killedInTheMiddle(): Promise<string> {
  model.answerWith('- It was ', 'decided.');
  running = startCommand(data, ['--no-report'], settings());
  await running.says('running; Ctrl-C stops everything');
  const { page } = await announced(data);
  const id = await post(page, '/api/reports', { month: '2026-10', sources: [{ kind: 'folder', path: 'minutes/{month}' }], recipients: ['reader@example.com'] });
  await until(() => model.requests.length >= 1, 'the first call of the model');
  model.script({ kind: 'stall' });
  await until(async () => (await read(page, id)).progress.done >= 1 && (await read(page, id)).waitingFor.length > 0, 'the second summary to hang');
  await killEverything(await runningIn(data), running);
  return id;
}

interface Seen {
  readonly phase: string;
  readonly headline: string;
  readonly progress: { readonly done: number };
  readonly waitingFor: readonly unknown[];
  readonly operations: readonly { readonly name: string; readonly state: string }[];
}

async function read(page: string, id: string): Promise<Seen> {
  return Object.assign({ phase: '', headline: '', progress: { done: 0 }, waitingFor: [], operations: [] }, await (await fetch(`${page}/api/reports/${id}`)).json());
}

async function post(page: string, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': path };
  const answer = await fetch(`${page}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return Object.assign({ id: '' }, await answer.json()).id;
}

async function restarted(): Promise<string> {
  running = startCommand(data, ['--no-report'], settings());
  await running.says('running; Ctrl-C stops everything');
  return (await announced(data)).page;
}

async function violations(page: string, id: string): Promise<unknown> {
  const { entries } = Object.assign({ entries: [] }, await (await fetch(`${page}/api/reports/${id}/ledger`)).json());
  return check(entries).violations;
}

test('a report goes on after everything was killed in the middle of a summary, and asks for no drafted summary again', { timeout: limit }, async () => {
  const id = await killedInTheMiddle();
  const askedBefore = model.requests.length;
  const page = await restarted();
  const status = await until(async () => {
    const seen = await read(page, id);
    return seen.phase === 'finished' ? seen : null;
  }, 'the report to finish', 60_000);
  expect(status.headline).toBe('Finished. Report saved; email accepted by the mail service; 1 operation was lost and may still be running unheard');
  expect(status.operations.filter(({ name }) => name === 'summarise/1').map(({ state }) => state)).toEqual(['done']);
  expect(status.operations.map(({ state }) => state)).toContain('lost');
  expect(model.requests.length).toBeGreaterThan(askedBefore);
  expect(await violations(page, id)).toEqual([]);
});

test('a report that is cancelled after everything was killed is cancelled, and sends nothing', { timeout: limit }, async () => {
  const id = await killedInTheMiddle();
  const page = await restarted();
  await post(page, `/api/reports/${id}/cancel`, { reason: 'wrong month' });
  const status = await until(async () => {
    const seen = await read(page, id);
    return seen.phase === 'cancelled' ? seen : null;
  }, 'the report to be cancelled', 60_000);
  expect(status.headline).toMatch(/^Cancelled\. No report was saved and no email was sent/);
  expect(await violations(page, id)).toEqual([]);
});

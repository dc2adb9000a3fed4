import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../stack/ports.ts';
import { openStore, type Store } from '../store/store.ts';
import type { ReportInput } from '../workflows/contract/input.ts';
import { startApi, type ApiProcess } from './support/api-process.ts';
import { runCommand, startCommand, wordsOf, type Ended } from './support/command-line.ts';
import { freshDatabase } from './support/database.ts';
import { oneOfEach } from './support/lives-in-store.ts';
import { registerReport } from './support/steps.ts';

type Settings = Readonly<Record<string, string>>;

const doors = ['straight at the database', 'through the API'] as const;
const opened: { store?: Store; api?: ApiProcess; apiSettings: Settings; settings: Record<(typeof doors)[number], Settings> } = {
  apiSettings: {},
  settings: { 'straight at the database': {}, 'through the API': {} },
};

beforeAll(async () => {
  const { url } = await freshDatabase();
  opened.store = openStore({ url, poolSize: 2 });
  await oneOfEach(opened.store);
  const direct = { DATABASE_URL: url, STANDDOWN_SECRET: 'a secret for tests only' };
  const elsewhere = { DOCUMENTS_ROOT: '/seen/by/workers/alone', TEMPORAL_TASK_QUEUE: `nobody-works-${randomUUID()}` };
  opened.apiSettings = { ...direct, ...elsewhere, TEMPORAL_ADDRESS: inject('temporalAddress') };
  opened.api = await startApi(opened.apiSettings);
  opened.settings = { 'straight at the database': direct, 'through the API': { STANDDOWN_URL: opened.api.url } };
});

afterAll(async () => {
  await opened.api?.stop();
  await opened.store?.close();
});

const accepted = 'Finished. Report saved; email accepted by the mail service';
const unconfirmed = 'Finished. Report saved; email outcome unconfirmed';
const refused = 'Finished. Report saved; email refused by the mail service';
const cancelled = 'Cancelled before anything started';
const failed = 'Failed while collecting. No report was saved and no email was sent';

describe.each(doors)('%s', (door) => {
  const command = (line: string): Promise<Ended> => runCommand(wordsOf(line), opened.settings[door]);

  test.each([
    ['status finished', 0, [accepted, '', /^Report +finished$/, /^Emails +reader@example.com: accepted$/, /^Started again +.* mails nobody; any other new one mails that one again\.$/]],
    ['status unconfirmed', 0, [unconfirmed, '', /^ +to check by hand: Message-ID <report-1@test>, handed to test at \d{4}-/]],
    ['status cancelled', 0, [cancelled, '', /^Cancel +accepted \S+ through http from api: wrong month$/, /^ +prevented saving the report, 1 email$/]],
    ['status failed', 0, [failed, '', /^Reason +model refused$/]],
    ['status queued', 0, ['Queued', '', /^Report +queued \(Minutes\uFFFD of July\)$/, /^Cancel would +No report would be saved/]],
    ['status finished --watch', 0, [accepted]],
    ['status unconfirmed --watch', 3, [unconfirmed]],
    ['status refused --watch', 3, [refused]],
    ['status cancelled --watch', 5, [cancelled]],
    ['status failed --watch', 1, [failed]],
    ['list --phase failed', 0, [/^failed +\d{4}-\S+ +Failed while/]],
    ['list --limit 1 --phase finished', 0, [/^refused +/, '', 'More: add --cursor 3']],
    ['list --limit 1 --phase finished --cursor 2', 0, [/^finished +/]],
    ['list --phase saved', 0, ['No reports']],
    ['ledger queued', 0, [/^1 {2}\S+Z {2}registered +.*recipients=1/]],
  ])('%s: exit %i', async (line, exit, shown) => {
    const ended = await command(line);
    expect(ended).toMatchObject({ exit, stderr: '' });
    expect(ended.stdout).toEqual(inOrder(shown));
  });

  test.each([
    ['list --cursor then', 2, 'cursor must be one that an earlier'],
    ['status nobody', 6, 'There is no report nobody.'],
    ['status nobody --watch', 6, 'There is no report nobody.'],
    ['cancel nobody', 6, 'There is no report nobody.'],
    ['ledger nobody', 6, 'There is no report nobody.'],
    ['verify nobody', 6, 'There is no report nobody.'],
    ['start --month 2025-07 --source minutes --to a@example.com --supersedes queued', 7, 'has not ended: cancel it first'],
    ['start --month 2025-07 --source minutes --to a@example.com --supersedes nobody', 7, 'There is no report to supersede'],
  ])('%s: exit %i and a sentence on standard error', async (line, exit, says) => {
    expect(await command(line)).toEqual({ exit, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('a start under one key starts one report, and none with other input', async () => {
    const line = `start --month 2025-07 --source minutes/{month} --to a@example.com b@example.com --key ${randomUUID()} --json`;
    const [first, again, other] = [await command(line), await command(line), await command(`${line} --title Other`)];
    expect(JSON.parse(first.stdout)).toMatchObject({ headline: 'Queued', month: '2025-07', emailCounts: { not_started: 2 } });
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
    expect(other).toMatchObject({ exit: 7, stdout: '' });
    expect(JSON.parse(other.stderr)).toEqual({ title: expect.any(String), detail: expect.stringContaining('other input'), errors: [], exitStatus: 7 });
  });

  test('a cancel answers everybody with the one receipt', async () => {
    const id = await registered();
    const [first, again] = [await command(`cancel ${id} --reason "wrong month" --json`), await command(`cancel ${id} --json`)];
    expect(JSON.parse(first.stdout)).toMatchObject({ receipt: { reason: 'wrong month', effect: 'prevented' }, report: { headline: cancelled } });
    expect(again).toEqual(first);
  });

  test('watching shows each change on a line, until the end', async () => {
    const id = await registered();
    const watching = startCommand(['status', id, '--watch'], opened.settings[door]);
    await watching.shows('Queued\n');
    const operation = randomUUID();
    await opened.store?.decisions.begin(id, { operation, step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
    await watching.shows('Collecting documents\n');
    await command(`cancel ${id}`);
    await watching.shows('Stopping… waiting for the collection to return\n');
    await opened.store?.decisions.end(id, { operation, account: { kind: 'stopped' }, toldMsAgo: 1, toldBy: 'push', draft: null });
    expect(await watching.ended).toEqual({
      exit: 5,
      stdout: 'Queued\nCollecting documents\nStopping… waiting for the collection to return\nCancelled. No report was saved and no email was sent\n',
      stderr: '',
    });
  });

  test('Ctrl-C ends the watching and not the report', async () => {
    const id = await registered();
    const watching = startCommand(['status', id, '--watch', '--json'], opened.settings[door]);
    await watching.shows('"headline":"Queued"');
    watching.interrupt();
    expect((await watching.ended).exit).toBe(130);
    expect(JSON.parse((await command(`status ${id} --json`)).stdout)).toMatchObject({ phase: 'queued', cancelRequest: null });
  });
});

test('watching goes on when the API is back', async () => {
  const id = await registered();
  const settings = { ...opened.apiSettings, PORT: String(await freePort()) };
  const first = await startApi(settings);
  const watching = startCommand(['status', id, '--watch'], { STANDDOWN_URL: first.url });
  await watching.shows('Queued\n');
  await first.stop();
  const second = await startApi(settings);
  await opened.store?.decisions.cancel(id, { receipt: randomUUID(), request: randomUUID(), door: 'http', by: null, reason: null });
  expect(await watching.ended).toEqual({ exit: 5, stdout: `Queued\n${cancelled}\n`, stderr: '' });
  await second.stop();
});

describe('before anything is asked', () => {
  test.each([
    ['', 2, 'Wrong usage: a command is missing'],
    ['lost', 2, "unknown command 'lost'"],
    ['status', 2, "missing required argument 'id'"],
    ['status queued --wach', 2, "unknown option '--wach'"],
    ['list --phase sideways', 2, 'phase must be one of queued'],
    ['list --limit 0', 2, 'limit must be a number from 1 to 100'],
    ['list --limit 101', 2, 'limit must be a number from 1 to 100'],
    ['status ../list', 6, 'There is no report ../list.'],
    ['cancel queued --reason "wrong\u001B[2Jmonth"', 2, 'reason must not contain control characters'],
  ])('%s: exit %i and a sentence on standard error', async (line, exit, says) => {
    expect(await runCommand(wordsOf(line), opened.settings['straight at the database'])).toEqual({ exit, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('a start names every field at fault', async () => {
    const line = 'start --month 2025-13 --source ../minutes --to nobody --to a@example.com A@example.com';
    const { exit, stdout, stderr } = await runCommand(wordsOf(line), opened.settings['straight at the database']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'The input is not right, and nothing was recorded.',
      '  month must be a month like 2025-07',
      '  sources[0].path must be a relative path that stays inside the documents folder',
      '  recipients[0] must be one plain address like a@example.com',
      '  recipients[2] is named twice',
      '',
    ]);
  });

  test('--help lists every exit status', async () => {
    const { exit, stdout } = await runCommand(['status', '--help'], {});
    expect(exit).toBe(0);
    expect(stdout.match(/^ {2}\d+(?= )/gm)?.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 130]);
  });
});

test('a status of very many emails says how many it does not list', async () => {
  const recipients = Array.from({ length: 103 }, (_, index) => `reader${index}@example.com`);
  const id = await registered({ recipients });
  const { stdout } = await runCommand(['status', id], opened.settings['straight at the database']);
  expect(stdout).toEqual(inOrder(['Queued', /^Emails +reader0@example.com: not started$/, /^ +reader99@example.com: not started$/, /^ +and 3 more: 103 not started in all$/]));
});

test('a cancel of an ended report says that it came too late', async () => {
  const { exit, stdout } = await runCommand(['cancel', 'finished'], opened.settings['straight at the database']);
  expect(exit).toBe(0);
  expect(stdout).toEqual(inOrder(['Finished before it could be cancelled. Report saved; email accepted by the mail service', '', /^ +too late: /]));
});

test('--json writes one value a line, and nothing that steers a terminal', async () => {
  const { stdout } = await runCommand(['status', 'queued', '--json'], opened.settings['straight at the database']);
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stdout).toContain('Minutes\\u202e of July');
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Minutes\u202E of July' });
});

async function registered(change: Partial<ReportInput> = {}): Promise<string> {
  const id = `cli-${randomUUID()}`;
  if (opened.store !== undefined) await registerReport(opened.store, id, change);
  return id;
}

/** Matches a text that begins with the first of these lines and has the others, in this order, among its others. */
function inOrder(lines: readonly (string | RegExp)[]) {
  const sources = lines.map((line) => (typeof line === 'string' ? line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : line.source.replace(/^\^|\$$/g, '')));
  return expect.stringMatching(new RegExp(`^${sources.join('(?:.*\n)+?')}`));
}

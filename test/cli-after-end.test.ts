import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openStore, type Store } from '../store/store.ts';
import type { Outcome } from '../workflows/contract/command.ts';
import { startApi, type ApiProcess } from './support/api-process.ts';
import { runCommand, wordsOf, type Ended } from './support/command-line.ts';
import { asAdmin, freshDatabase } from './support/database.ts';
import { mail, oneOfEach } from './support/lives-in-store.ts';
import { throughSave } from './support/steps.ts';

type Settings = Readonly<Record<string, string>>;

const doors = ['straight at the database', 'through the API'] as const;
const opened: { store?: Store; api?: ApiProcess; url: string; folder: string; settings: Record<(typeof doors)[number], Settings> } = {
  ...{ url: '', folder: '' },
  settings: { 'straight at the database': {}, 'through the API': {} },
};

beforeAll(async () => {
  const { url } = await freshDatabase();
  const store = openStore({ url, poolSize: 2 });
  Object.assign(opened, { url, store, folder: await mkdtemp(join(tmpdir(), 'standdown-cli-')) });
  await oneOfEach(store);
  const direct = { DATABASE_URL: url, STANDDOWN_SECRET: 'a secret for tests only' };
  opened.api = await startApi({ ...direct, TEMPORAL_TASK_QUEUE: `nobody-works-${randomUUID()}`, TEMPORAL_ADDRESS: inject('temporalAddress') });
  opened.settings = { 'straight at the database': direct, 'through the API': { STANDDOWN_URL: opened.api.url } };
});

afterAll(async () => {
  await opened.api?.stop();
  await opened.store?.close();
  await rm(opened.folder, { recursive: true });
});

/** A finished report whose email has this outcome. */
async function ended(outcome: Outcome['outcome']): Promise<string> {
  const id = `cli-${randomUUID()}`;
  if (opened.store === undefined) throw new Error('the store is not open');
  await throughSave(opened.store, id);
  await mail(opened.store, id, outcome);
  return id;
}

async function whoAsked(id: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  await asAdmin(async (admin) => {
    const { rows } = await admin.query('select kind, requested_by as by from action_requests where report_id = $1', [id]);
    found.push(...rows);
  }, opened.url);
  return found;
}

describe.each(doors)('%s', (door) => {
  const command = (line: string, input = ''): Promise<Ended> => runCommand(wordsOf(line), opened.settings[door], input);
  const by = door === 'through the API' ? 'api' : 'cli';

  test.each([
    ['delete', 'accepted', '', 'Finished. Report saved and deleted since; email accepted by the mail service\n\nThe saved report is deleted, and its emailed links say so.\n', 'document_deleted'],
    ['correct', 'unknown', ' --message "The budget is 12,000."', 'Finished. Report saved; email outcome unconfirmed; 1 correction ordered: email not started\n\nThe correction is ordered. What becomes of its emails: standdown status', 'correction_ordered'],
    ['resend', 'refused', ' report-1', 'Finished. Report saved; email refused by the mail service\n\nThe send is ordered. What becomes of it: standdown status', 'resend_authorised'],
    ['resend', 'unknown', ' report-1 --accept-duplicate-risk', 'Finished. Report saved; email outcome unconfirmed\n\nThe send is ordered. What becomes of it: standdown status', 'resend_authorised'],
  ] as const)('%s of a report whose email is %s, with%s: exit 0', async (name, outcome, rest, says, kind) => {
    const id = await ended(outcome);
    expect(await command(`${name} ${id}${rest}`)).toEqual({ exit: 0, stdout: expect.stringContaining(says), stderr: '' });
    expect(await whoAsked(id)).toEqual([{ kind, by }]);
  });

  test.each([
    ['delete queued', 7, 'The report has not ended: cancel it first'],
    ['delete cancelled', 7, 'No report was saved'],
    ['correct queued --message words', 7, 'The report has not ended: cancel it first'],
    ['correct cancelled --message words', 7, 'Nobody has the email that would be corrected'],
    ['resend queued report-1', 7, 'The report has not ended: cancel it first'],
    ['resend cancelled report-1', 7, 'A cancelled report never sends again; one that supersedes it does.'],
    ['resend failed report-1', 7, 'No report was saved'],
    ['resend finished report-1', 7, 'The mail service has accepted the email'],
    ['resend unconfirmed report-1', 7, 'The risk of a second email was not accepted'],
    ['resend refused report-2', 2, 'email must be the id of an email of the report, like report-1'],
    ['resend refused reader@example.com', 2, 'email must be the id of an email of the report, like report-1'],
    ['delete nobody', 6, 'There is no report nobody.'],
    ['correct nobody --message words', 6, 'There is no report nobody.'],
    ['resend nobody report-1', 6, 'There is no report nobody.'],
    ['delete ../list', 6, 'There is no report ../list.'],
  ])('%s: exit %i and a sentence on standard error', async (line, exit, says) => {
    expect(await command(line)).toEqual({ exit, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('a refusal as JSON has its exit status, and says how the report stands', async () => {
    const { exit, stdout, stderr } = await command('resend finished report-1 --json');
    expect({ exit, stdout }).toEqual({ exit: 7, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ detail: expect.stringContaining('Nothing was done. The report: Finished. Report saved; email accepted by the mail service.'), exitStatus: 7 });
  });

  test('a correction under one key is ordered once, and not with other words', async () => {
    const id = await ended('accepted');
    const [first, again, other] = [await command(`correct ${id} --message words --key k --json`), await command(`correct ${id} --message words --key k --json`), await command(`correct ${id} --message other --key k`)];
    expect(JSON.parse(first.stdout)).toMatchObject({ id, corrections: [{ number: 1, message: 'words' }] });
    expect(again).toEqual(first);
    expect(other).toEqual({ exit: 7, stdout: '', stderr: expect.stringMatching(/key was used for another request/i) });
  });

  test('a correction of several lines comes from standard input', async () => {
    const id = await ended('accepted');
    const { stdout } = await command(`correct ${id} --message-file - --json`, 'The budget is\r\n12,000.\n');
    expect(JSON.parse(stdout)).toMatchObject({ corrections: [{ message: 'The budget is\n12,000.' }] });
  });
});

describe('before anything is asked', () => {
  const direct = (words: readonly string[]): Promise<Ended> => runCommand(words, opened.settings['straight at the database']);

  test.each([
    [['correct', 'finished'], 'message has to be given, with either --message or --message-file'],
    [['correct', 'finished', '--message', 'a', '--message-file', '-'], 'message has to be given, with either --message or --message-file'],
    [['correct', 'finished', '--message', ' '], 'message must be a text that is not empty'],
    [['correct', 'finished', '--message-file', '-'], 'message must be a text that is not empty'],
    [['correct', 'finished', '--message', 'x'.repeat(2001)], 'message must be at most 2000 characters'],
    [['correct', 'finished', '--message', 'a\u001B[2Jb'], 'message must not contain control characters'],
    [['correct', 'finished', '--message-file', '/nowhere/at/all'], 'The message cannot be read from /nowhere/at/all.'],
    [['delete', 'finished', '--key', ''], 'key must be a text that is not empty'],
    [['resend', 'finished', 'report-1', '--key', 'k'.repeat(256)], 'key must be at most 255 characters'],
    [['resend', 'finished'], "missing required argument 'email'"],
  ])('%j: exit 2 and a sentence on standard error', async (words, says) => {
    expect(await direct(words)).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('a correction comes from a file', async () => {
    const id = await ended('accepted');
    const file = join(opened.folder, 'words.txt');
    await writeFile(file, 'The budget is\n12,000.\n');
    expect(JSON.parse((await direct(['correct', id, '--message-file', file, '--json'])).stdout)).toMatchObject({ corrections: [{ message: 'The budget is\n12,000.' }] });
  });
});

test.each([
  ['finished', /^(?!.*resend)/s],
  ['refused', /\n +to have it sent again: standdown resend refused report-1\n/],
  ['unconfirmed', /\n +to have it sent again: standdown resend unconfirmed report-1 --accept-duplicate-risk\n/],
])('the status of a report that is %s says how its email is sent again', async (id, says) => {
  expect((await runCommand(['status', id], opened.settings['straight at the database'])).stdout).toMatch(says);
});

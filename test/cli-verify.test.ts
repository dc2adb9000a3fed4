import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createReports } from '../client/reports.ts';
import { createVerification, verifyLedger, type Verified } from '../client/verification.ts';
import { openStore, type Store } from '../store/store.ts';
import { startApi } from './support/api-process.ts';
import { runCommand } from './support/command-line.ts';
import { asAdmin, freshDatabase, type TestDatabase } from './support/database.ts';
import { mail, oneOfEach, succeed } from './support/lives-in-store.ts';
import { registerReport, throughSave } from './support/steps.ts';

const points = Array.from({ length: 17 }, (_, index) => index + 1);

describe('a database that was tampered with', () => {
  const { database, storeOf } = opened();

  test.each([
    ['nothing', 'select $1', [], []],
    ['a counter of the fence', `update reports set fence = jsonb_set(fence, '{summarised}', '7') where id = $1`, [16], []],
    ['the phase of the fence', `update reports set fence = jsonb_set(fence, '{phase}', '"failed"') where id = $1`, [15, 16], []],
    ['a fence without its counts', `update reports set fence = fence - 'emails' where id = $1`, [16], [14, 15]],
    ["an email's outcome", `update emails set fold = jsonb_set(fold, '{attempts,0,outcome}', '"refused"') where report_id = $1`, [16], []],
    ['an operation that is gone', `delete from operations where step = 'combine' and report_id = $1`, [16], []],
    ['an entry that is gone', `delete from ledger where kind = 'saved' and report_id = $1`, [1, 9, 12, 13, 15, 16], []],
    ['a time that falls', `update ledger set entry = jsonb_set(entry, '{at}', '"2020-01-01T00:00:00.000Z"') where kind = 'saved' and report_id = $1`, [1, 16], []],
    ['addresses that were erased', 'delete from recipients where report_id = $1', [], [17]],
  ])('%s', async (what, sql, broken, unchecked) => {
    const id = what.replaceAll(/[^a-z]/g, '-');
    await throughSave(storeOf(), id);
    await mail(storeOf(), id, 'accepted');
    await asAdmin((admin) => admin.query(sql, [id]), database().url);
    const verified = await createVerification(storeOf()).one(id);
    expect(rulesIn(verified)).toEqual(broken);
    expect(points.filter((point) => verified?.checked.includes(point) === false)).toEqual(unchecked);
  });
});

describe('a chain of superseding reports', () => {
  const { database, storeOf } = opened();

  beforeAll(async () => {
    await throughSave(storeOf(), 'first');
    await mail(storeOf(), 'first', 'accepted');
    await succeed(storeOf(), 'first', 'second', 'other@example.com');
    await mail(storeOf(), 'second', 'accepted');
    await succeed(storeOf(), 'second', 'third', 'third@example.com');
  });

  test('is checked with each of its reports, and of all reports once', async () => {
    const { one, all } = createVerification(storeOf());
    expect(await Promise.all(['first', 'second', 'third'].map(one))).toMatchObject([{ violations: [] }, { violations: [] }, { violations: [] }]);
    await asAdmin((admin) => admin.query(`update recipients set address = 'Reader@example.com' where report_id = 'second'`), database().url);
    expect((await Promise.all(['first', 'second', 'third'].map(one))).map(rulesIn)).toEqual([[], [17], [17]]);
    expect((await everyOf(all())).map((verified) => [verified.reportId, ...rulesIn(verified)])).toEqual([['first'], ['second'], ['third', 17]]);
  });

  test('does not count as checked where one of its reports is gone', async () => {
    await asAdmin(async (admin) => {
      await admin.query('set session_replication_role = replica');
      await admin.query(`delete from reports where id = 'first'`);
    }, database().url);
    expect((await createVerification(storeOf()).one('third'))?.checked).not.toContain(17);
  });
});

describe('standdown verify', () => {
  const { database, storeOf } = opened();
  const direct = () => ({ DATABASE_URL: database().url, STANDDOWN_SECRET: 'a secret for tests only' });

  beforeAll(() => oneOfEach(storeOf()));

  test('says what it checked, and over the API what it could not', async () => {
    expect(await runCommand(['verify'], direct())).toEqual({ exit: 0, stdout: expect.stringMatching(/^No violations\n\nChecked 6 reports, \d+ ledger entries in all:\n( +\d+ {2}holds {2}.*\n){17}$/), stderr: '' });
    const api = await startApi({ ...direct(), TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_TASK_QUEUE: 'nobody-works' });
    const { exit, stdout } = await runCommand(['verify'], { STANDDOWN_URL: api.url });
    await api.stop();
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/( +\d+ {2}holds {8}.*\n){15}( +\d+ {2}not checked {2}.*\n){2}$/) });
  });

  test('leaves out what was recorded after the status that it compares with', async () => {
    const reports = createReports({ store: storeOf(), secret: '', inspectSources: async () => [] });
    await registerReport(storeOf(), 'goes-on');
    const status = await reports.status('goes-on');
    await reports.cancel('goes-on', { requestId: null, by: null, reason: null, door: 'cli' });
    const entries = await storeOf().reading.ledger('goes-on');
    expect(status === null ? null : verifyLedger(status, entries)).toEqual({ reportId: 'goes-on', entries: 1, violations: [], checked: points.slice(0, 15) });
  });

  test('reads more reports than a page', async () => {
    await Promise.all(Array.from({ length: 101 }, (_, number) => registerReport(storeOf(), `page-${number}`)));
    const { stdout } = await runCommand(['verify', '--json'], direct());
    const lines = stdout.trim().split('\n').map((line): object => JSON.parse(line));
    expect(lines).toHaveLength(7 + 101 + 1);
    expect(lines.at(-1)).toMatchObject({ reports: 108, violations: 0 });
  });

  test('names the report, the point and the entry where a rule is broken', async () => {
    await asAdmin(async (admin) => {
      await admin.query('set session_replication_role = replica');
      await admin.query(`delete from ledger where report_id = 'finished' and sequence = 3`);
    }, database().url);
    const { exit, stdout } = await runCommand(['verify'], direct());
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^finished: \d+ violations? in 10 entries\n {2}point 1, entry 4: /);
    expect(stdout).toMatch(/\n +1 {2}1 violation +\S/);
  });
});

/** A store for the tests of one block, whose database is gone before all others are verified: it is damaged on purpose. */
function opened() {
  const made: { database?: TestDatabase; store?: Store } = {};
  beforeAll(async () => {
    made.database = await freshDatabase();
    made.store = openStore({ url: made.database.url, poolSize: 4 });
    await asAdmin((admin) => admin.query('alter table ledger disable trigger user; alter table reports disable trigger user'), made.database.url);
  });
  afterAll(async () => {
    await made.store?.close();
    await made.database?.drop();
  });
  const there = <Made>(thing: Made | undefined): Made => {
    if (thing === undefined) throw new Error('it is not there before the tests');
    return thing;
  };
  return { database: () => there(made.database), storeOf: () => there(made.store) };
}

async function everyOf(verifications: AsyncIterable<Verified>): Promise<Verified[]> {
  const found: Verified[] = [];
  for await (const verified of verifications) found.push(verified);
  return found;
}

function rulesIn(verified: Verified | null): number[] {
  return [...new Set(verified?.violations.map(({ rule }) => rule))].sort((one, other) => one - other);
}

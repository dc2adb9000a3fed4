import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseRefused, migrate } from '../store/migrate.ts';
import { openStore, type Store } from '../store/store.ts';
import { setClockAhead } from './support/clock.ts';
import { asAdmin, freshDatabase, type TestDatabase } from './support/database.ts';
import { startCuttingProxy, type CuttingProxy } from './support/cutting-proxy.ts';
import { claimOf, inputOf, registerReport, throughSave, throughSummary, throughWork } from './support/steps.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase();
  store = openStore({ url: database.url, poolSize: 4 });
});
afterAll(() => store.close());

const cancelOf = () => ({ receipt: randomUUID(), request: randomUUID(), door: 'http', by: 'somebody', reason: 'wrong month' }) as const;
const attempt = (sql: string) => asAdmin((admin) => admin.query(sql), database.url);

describe('the database itself refuses', () => {
  beforeAll(async () => {
    await registerReport(store, 'refusing');
    await store.decisions.cancel('refusing', cancelOf());
  });

  test.each([
    ['changing an entry of the ledger', `update ledger set kind = 'saved' where report_id = 'refusing'`, /append-only/],
    ['deleting an entry of the ledger', `delete from ledger where report_id = 'refusing'`, /append-only/],
    ['emptying the ledger', `truncate ledger`, /append-only/],
    ['a second entry under one number', `insert into ledger select * from ledger where report_id = 'refusing'`, /duplicate key/],
    ['another end', `update reports set fence = jsonb_set(fence, '{phase}', '"finished"') where id = 'refusing'`, /has ended: cancelled stays cancelled/],
    ['taking an end back', `update reports set fence = jsonb_set(fence, '{phase}', '"saved"') where id = 'refusing'`, /has ended/],
    ['another receipt', `update reports set fence = jsonb_set(fence, '{cancel,receiptId}', '"other"') where id = 'refusing'`, /one receipt/],
    ['a phase that is none', `insert into reports (id, fence, month, created_at, requested_by) values ('odd', '{"phase":"odd","sequence":1}', '2025-07', now(), 'x')`, /check constraint/],
    ['a report id with a slash', `insert into reports (id, fence, month, created_at, requested_by) values ('a/b', '{"phase":"queued","sequence":1}', '2025-07', now(), 'x')`, /check constraint/],
  ])('%s', async (_, sql, says) => {
    await expect(attempt(sql)).rejects.toThrow(says);
  });
});

describe('a start', () => {
  const start = (key: string, change = {}) => store.register({ reportId: `start-${randomUUID()}`, input: inputOf(change), caller: 'api', key });

  test('under the same key with the same input is answered with the same report', async () => {
    const [first, second] = await Promise.all([start('same'), start('same')]);
    expect(first).toEqual({ ...second, kind: first.kind });
    expect([first.kind, second.kind].toSorted()).toEqual(['repeated', 'started']);
  });

  test('under the same key with another input is refused', async () => {
    await start('other');
    expect(await start('other', { month: '2025-08' })).toEqual({ kind: 'refused', reason: 'different_input' });
  });

  test('under the same key of another caller is another report', async () => {
    const mine = await start('shared');
    const theirs = await store.register({ reportId: `start-${randomUUID()}`, input: inputOf(), caller: 'someone else', key: 'shared' });
    expect(theirs.kind).toBe('started');
    expect(theirs).not.toEqual(mine);
  });

  test('twenty at once under one key make one report', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start('crowd')));
    expect(new Set(answers.map((answer) => ('reportId' in answer ? answer.reportId : answer.kind))).size).toBe(1);
    expect(answers.filter(({ kind }) => kind === 'started').length).toBe(1);
  });
});

describe('superseding', () => {
  test('a report has at most one successor', async () => {
    await registerReport(store, 'ancestor');
    await store.decisions.cancel('ancestor', cancelOf());
    const start = () => store.register({ reportId: `heir-${randomUUID()}`, input: inputOf({ supersedes: 'ancestor' }), caller: 'api', key: randomUUID() });
    const answers = await Promise.all([start(), start(), start()]);
    expect(answers.map((answer) => (answer.kind === 'refused' ? answer.reason : answer.kind)).toSorted()).toEqual(['already_superseded', 'already_superseded', 'started']);
  });

  test('a report that has not ended cannot be superseded', async () => {
    await registerReport(store, 'unended');
    const answer = await store.register({ reportId: 'heir', input: inputOf({ supersedes: 'unended' }), caller: 'api', key: randomUUID() });
    expect(answer).toEqual({ kind: 'refused', reason: 'not_ended' });
    expect(await store.reading.snapshot('heir')).toBeNull();
  });

  test('whom an ancestor may have mailed is not mailed again', async () => {
    await throughSave(store, 'mailed');
    const claim = claimOf('report-1');
    await store.decisions.claim('mailed', claim);
    await store.decisions.outcome('mailed', { email: 'report-1', attempt: claim.attempt, outcome: 'unknown', permanent: false, phase: null, code: null });
    await store.register({ reportId: 'successor', input: inputOf({ supersedes: 'mailed', recipients: ['READER@example.com', 'other@example.com'] }), caller: 'api', key: 'successor' });
    await throughWork(store, 'successor');
    await store.decisions.save('successor', 'text', 'hash');
    const [again, other] = [await store.decisions.claim('successor', claimOf('report-1')), await store.decisions.claim('successor', claimOf('report-2'))];
    expect(again.decision).toEqual({ kind: 'refused', reason: 'already_mailed' });
    expect(other.decision.kind).toBe('accepted');
  });
});

describe('a decision whose answer was lost', () => {
  let proxy: CuttingProxy;
  let far: Store;
  beforeAll(async () => {
    proxy = await startCuttingProxy(database.url);
    far = openStore({ url: proxy.url, poolSize: 2 });
  });
  afterAll(async () => {
    await far.close();
    await proxy.close();
  });

  test.each([
    ['a cancel', registerReport, (id: string) => far.decisions.cancel(id, cancelOf()), 'cancel_accepted'],
    ['a begin', registerReport, (id: string) => far.decisions.begin(id, { operation: 'one', step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 }), 'operation_begun'],
    ['a save', throughSummary, (id: string) => far.decisions.save(id, 'text', 'hash'), 'saved'],
    ['a claim', throughSave, (id: string) => far.decisions.claim(id, claimOf('report-1')), 'email_claimed'],
  ] as const)('%s is repeated and stands once in the ledger', async (name, arrange, decide, kind) => {
    const id = `lost-${name.replace(' ', '-')}`;
    const before = proxy.cuts();
    await arrange(store, id);
    proxy.cutNextCommit();
    await decide(id);
    expect(proxy.cuts()).toBe(before + 1);
    const ledger = await store.reading.ledger(id);
    expect(ledger.filter((entry) => entry.kind === kind).length).toBe(1);
  });

  test('a start is repeated and makes one report', async () => {
    proxy.cutNextCommit();
    const answer = await far.register({ reportId: 'lost-start', input: inputOf(), caller: 'api', key: 'lost-start' });
    expect(answer).toEqual({ kind: 'repeated', reportId: 'lost-start' });
    expect((await store.reading.ledger('lost-start')).length).toBe(1);
  });
});

describe('time', () => {
  test('never falls in a ledger, also when the clock of the database does', async () => {
    await setClockAhead(database.url, '10 minutes');
    await registerReport(store, 'ahead');
    await setClockAhead(database.url, '0');
    await store.decisions.cancel('ahead', cancelOf());
    const times = (await store.reading.ledger('ahead')).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(times.length).toBe(3);
  });

  test('past a deadline anybody may record the operation as lost, and before it nobody', async () => {
    await registerReport(store, 'overdue');
    await store.decisions.begin('overdue', { operation: 'slow', step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
    expect((await store.decisions.lose('overdue', 'deadline')).decision).toEqual({ kind: 'refused', reason: 'not_due' });
    expect(await store.sweeping.pastDeadline(50)).not.toContain('overdue');
    await setClockAhead(database.url, '2 minutes');
    expect(await store.sweeping.pastDeadline(50)).toContain('overdue');
    expect((await store.decisions.lose('overdue', 'deadline')).decision.kind).toBe('accepted');
    await setClockAhead(database.url, '0');
  });
});

describe('migrating', () => {
  test('is done once by whoever comes first, and again changes nothing', async () => {
    const other = await freshDatabase();
    await Promise.all(Array.from({ length: 4 }, () => migrate(other.url)));
    const client = new pg.Client(other.url);
    await client.connect();
    const { rows } = await client.query('select number from migrations order by number');
    await client.end();
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  });

  test.each([
    ['of a newer version', `insert into migrations (number, name) values (9999, 'later')`, /newer than this code/],
    ['with synchronous_commit off', `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`, /synchronous_commit = off/],
  ])('refuses a database %s', async (_, sql, says) => {
    const other = await freshDatabase();
    await asAdmin((admin) => admin.query(sql), other.url);
    await expect(migrate(other.url)).rejects.toThrow(says);
    await expect(migrate(other.url)).rejects.toBeInstanceOf(DatabaseRefused);
    await other.drop();
  });
});

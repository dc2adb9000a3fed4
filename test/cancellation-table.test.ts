import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../workflows/contract/check.ts';
import type { Status } from '../workflows/contract/status.ts';
import { checkRows } from '../workflows/contract/check-rows.ts';
import { doorNames, presses, pressNames, readAfresh, type DoorName, type PressName } from './support/presses.ts';
import { evidenceOf, moments, openScene, type Scene, type SceneOptions } from './support/scenes.ts';
import { closeStatus, runExists, statusWhere } from './support/waiting.ts';

interface Row {
  /** "a cancel …" */
  readonly when: string;
  readonly at: keyof typeof moments;
  readonly scene?: SceneOptions;
  /** The headlines that may stand in the end; more than one only where two things race. */
  readonly ends: readonly string[];
  readonly effect: 'prevented' | 'too_late';
  readonly closes: 'CANCELLED' | 'COMPLETED' | 'FAILED';
  /** How many messages the mail service has taken of this report. */
  readonly taken: number;
  /** Whether the model server saw a client leave in the middle of an answer. */
  readonly cutsOff?: boolean;
  /** Temporal takes a plain cancel of a closed run and does nothing; only the other doors leave a receipt. */
  readonly isClosed?: boolean;
}

const nothing = 'Cancelled. No report was saved and no email was sent';
const notStarted = 'Cancelled. Report saved; email not started';
const accepted = 'Report saved; email accepted by the mail service';
const slowReply = { at: 'dot', delayMs: 900 } as const;
const refusing = { at: 'RCPT', reply: '451 4.3.0 later' } as const;
const silent = { at: 'dot', then: 'hang' } as const;

const table: readonly Row[] = [
  { when: 'during the collection', at: 'collecting', scene: { holdsSource: true }, ends: [nothing], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'during a model call that can be interrupted', at: 'summarising', ends: [nothing], effect: 'prevented', closes: 'CANCELLED', taken: 0, cutsOff: true },
  { when: 'during a model call that cannot be interrupted', at: 'summarisingStubbornly', scene: { isStubborn: true }, ends: [nothing], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'together with the save', at: 'nearSave', ends: [nothing, notStarted], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'while the save is being committed', at: 'saving', ends: [notStarted], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'between save and send', at: 'saved', ends: [notStarted], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'while the only send is in flight', at: 'sending', scene: { fault: slowReply }, ends: [`Finished before it could be cancelled. ${accepted}`], effect: 'too_late', closes: 'COMPLETED', taken: 1 },
  { when: 'while the first of two sends is in flight', at: 'sendingFirstOfTwo', scene: { fault: slowReply }, ends: ['Cancelled. Report saved; 1 email accepted by the mail service, 1 not started'], effect: 'prevented', closes: 'CANCELLED', taken: 1 },
  { when: 'while a send is in flight that will time out', at: 'sendingFirstOfTwo', scene: { fault: silent }, ends: ['Cancelled. Report saved; 1 email unconfirmed, 1 not started'], effect: 'prevented', closes: 'CANCELLED', taken: 1 },
  { when: 'between two tries of a send', at: 'betweenTries', scene: { fault: refusing }, ends: ['Cancelled. Report saved; email refused by the mail service'], effect: 'prevented', closes: 'CANCELLED', taken: 0 },
  { when: 'after an email request timed out', at: 'ended', scene: { fault: silent }, ends: ['Finished before it could be cancelled. Report saved; email outcome unconfirmed'], effect: 'too_late', closes: 'COMPLETED', taken: 1, isClosed: true },
  { when: 'after the report has finished', at: 'ended', ends: [`Finished before it could be cancelled. ${accepted}`], effect: 'too_late', closes: 'COMPLETED', taken: 1, isClosed: true },
  { when: 'after the report was cancelled', at: 'cancelled', ends: [nothing], effect: 'prevented', closes: 'CANCELLED', taken: 0, cutsOff: true, isClosed: true },
  { when: 'after the report has failed', at: 'failed', ends: ['Failed while summarising. No report was saved and no email was sent'], effect: 'too_late', closes: 'FAILED', taken: 0, isClosed: true },
];

const ways = doorNames.flatMap((door) => pressNames.map((press) => ({ door, press })));

describe.each(table)('a cancel $when', (row) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(row.scene ?? {});
  });
  afterAll(() => scene.close());

  test.each(ways)('by $door, $press', async ({ door, press }) => {
    const takenBefore = await scene.mailService.taken();
    const id = await moments[row.at](scene);
    const receipts = await pressAndLetGo(scene, row, id, door, press);
    const found = await evidenceOf(scene, id);
    const isUnheard = row.isClosed === true && door === 'plain';
    const { status, ledger } = found;

    expect(headlinesOf(row, isUnheard)).toContain(status.headline);
    expect(await closeStatus(scene.product, id)).toBe(row.closes);
    expect(found.taken - takenBefore).toBe(row.taken);
    expect(found.cutOff.includes(true)).toBe(row.cutsOff ?? false);
    expect(ledger.filter(({ kind }) => kind === 'cancel_accepted').length).toBe(isUnheard && row.at !== 'cancelled' ? 0 : 1);
    expect(new Set([...receipts, ...receiptOf(status)]).size).toBe(isUnheard && row.at !== 'cancelled' ? 0 : 1);
    expect(status.cancelRequest?.effect).toBe(isUnheard && row.at !== 'cancelled' ? undefined : row.effect);
    expect(check(ledger).violations).toEqual([]);
    expect(violationsOfRows(found)).toEqual([]);
    expect(await readAfresh(scene.product, id)).toEqual(status);
  });
});

async function pressAndLetGo(scene: Scene, { at }: Row, id: string, door: DoorName, press: PressName): Promise<readonly string[]> {
  const pressing = presses[press](scene.product, door, id);
  // The save is under way and holds the fence: it comes first, and the cancel waits for it.
  await Promise.race([pressing, at === 'saving' ? letGo(scene) : pressing]);
  const receipts = await pressing;
  const seen = await readAfresh(scene.product, id);
  expect(seen?.id).toBe(id);
  // A plain cancel is answered by Temporal; it comes before the send only once a worker has recorded it.
  if (at === 'saved') await statusWhere(scene.product, id, ({ cancelRequest }) => cancelRequest !== null, 'the cancel to be recorded');
  await letGo(scene);
  return receipts.flatMap((receipt) => receipt?.receiptId ?? []);
}

function receiptOf({ cancelRequest }: Status): readonly string[] {
  return cancelRequest === null ? [] : [cancelRequest.receiptId];
}

async function letGo(scene: Scene): Promise<void> {
  await Promise.all(scene.gates.splice(0).map((gate) => gate.open()));
}

/** A plain cancel that comes too late reaches nothing of the product, so nothing says that it came. */
function headlinesOf({ ends }: Row, isUnheard: boolean): readonly string[] {
  return isUnheard ? ends.map((end) => end.replace('Finished before it could be cancelled', 'Finished')) : ends;
}

function violationsOfRows({ ledger, rows }: Awaited<ReturnType<typeof evidenceOf>>): readonly unknown[] {
  const { state } = check(ledger);
  return state === null || rows === null ? ['nothing to compare'] : checkRows(state, rows);
}

describe('a cancel while the report is queued and no worker is alive', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ works: false });
  });
  afterAll(() => scene.close());

  test.each(ways.filter(({ door }) => door === 'http'))('by $door, $press, ends it at once; the run closes once a worker is there', async ({ door, press }) => {
    const id = await moments.queued(scene);
    const receipts = await presses[press](scene.product, door, id);
    const status = await readAfresh(scene.product, id);
    expect(status).toMatchObject({ phase: 'cancelled', headline: 'Cancelled before anything started', cancelRequest: { effect: 'prevented', prevented: { save: true, emails: 1 } } });
    expect(new Set(receipts.map((receipt) => receipt?.receiptId))).toEqual(new Set([status?.cancelRequest?.receiptId]));
    await scene.product.startWorker();
    expect(await closeStatus(scene.product, id)).toBe('CANCELLED');
    await scene.product.stopWorker();
    expect(await readAfresh(scene.product, id)).toEqual(status);
    expect(scene.modelServer.requests).toEqual([]);
  });

  test.each(ways.filter(({ door }) => door === 'plain'))('by $door, $press, is recorded once a worker is there', async ({ door, press }) => {
    const id = await moments.queued(scene);
    await runExists(scene.product, id);
    await presses[press](scene.product, door, id);
    expect((await readAfresh(scene.product, id))?.headline).toBe('Queued');
    await scene.product.startWorker();
    expect(await closeStatus(scene.product, id)).toBe('CANCELLED');
    await scene.product.stopWorker();
    const status = await readAfresh(scene.product, id);
    expect(status).toMatchObject({ headline: 'Cancelled before anything started', cancelRequest: { door: 'workflow', effect: 'prevented' } });
    expect(scene.modelServer.requests).toEqual([]);
  });
});

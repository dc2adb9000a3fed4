import { randomUUID } from 'node:crypto';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { Store } from '../../store/store.ts';
import { claimOf, registerReport, throughSave, throughSummary } from './steps.ts';

export interface Raced {
  readonly ledger: readonly Entry[];
  /** Whether the rival of the cancel was accepted, by the answer it got. */
  readonly rivalWon: boolean;
  /** The receipt that the cancel was answered with. */
  readonly receipt: string | null;
}

type Rival = 'begin' | 'save' | 'claim';

const atOnce = 8;

/** Lets a cancel and a rival reach the same report at once, over and over, each from another connection. */
export async function race(stores: readonly Store[], rival: Rival, times: number, prefix: string): Promise<Raced[]> {
  const results: Raced[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < times) {
      const number = next;
      next += 1;
      results.push(await raceOnce(stores, rival, `${prefix}-${rival}-${number}`, number));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

async function raceOnce(stores: readonly Store[], rival: Rival, report: string, number: number): Promise<Raced> {
  const [here, there] = [pick(stores, number), pick(stores, number + 1)];
  const prepare = { begin: registerReport, save: throughSummary, claim: throughSave } as const;
  await prepare[rival](here, report);
  const cancel = (): Promise<string | null> => cancelled(here, report);
  const run = (): Promise<boolean> => accepted(there, rival, report);
  // A drawn head start for one side or the other, around the time that a decision takes.
  const headStartMs = Math.random() * 2 - 1;
  const [receipt, rivalWon] = await Promise.all([after(Math.max(0, headStartMs), cancel), after(Math.max(0, -headStartMs), run)]);
  return { ledger: await here.reading.ledger(report), rivalWon, receipt };
}

async function cancelled(store: Store, report: string): Promise<string | null> {
  const answer = await store.decisions.cancel(report, { receipt: randomUUID(), request: randomUUID(), door: 'http', by: null, reason: null });
  return answer?.cancel?.receiptId ?? null;
}

async function accepted(store: Store, rival: Rival, report: string): Promise<boolean> {
  const { decision } = await {
    begin: () => store.decisions.begin(report, { operation: randomUUID(), step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 }),
    save: () => store.decisions.save(report, 'text', 'hash'),
    claim: () => store.decisions.claim(report, claimOf('report-1')),
  }[rival]();
  return decision.kind === 'accepted';
}

function after<Result>(ms: number, run: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    setTimeout(() => void run().then(resolve, reject), ms);
  });
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../workflows/contract/entry.ts';
import { openStore, type Store } from '../store/store.ts';
import { freshDatabase } from './support/database.ts';
import { environment } from '../config.ts';
import { race, type Raced } from './support/races.ts';

/** How many interleavings in all; set RACES for more. */
const races = Number(environment()['RACES'] ?? 5000);
const stores: Store[] = [];

beforeAll(async () => {
  const { url } = await freshDatabase();
  stores.push(...Array.from({ length: 4 }, () => openStore({ url, poolSize: 3 })));
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
});

const rivals = ['begin', 'save', 'claim'] as const;
const kinds = { begin: 'operation_begun', save: 'saved', claim: 'email_claimed' } as const;
/** A begin needs nothing before it, so most interleavings can be its. */
const shares = { begin: 0.5, save: 0.25, claim: 0.25 } as const;

describe.each(rivals)('cancel against %s, on several connections', (rival) => {
  let raced: readonly Raced[] = [];
  beforeAll(async () => {
    raced = await race(stores, rival, Math.ceil(races * shares[rival]), randomUUID());
  }, 600_000);

  test(`no ${rival} follows an accepted cancel in any ledger`, () => {
    const offenders = raced.filter(({ ledger }) => sequenceOf(ledger, kinds[rival]) > sequenceOf(ledger, 'cancel_accepted'));
    expect(offenders).toEqual([]);
    expect(raced.length).toBe(Math.ceil(races * shares[rival]));
  });

  test('the answer that each side got is what its ledger says', () => {
    const liars = raced.filter(({ ledger, rivalWon, receipt }) => {
      const cancel = ledger.find((entry) => entry.kind === 'cancel_accepted');
      return ledger.some(({ kind }) => kind === kinds[rival]) !== rivalWon || cancel?.receipt !== receipt;
    });
    expect(liars).toEqual([]);
  });

  test('either side wins some of the time', () => {
    expect(raced.filter(({ rivalWon }) => rivalWon).length).toBeGreaterThan(0);
    expect(raced.filter(({ rivalWon }) => !rivalWon).length).toBeGreaterThan(0);
  });
});

function sequenceOf(ledger: readonly Entry[], kind: Entry['kind']): number {
  return ledger.findLast((entry) => entry.kind === kind)?.sequence ?? 0;
}

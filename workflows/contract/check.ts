import { emptyWhole, foldInto, stateOf, type Whole } from './check-fold.ts';
import { emptyPast, remember, type Past } from './check-past.ts';
import { ledgerPoints } from './check-points.ts';
import { isEntry, isRecord } from './check-shape.ts';
import type { Told, Violation } from './check-point.ts';
import type { Entry } from './entry.ts';
import type { State } from './state.ts';

export interface Checked {
  readonly violations: readonly Violation[];
  /** The fold of the ledger; null where it has none. */
  readonly state: State | null;
  /** The points that were checked in full. */
  readonly checked: readonly number[];
}

/**
 * Proves points 1 to 15 of one ledger, by rules over its entries that share nothing with `decide`.
 * Total: whatever stands in place of entries is answered with violations. Linear, but for many attempts of one email.
 * Points 14 and 15 are checked in full only against what a status told of the same ledger.
 */
export function check(entries: readonly Entry[], told?: Told): Checked {
  const { sound, violations } = sift(entries);
  const past = emptyPast();
  const whole = emptyWhole(violations.length > 0);
  for (const entry of sound) readEntry(entry, past, whole, violations);
  const state = stateOf(whole);
  for (const { number, objectsAtLast } of ledgerPoints) note(violations, number, null, objectsAtLast(past, state, told));
  return { violations, state, checked: checkedPoints(state !== null, told !== undefined) };
}

function sift(entries: readonly unknown[]): { sound: Entry[]; violations: Violation[] } {
  const sound: Entry[] = [];
  const violations: Violation[] = [];
  for (const entry of entries) {
    if (isEntry(entry)) sound.push(entry);
    else violations.push(malformation(entry));
  }
  return { sound, violations };
}

/** Every point sees the entry with all that came before it; then the entry belongs to the past. */
function readEntry(entry: Entry, past: Past, whole: Whole, violations: Violation[]): void {
  const state = stateOf(whole);
  for (const { number, objectsTo } of ledgerPoints) {
    note(violations, number, entry.sequence, objectsTo(entry, past, state));
  }
  remember(past, entry);
  note(violations, 12, entry.sequence, foldInto(whole, entry));
}

function malformation(entry: unknown): Violation {
  const sequence = isRecord(entry) && typeof entry['sequence'] === 'number' ? entry['sequence'] : null;
  return { rule: 1, sequence, says: 'There is something that is no entry of this version of the contract.' };
}

function note(violations: Violation[], rule: number, sequence: number | null, says: string | null): void {
  if (says !== null) violations.push({ rule, sequence, says });
}

const needFold = [12, 15];
const needTold = [14, 15];

function checkedPoints(isFolded: boolean, isTold: boolean): number[] {
  const left = [...(isFolded ? [] : needFold), ...(isTold ? [] : needTold)];
  return ledgerPoints.map(({ number }) => number).filter((number) => !left.includes(number));
}

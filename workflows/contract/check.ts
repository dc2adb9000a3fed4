import { emptyWhole, foldInto, stateOf, type Whole } from './check-fold.ts';
import { emptyPast, remember, type Past } from './check-past.ts';
import { ledgerPoints } from './check-points.ts';
import { isEntry, isRecord } from './check-shape.ts';
import type { Told, Violation } from './check-point.ts';
import type { Entry, State } from './vocabulary.ts';

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
  const malformed = entries.filter((entry) => !isEntry(entry)).map(malformation);
  const past = emptyPast();
  const whole = emptyWhole(malformed.length > 0);
  const objections = entries.filter(isEntry).flatMap((entry) => readEntry(entry, past, whole));
  const state = stateOf(whole);
  const atLast = ledgerPoints.flatMap(({ number, objectsAtLast }) => asViolations(number, null, objectsAtLast(past, state, told)));
  return { violations: [...malformed, ...objections, ...atLast], state, checked: checkedPoints(state !== null, told !== undefined) };
}

/** Every point sees the entry with all that came before it; then the entry belongs to the past. */
function readEntry(entry: Entry, past: Past, whole: Whole): Violation[] {
  const state = stateOf(whole);
  const objections = ledgerPoints.flatMap(({ number, objectsTo }) => asViolations(number, entry.sequence, objectsTo(entry, past, state)));
  remember(past, entry);
  return [...objections, ...asViolations(12, entry.sequence, foldInto(whole, entry))];
}

function malformation(entry: unknown): Violation {
  const sequence = isRecord(entry) && typeof entry['sequence'] === 'number' ? entry['sequence'] : null;
  return { rule: 1, sequence, says: 'There is something that is no entry of this version of the contract.' };
}

function asViolations(rule: number, sequence: number | null, says: string | null): Violation[] {
  return says === null ? [] : [{ rule, sequence, says }];
}

const needFold = [12, 15];
const needTold = [14, 15];

function checkedPoints(isFolded: boolean, isTold: boolean): number[] {
  const left = [...(isFolded ? [] : needFold), ...(isTold ? [] : needTold)];
  return ledgerPoints.map(({ number }) => number).filter((number) => !left.includes(number));
}

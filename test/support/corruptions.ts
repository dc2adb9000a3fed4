import type { Entry, Event } from '../../workflows/contract/entry.ts';
import type { Random } from './random.ts';

/** Turns a ledger into another that should not pass for one. */
export type Corruption = (entries: readonly Entry[]) => Entry[];

/** Which entry is meant: the last one that has these fields. */
type Which = { readonly kind: Entry['kind'] } & Readonly<Record<string, unknown>>;

/** The ledger as it would be read from outside, where no type keeps it whole. */
function asRead(entries: readonly unknown[]): Entry[] {
  return JSON.parse(JSON.stringify(entries));
}

/** Numbers and dates the entries anew, so that only their order tells what was done to them. */
function smooth(entries: readonly object[], original: readonly Entry[]): Entry[] {
  const latest = original.at(-1)?.at;
  return asRead(entries.map((entry, index) => ({ ...entry, sequence: index + 1, at: original[index]?.at ?? latest })));
}

function indexOf(entries: readonly Entry[], which: Which): number {
  const index = entries.findLastIndex((entry) => {
    const fields: Readonly<Record<string, unknown>> = { ...entry };
    return Object.entries(which).every(([name, value]) => fields[name] === value);
  });
  if (index === -1) throw new Error(`no entry to corrupt: ${JSON.stringify(which)}`);
  return index;
}

export function without(which: Which): Corruption {
  return (entries) => smooth(entries.toSpliced(indexOf(entries, which), 1), entries);
}

/** Leaves the gap that taking an entry out makes. */
export function tornOut(which: Which): Corruption {
  return (entries) => entries.toSpliced(indexOf(entries, which), 1);
}

export function twice(which: Which): Corruption {
  return (entries) => {
    const index = indexOf(entries, which);
    return smooth(entries.toSpliced(index, 0, ...entries.slice(index, index + 1)), entries);
  };
}

export function changed(which: Which, change: Readonly<Record<string, unknown>>): Corruption {
  return (entries) => {
    const index = indexOf(entries, which);
    return asRead(entries.with(index, Object.assign({}, entries[index], change)));
  };
}

export function movedBehind(which: Which, mark: Which): Corruption {
  return (entries) => {
    const from = indexOf(entries, which);
    const left = entries.toSpliced(from, 1);
    return smooth(left.toSpliced(indexOf(left, mark) + 1, 0, ...entries.slice(from, from + 1)), entries);
  };
}

export function addedBehind(mark: Which, event: Event): Corruption {
  return (entries) => {
    const index = indexOf(entries, mark) + 1;
    return smooth([...entries.slice(0, index), event, ...entries.slice(index)], entries);
  };
}

export function addedLast(event: Event): Corruption {
  return (entries) => smooth([...entries, event], entries);
}

/** One corruption after the other. */
export function both(first: Corruption, second: Corruption): Corruption {
  return (entries) => second(first(entries));
}

/** As many ledgers as it has fields, each with one field that is nothing it could be. */
export function withOneOddFieldEach(entries: readonly Entry[]): Entry[][] {
  return entries.flatMap((entry, index) => Object.keys(entry).map((name) => asRead(entries.with(index, Object.assign({}, entry, { [name]: {} })))));
}

const oddities = [null, '', 'constructor', '__proto__', -1, 0, 1e308, true, [], {}, 'report-1', '2025-08-01T08:00:00.000Z'] as const;

/** A ledger that was mauled in one to five places, in ways that nobody thought of. */
export function mauled(entries: readonly Entry[], chance: Random): Entry[] {
  let torn: unknown[] = [...entries];
  for (let bites = 1 + chance.below(5); bites > 0; bites -= 1) torn = bitten(torn, chance);
  return asRead(torn);
}

function bitten(entries: readonly unknown[], chance: Random): unknown[] {
  const index = chance.below(entries.length);
  const other = chance.below(entries.length);
  const entry = entries[index];
  if (entry === undefined) return [];
  return chance.pick([
    () => entries.toSpliced(index, 1),
    () => entries.toSpliced(other, 0, entry),
    () => entries.with(index, entries[other]).with(other, entry),
    () => entries.with(index, chance.pick(oddities)),
    () => entries.with(index, withOddField(entry, entries[other], chance)),
    () => entries.with(index, withOddField(entry, entries[other], chance)),
  ])();
}

/** Puts something odd into one field, or what another entry has there. */
function withOddField(entry: unknown, other: unknown, chance: Random): unknown {
  const fields = Object.entries(Object.assign({}, entry, other));
  const [name, value] = fields[chance.below(fields.length)] ?? ['kind', 'none'];
  return Object.assign({}, entry, { [name]: chance.pick([value, value, chance.pick(oddities)]) });
}

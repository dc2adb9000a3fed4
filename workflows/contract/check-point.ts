import type { Past } from './check-past.ts';
import type { Entry } from './entry.ts';
import type { State } from './state.ts';
import type { Phase } from './vocabulary.ts';

export type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/** What a status told of the same ledger. */
export interface Told {
  readonly headline: string;
  readonly phase: Phase;
  readonly effect: 'pending' | 'prevented' | 'too_late' | null;
}

export interface Violation {
  /** The number of the point that objects. */
  readonly rule: number;
  /** The entry it objects to; null where it is not one entry. */
  readonly sequence: number | null;
  readonly says: string;
}

/** One thing the checker proves, as `standdown verify` prints it. */
export interface Point {
  readonly number: number;
  readonly sentence: string;
}

/** A point about one ledger: what it objects to in an entry after its past, and in the ledger once all is read; null means nothing. */
export interface LedgerPoint extends Point {
  readonly objectsTo: (entry: Entry, past: Past, folded: State | null) => string | null;
  readonly objectsAtLast: (past: Past, folded: State | null, told: Told | undefined) => string | null;
}

export const nothingAtLast = (): null => null;

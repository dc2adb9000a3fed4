import type { Command } from './command.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { reduce } from './reduce.ts';
import { prevented, settle } from './settle.ts';
import type { Entry, Event } from './entry.ts';
import type { State } from './state.ts';

export interface Transaction {
  readonly decision: Decision;
  readonly state: State | null;
  readonly entries: readonly Entry[];
}

/** One fence transaction: decides, folds what was decided, and settles. `now` is the database's clock (ISO, UTC, milliseconds). */
export function transact(state: State | null, command: Command, now: string): Transaction {
  const at = state !== null && state.report.updatedAt > now ? state.report.updatedAt : now;
  const decision = decide(state, command, at);
  if (decision.kind !== 'accepted') return { decision, state, entries: [] };
  const entries: Entry[] = [];
  let next = state;
  const append = (event: Event): void => {
    const entry: Entry = { ...event, sequence: (next?.report.sequence ?? 0) + 1, at };
    entries.push(entry);
    next = reduce(next, entry);
  };
  decision.events.forEach(append);
  const concluded = conclusion(next);
  if (concluded !== null) append(concluded);
  return { decision, state: next, entries };
}

function conclusion(state: State | null): Event | null {
  const end = state === null ? null : settle(state.report);
  if (state === null || end === null) return null;
  return { kind: 'concluded', phase: end, prevented: end === 'cancelled' ? prevented(state.report) : null };
}

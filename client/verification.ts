import { check } from '../workflows/contract/check.ts';
import { checkChain, chainPoint, type Link } from '../workflows/contract/check-chain.ts';
import type { Told, Violation } from '../workflows/contract/check-point.ts';
import { checkRows, rowsPoint } from '../workflows/contract/check-rows.ts';
import { headline } from '../workflows/contract/headline.ts';
import { effectOf, type Status } from '../workflows/contract/status.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import type { Report, State } from '../workflows/contract/state.ts';
import type { Store } from '../store/store.ts';
import type { StoredRows } from '../store/verification.ts';

/** What checking one report came to. */
export interface Verified {
  readonly reportId: string;
  /** How many entries its ledger has. */
  readonly entries: number;
  readonly violations: readonly Violation[];
  /** The numbers of the points that were checked in full. */
  readonly checked: readonly number[];
}

export interface Verification {
  /** Checks one report, and the chain of reports that it supersedes; null where there is none of this id. */
  one(reportId: string): Promise<Verified | null>;
  /** Checks every report, a page at a time; a chain is checked once, with the report that nothing supersedes. */
  all(): AsyncIterable<Verified>;
}

const pageSize = 100;

/** Proves the checker's points from what the store holds: ledgers, the rows beside them, and chains of superseding reports. */
export function createVerification({ verification }: Pick<Store, 'verification'>): Verification {
  const { ids, rows } = verification;
  return {
    one: async (reportId) => {
      const stored = await rows(reportId);
      return stored === null ? null : withChain(verifyRows(stored), await chainOf(stored, rows));
    },
    all: async function* () {
      for await (const id of everyId(ids)) {
        const stored = await rows(id);
        if (stored === null) continue;
        const isNewest = stored.report.supersededBy === null;
        yield withChain(verifyRows(stored), isNewest ? await chainOf(stored, rows) : []);
      }
    },
  };
}

/** Proves what one ledger and a status told of it are enough for. Entries later than the status are left out. */
export function verifyLedger(status: Status, entries: readonly Entry[]): Verified {
  const until = entries.filter(({ sequence }) => sequence <= status.sequence);
  const told = { headline: status.headline, phase: status.phase, effect: status.cancelRequest?.effect ?? null };
  const { violations, checked } = check(until, told);
  return { reportId: status.id, entries: until.length, violations, checked };
}

async function* everyId(ids: Store['verification']['ids']): AsyncGenerator<string> {
  let page = await ids('', pageSize);
  while (page.length > 0) {
    yield* page;
    page = await ids(page.at(-1) ?? '', pageSize);
  }
}

function verifyRows(stored: StoredRows): Verified {
  const { violations, checked, state } = check(stored.entries, toldBy(stored.report));
  const ofLedger = { reportId: stored.report.id, entries: stored.entries.length, violations, checked };
  return state === null ? ofLedger : withRows(ofLedger, state, stored);
}

function withRows(verified: Verified, state: State, stored: StoredRows): Verified {
  return joined(verified, checkRows(state, stored), rowsPoint.number);
}

/** A chain that is not whole, or in which addresses were erased, cannot be compared: that is no fault, and the point does not count as checked. */
function withChain(verified: Verified, chain: readonly StoredRows[] | null): Verified {
  if (chain === null || chain.some(isErased)) return verified;
  return joined(verified, chain.length === 0 ? [] : checkChain(chain.map(asLink)), chainPoint.number);
}

function joined({ violations, checked, ...rest }: Verified, more: readonly Violation[], point: number): Verified {
  return { ...rest, violations: [...violations, ...more], checked: [...checked, point] };
}

function isErased({ report, recipients }: StoredRows): boolean {
  return recipients.length < report.recipients;
}

function asLink({ entries, recipients }: StoredRows): Link {
  return { entries, recipients };
}

/** The reports that led to this one, oldest first, and this one; null where they cannot all be found. */
async function chainOf(newest: StoredRows, rows: Store['verification']['rows']): Promise<StoredRows[] | null> {
  const chain = [newest];
  const seen = new Set([newest.report.id]);
  for (let older = newest.report.supersedes; older !== null; older = chain[0]?.report.supersedes ?? null) {
    const stored = seen.has(older) ? null : await rows(older);
    if (stored === null) return null;
    seen.add(older);
    chain.unshift(stored);
  }
  return chain;
}

/** What a status tells of this fence; nothing where the fence is too damaged for one, which point 16 objects to. */
function toldBy(report: Report): Told | undefined {
  try {
    return { headline: headline(report), phase: report.phase, effect: report.cancel === null ? null : effectOf(report.phase) };
  } catch {
    return undefined;
  }
}

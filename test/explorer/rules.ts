import type { Command } from '../../workflows/contract/command.ts';
import { decide } from '../../workflows/contract/decide.ts';
import { reduce } from '../../workflows/contract/reduce.ts';
import { prevented, settle } from '../../workflows/contract/settle.ts';
import { transact, type Transaction } from '../../workflows/contract/transact.ts';
import type { Entry, Event } from '../../workflows/contract/entry.ts';
import type { Report, State } from '../../workflows/contract/state.ts';
import type { End } from '../../workflows/contract/vocabulary.ts';

/** The product's transaction, and what the processes around it promise; a row of the table switches one of them off. */
export interface Rules {
  readonly transact: (state: State | null, command: Command, now: string) => Transaction;
  readonly operationsAreExecutions: boolean;
  readonly onlyAcceptedCancelsAreTold: boolean;
  readonly sendersClaimFirst: boolean;
  readonly sendersCheckTheirClocks: boolean;
  readonly claimedSendsGoOn: boolean;
  readonly replaysCarryOneKey: boolean;
  readonly windowsKeepAMargin: boolean;
  readonly absenceProvesNothing: boolean;
  readonly missingReportsAreNotAdopted: boolean;
  readonly cancelsAreForwarded: boolean;
  readonly requestsAreRecordedBeforeClosing: boolean;
  readonly onlyClosedRunsHaveVanished: boolean;
  readonly emailsDoNotWaitForAnother: boolean;
  readonly overtakenFailuresAreTriedAgain: boolean;
}

export const allRules: Rules = {
  transact,
  operationsAreExecutions: true,
  onlyAcceptedCancelsAreTold: true,
  sendersClaimFirst: true,
  sendersCheckTheirClocks: true,
  claimedSendsGoOn: true,
  replaysCarryOneKey: true,
  windowsKeepAMargin: true,
  absenceProvesNothing: true,
  missingReportsAreNotAdopted: true,
  cancelsAreForwarded: true,
  requestsAreRecordedBeforeClosing: true,
  onlyClosedRunsHaveVanished: true,
  emailsDoNotWaitForAnother: true,
  overtakenFailuresAreTriedAgain: true,
};

/** What a blindfolded transaction takes for the truth, where that differs from the product's. */
export interface Blindfold {
  /** The state that a command is decided on; its entries are still folded into the true one. */
  readonly sees?: (state: State, command: Command) => State;
  /** The state after an entry, instead of the product's fold. */
  readonly folds?: (next: State, entry: Entry, before: State | null) => State;
  /** The report as the settling sees it. */
  readonly settles?: (state: State) => Report;
}

/** The product's own decision, fold and settling, put together as `transact` does, with something hidden from them. */
export function blindfolded(blindfold: Blindfold): Rules['transact'] {
  const { sees = (state) => state, folds = (next) => next, settles = (state) => state.report } = blindfold;
  return (state, command, now) => {
    const at = state !== null && state.report.updatedAt > now ? state.report.updatedAt : now;
    const decision = decide(state === null ? null : sees(state, command), command, at);
    if (decision.kind !== 'accepted') return { decision, state, entries: [] };
    const entries: Entry[] = [];
    let next = state;
    const append = (event: Event): void => {
      const entry: Entry = { ...event, sequence: (next?.report.sequence ?? 0) + 1, at };
      entries.push(entry);
      next = folds(reduce(next, entry), entry, next);
    };
    decision.events.forEach(append);
    const concluded = next === null ? null : conclusion(next.report, settle(settles(next)));
    if (concluded !== null) append(concluded);
    return { decision, state: next, entries };
  };
}

function conclusion(report: Report, end: End | null): Event | null {
  return end === null ? null : { kind: 'concluded', phase: end, prevented: end === 'cancelled' ? prevented(report) : null };
}

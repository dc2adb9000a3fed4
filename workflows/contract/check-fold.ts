import { standing } from './check-outbox.ts';
import type { LedgerPoint, Told } from './check-point.ts';
import { emptyRecord } from './check-record.ts';
import type { Past } from './check-past.ts';
import { emailState } from './email.ts';
import { headline } from './headline.ts';
import { reduce } from './reduce.ts';
import { settle } from './settle.ts';
import type { Entry } from './entry.ts';
import type { Email, Operation, Report, State } from './state.ts';

/** The points that compare the ledger with the published functions, and fall away where it cannot be folded. */
export const foldPoints: readonly LedgerPoint[] = [
  {
    number: 12,
    sentence: 'Concluded stands exactly where settling first says so.',
    objectsTo: (entry, _past, folded) => (folded === null ? null : misplacedEnd(entry, settle(folded.report))),
    objectsAtLast: (_past, folded) => (folded === null ? null : missingEnd(settle(folded.report))),
  },
  {
    number: 15,
    sentence: 'Headline, phase and email states are what the published functions make of the ledger.',
    objectsTo: () => null,
    objectsAtLast: (past, folded, told) => (folded === null ? null : (differentFold(past, folded) ?? differentTold(folded.report, told))),
  },
];

function misplacedEnd(entry: Entry, due: ReturnType<typeof settle>): string | null {
  if (entry.kind !== 'concluded') return missingEnd(due);
  return entry.phase === due ? null : `The report ended as ${entry.phase} where ${due ?? 'no end'} was due.`;
}

function missingEnd(due: ReturnType<typeof settle>): string | null {
  return due === null ? null : `The report had come to its end, ${due}, and it was not recorded there.`;
}

function differentFold(past: Past, { report, emails }: State): string | null {
  if (report.phase !== past.phase) return `The fold says ${report.phase}, the ledger ${past.phase}.`;
  const different = Object.entries(past.outbox.mails).find(([id, mail]) => standing(mail.attempts) !== emailState(emails[id]?.attempts ?? []));
  if (different !== undefined) return `The fold has another state than the ledger for email ${different[0]}.`;
  const mailed = report.emails.accepted + report.emails.unconfirmed;
  return mailed === past.outbox.total.mailed ? null : `The fold counts ${mailed} emails as accepted or unconfirmed, the ledger ${past.outbox.total.mailed}.`;
}

function differentTold(report: Report, told: Told | undefined): string | null {
  if (told === undefined) return null;
  if (told.phase !== report.phase) return `The phase is ${report.phase}, and ${told.phase} was told.`;
  const due = headline(report);
  return told.headline === due ? null : `The headline is "${due}", and "${told.headline}" was told.`;
}

/** A whole state that grows in place: copying all of it for every entry would be quadratic. */
export interface Whole {
  report: Report | null;
  isBroken: boolean;
  readonly operations: Record<string, Operation>;
  readonly emails: Record<string, Email>;
  readonly requests: Record<string, Entry['kind']>;
}

export function emptyWhole(isBroken: boolean): Whole {
  return { report: null, isBroken, operations: emptyRecord(), emails: emptyRecord(), requests: emptyRecord() };
}

/** The state folded so far; null before the first entry, and for good once an entry could not be folded. */
export function stateOf({ report, isBroken, operations, emails, requests }: Whole): State | null {
  return report === null || isBroken ? null : { report, operations, emails, requests };
}

/** Folds an entry with `reduce`; says why, once, where it is impossible and makes `reduce` throw. */
export function foldInto(whole: Whole, entry: Entry): string | null {
  if (whole.isBroken) return null;
  try {
    merge(whole, reduce(touched(whole, entry), entry));
    return null;
  } catch (error) {
    whole.isBroken = true;
    return `The ledger cannot be folded from here on: ${String(error)}.`;
  }
}

function merge(whole: Whole, { report, operations, emails, requests }: State): void {
  whole.report = report;
  Object.assign(whole.operations, operations);
  Object.assign(whole.emails, emails);
  Object.assign(whole.requests, requests);
}

/** The part of the state that an entry can touch. */
function touched(whole: Whole, entry: Entry): State | null {
  if (whole.report === null) return null;
  const operations = 'operation' in entry ? only(whole.operations, entry.operation) : emptyRecord<Operation>();
  const emails = 'email' in entry ? only(whole.emails, entry.email) : emptyRecord<Email>();
  return { report: whole.report, operations, emails, requests: emptyRecord() };
}

function only<T>(record: Readonly<Record<string, T>>, id: string): Record<string, T> {
  const one = emptyRecord<T>();
  const value = record[id];
  if (value !== undefined) one[id] = value;
  return one;
}

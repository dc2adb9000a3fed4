import { emptyRecord } from './check-record.ts';
import { isRecord } from './check-shape.ts';
import { emailOf, freshEmail } from './email.ts';
import type { Point, Violation } from './check-point.ts';
import type { Email, Operation, Report, State } from './state.ts';

export const rowsPoint = {
  number: 16,
  sentence: 'The stored fence, operations and emails equal the fold of the ledger.',
} as const satisfies Point;

export interface Rows {
  readonly report: Report;
  readonly operations: readonly Operation[];
  readonly emails: readonly Email[];
}

/** Proves point 16: stored rows equal the fold. An email of the report may have no row until something is known of it. */
export function checkRows(state: State, rows: Rows): Violation[] {
  const untouched = (id: string): Email | undefined => (isRecipients(state.report, id) ? freshEmail(id) : undefined);
  return [
    ...differences('the fence', state.report, rows.report),
    ...differentRows('operation', Object.values(state.operations), rows.operations, () => undefined),
    ...differentRows('email', Object.values(state.emails), rows.emails, untouched),
  ].map((says) => ({ rule: rowsPoint.number, sequence: null, says }));
}

function isRecipients(report: Report, id: string): boolean {
  const name = emailOf(id);
  return name?.correction === null && name.number <= report.recipients;
}

type Row = Operation | Email;

function differentRows<R extends Row>(noun: string, folded: readonly R[], rows: readonly R[], unsaid: (id: string) => R | undefined): string[] {
  const said = byId(folded);
  const stored = byId(rows);
  const ids = Object.keys({ ...said, ...stored });
  const different = ids.flatMap((id) => differences(`${noun} ${id}`, said[id] ?? unsaid(id), stored[id] ?? unsaid(id)));
  return rows.length > Object.keys(stored).length ? [`There are two rows of one ${noun}.`, ...different] : different;
}

function byId<R extends Row>(rows: readonly R[]): Record<string, R> {
  const record = emptyRecord<R>();
  rows.forEach((row) => (record[row.id] = row));
  return record;
}

function differences(what: string, said: Report | Row | undefined, stored: Report | Row | undefined): string[] {
  if (said === undefined) return [`There is a row of ${what}, of which the ledger knows nothing.`];
  if (stored === undefined) return [`There is no row of ${what}.`];
  return differentFields(said, stored).map(
    ([name, one, other]) => `In ${what}, ${name} is ${JSON.stringify(other)}, and the ledger makes it ${JSON.stringify(one)}.`,
  );
}

function differentFields(said: object, stored: object): [string, unknown, unknown][] {
  const one: Readonly<Record<string, unknown>> = { ...said };
  const other: Readonly<Record<string, unknown>> = { ...stored };
  return Object.keys({ ...one, ...other })
    .filter((name) => !isSame(one[name], other[name]))
    .map((name) => [name, one[name], other[name]]);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  if (isRecord(one) && isRecord(other)) return differentFields(one, other).length === 0;
  return one === other;
}

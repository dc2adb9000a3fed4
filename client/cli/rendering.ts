import type { EmailStatus, Receipt, Status } from '../../workflows/contract/status.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import { canBeSentAgain } from '../possible-actions.ts';
import type { Verified } from '../verification.ts';
import type { CommandProblem } from './command-problem.ts';
import type { Cancelled, ListPage, Started } from './reports-face.ts';
import type { SettingRow } from './setting-rows.ts';
import type { PointSummary, Summary } from './summary.ts';

type Lines = readonly string[];

/** A whole status: its headline alone on the first line, then what there is to know. */
export function statusLines(status: Status): Lines {
  return [status.headline, '', ...labelled(facts(status))];
}

type Fact = readonly [label: string, ...values: readonly string[]];

/** Each label once, its values below each other. */
function labelled(all: readonly Fact[]): Lines {
  const shown = all.filter(([, ...values]) => values.length > 0);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  return shown.flatMap(([label, ...values]) => values.map((value, index) => `${(index === 0 ? label : '').padEnd(width)}${value}`));
}

function facts(status: Status): Fact[] {
  const { id, month, title, createdAt, requestedBy, failure, cancelRequest, supersedes, supersededBy } = status;
  return [
    ['Report', title === null ? id : `${id} (${title})`],
    ['Month', month],
    ['Started', `${createdAt} by ${requestedBy}`],
    ['Phase', `${status.phase}${status.stopping ? ', stopping' : ''}`],
    ['Reason', ...optional(failure, (reason) => reason.replaceAll('_', ' '))],
    ['Cancel', ...(cancelRequest === null ? [] : receiptLines(cancelRequest))],
    ['Document', documentLine(status)],
    ['Emails', ...emailLines(status)],
    ['Waiting for', ...status.waitingFor.map(({ name, holder, since, deadlineAt }) => `${name} at ${holder} since ${since}, until ${deadlineAt} at the latest`)],
    ['Lost', ...status.operations.filter(({ state }) => state === 'lost').map(({ name, holder, startedAt }) => `${name} at ${holder}, begun ${startedAt}`)],
    ['Skipped', ...status.skipped.map(({ name, why }) => `${name}: ${why}`)],
    ['Corrections', ...status.corrections.map(({ number, orderedAt, message }) => `${number}, ordered ${orderedAt}${message === null ? '' : `: ${message}`}`)],
    ['Supersedes', ...optional(supersedes)],
    ['Superseded by', ...optional(supersededBy)],
    ['Last step', `${words(status.lastCommitted.kind)}, ${status.lastCommitted.at} (entry ${status.lastCommitted.sequence})`],
    ['Cancel would', ...optional(status.cancelWould)],
    ['Started again', ...optional(status.ifStartedAgain)],
  ];
}

function optional<Value extends string>(value: Value | null, as: (value: Value) => string = (text) => text): string[] {
  return value === null ? [] : [as(value)];
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function receiptLines(receipt: Receipt): Lines {
  const { requestedAt, door, by, reason, receiptId } = receipt;
  return [`accepted ${requestedAt} through ${door}${by === null ? '' : ` from ${by}`}${reason === null ? '' : `: ${reason}`}`, effectLine(receipt), `receipt ${receiptId}`];
}

function effectLine({ effect, prevented }: Receipt): string {
  if (effect === 'pending') return 'no further step will start; what it prevents is told at the end';
  if (effect === 'too_late') return 'too late: the report had ended, or ended with nothing left to prevent';
  const { save, emails, furtherAttempts } = prevented ?? { save: false, emails: 0, furtherAttempts: 0 };
  const parts = [
    save ? 'saving the report' : '',
    emails === 0 ? '' : counted(emails, 'email'),
    furtherAttempts === 0 ? '' : `further attempts of ${counted(furtherAttempts, 'email')}`,
  ].filter((part) => part !== '');
  return `prevented ${parts.length === 0 ? 'nothing more' : parts.join(', ')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function documentLine({ document }: Status): string {
  if (document.savedAt === null) return words(document.state);
  return `${document.state === 'saved' ? 'saved' : 'saved and deleted since'}, ${document.savedAt}${document.url === null ? '' : `, ${document.url}`}`;
}

function emailLines(status: Status): Lines {
  const { emails, emailCounts } = status;
  const hidden = Object.values(emailCounts).reduce((sum, count) => sum + count, 0) - emails.filter(({ purpose }) => purpose === 'report').length;
  return [...emails.flatMap((email) => linesOfEmail(status, email)), ...(hidden > 0 ? [`and ${hidden} more: ${countsOf(emailCounts)} in all`] : [])];
}

function countsOf(counts: Status['emailCounts']): string {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${words(state)}`)
    .join(', ');
}

function linesOfEmail(status: Status, email: EmailStatus): Lines {
  const { recipient, state, purpose, attempts, gaveUp, alert, checkByHand } = email;
  const extras = [
    purpose === 'report' ? '' : purpose.replace(':', ' '),
    attempts.length > 1 ? counted(attempts.length, 'attempt') : '',
    gaveUp === null ? '' : `given up (${words(gaveUp)})`,
    alert === null ? '' : words(alert),
  ].filter((extra) => extra !== '');
  const line = [`${recipient ?? '(address erased)'}: ${words(state)}`, ...extras].join(', ');
  return [
    line,
    ...(checkByHand === null ? [] : [`  to check by hand: Message-ID ${checkByHand.messageId}, handed to ${checkByHand.provider} at ${checkByHand.claimedAt}`]),
    ...(canBeSentAgain(status, email) ? [`  to have it sent${attempts.length > 0 ? ' again' : ''}: standdown resend ${status.id} ${email.id}${state === 'unconfirmed' ? ' --accept-duplicate-risk' : ''}`] : []),
  ];
}

/** What was done, below the headline of the report after it. */
export function doneLines({ headline }: Status, says: string): Lines {
  return [headline, '', says];
}

export function startedLines({ report, isRepeat }: Started): Lines {
  return [report.headline, '', `${isRepeat ? 'Started before under this key' : 'Started'}: ${report.id}`, `Watch it: standdown status ${report.id} --watch`];
}

export function cancelledLines({ receipt, report }: Cancelled): Lines {
  return [report.headline, '', ...labelled([['Report', report.id], ['Cancel', ...receiptLines(receipt)]])];
}

export function listLines({ reports, nextCursor }: ListPage): Lines {
  if (reports.length === 0) return ['No reports'];
  const width = Math.max(...reports.map(({ id }) => id.length));
  return [
    ...reports.map(({ id, createdAt, headline, title }) => `${id.padEnd(width)}  ${createdAt}  ${headline}${title === null ? '' : ` (${title})`}`),
    ...(nextCursor === null ? [] : ['', `More: add --cursor ${nextCursor}`]),
  ];
}

export function ledgerLines(entries: readonly Entry[]): Lines {
  const width = String(entries.length).length;
  return entries.map(({ sequence, at, kind, ...rest }) => [String(sequence).padStart(width), at, words(kind).padEnd(19), detailsOf(rest)].join('  ').trimEnd());
}

function detailsOf(rest: object): string {
  return Object.entries(rest)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

export function verifiedLines({ reportId, entries, violations }: Verified): Lines {
  return [
    `${reportId}: ${counted(violations.length, 'violation')} in ${entries === 1 ? '1 entry' : `${entries} entries`}`,
    ...violations.map(({ rule, sequence, says }) => `  point ${rule}${sequence === null ? '' : `, entry ${sequence}`}: ${says}`),
  ];
}

/** What was checked, and what it came to. */
export function summaryLines({ reports, entries, violations, points }: Summary): Lines {
  const width = Math.max(...points.map((point) => verdictOf(point, reports).length));
  return [
    violations === 0 ? 'No violations' : counted(violations, 'violation'),
    '',
    `Checked ${counted(reports, 'report')}, ${entries} ledger entries in all:`,
    ...points.map((point) => `${String(point.number).padStart(4)}  ${verdictOf(point, reports).padEnd(width)}  ${point.sentence}`),
  ];
}

function verdictOf({ violations, checked }: PointSummary, reports: number): string {
  if (violations > 0) return counted(violations, 'violation');
  if (checked === 0) return 'not checked';
  return checked === reports ? 'holds' : `holds where checked (${checked} of ${reports})`;
}

export function settingLines(rows: readonly SettingRow[]): Lines {
  return rows.flatMap(({ name, value, default: fallback, meaning, from }) => [
    `${name}: ${value ?? fallback} (${from === null ? 'default' : `from ${from}; default: ${fallback}`})`,
    `    ${meaning}`,
  ]);
}

export function problemLines({ message, fields }: CommandProblem): Lines {
  return [message, ...fields.map(({ field, says }) => `  ${field === '' ? says : `${field} ${says}`}`)];
}

import { emailState } from './email.ts';
import { headline } from './headline.ts';
import type { Entry } from './entry.ts';
import type { Attempt, Email, Operation, Report } from './state.ts';
import {
  isEnd,
  type Door,
  type EmailAlert,
  type EmailState,
  type FailureReason,
  type GaveUpBecause,
  type OperationState,
  type Phase,
  type Prevented,
  type ToldBy,
} from './vocabulary.ts';

export type Effect = 'pending' | 'prevented' | 'too_late';

/** The durable answer to everybody who asks to cancel: one a report. */
export interface Receipt {
  readonly receiptId: string;
  readonly requestId: string;
  readonly requestedAt: string;
  readonly door: Door;
  readonly by: string | null;
  readonly reason: string | null;
  readonly effect: Effect;
  readonly prevented: Prevented | null;
  readonly sequence: number;
}

export interface OperationStatus {
  readonly id: string;
  readonly name: string;
  readonly state: OperationState;
  readonly holder: string;
  readonly startedAt: string;
  readonly deadlineAt: string;
  readonly stoppingSince: string | null;
  readonly toldAt: string | null;
  readonly toldBy: ToldBy | null;
  readonly endedAt: string | null;
  readonly detail: string | null;
}

export interface AttemptStatus {
  readonly number: number;
  readonly id: string;
  readonly outcome: Attempt['outcome'];
  readonly permanent: boolean;
  readonly claimedAt: string;
  readonly deadlineAt: string;
  readonly endedAt: string | null;
  readonly messageId: string;
  readonly provider: string;
  readonly code: number | null;
  readonly evidence: Attempt['evidence'];
}

export interface EmailStatus {
  readonly id: string;
  /** Null once the address has been erased. */
  readonly recipient: string | null;
  readonly purpose: 'report' | `correction:${number}`;
  readonly state: EmailState;
  readonly attempts: readonly AttemptStatus[];
  readonly gaveUp: GaveUpBecause | null;
  readonly alert: EmailAlert | null;
  /** What to search for by hand where nothing could confirm the outcome. */
  readonly checkByHand: { readonly messageId: string; readonly provider: string; readonly claimedAt: string; readonly recipient: string | null } | null;
}

export interface WaitingFor {
  readonly kind: 'operation' | 'email';
  readonly id: string;
  readonly name: string;
  readonly holder: string;
  readonly since: string;
  /** When the wait ends at the latest: what is open by then is recorded as lost. */
  readonly deadlineAt: string;
}

export interface Status {
  readonly id: string;
  readonly month: string;
  readonly title: string | null;
  readonly createdAt: string;
  readonly requestedBy: string;
  readonly phase: Phase;
  readonly stopping: boolean;
  readonly headline: string;
  readonly cancelRequest: Receipt | null;
  readonly sources: readonly unknown[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  readonly progress: { readonly done: number; readonly total: number | null };
  readonly operations: readonly OperationStatus[];
  readonly document: { readonly state: 'not_saved' | 'saved' | 'deleted'; readonly savedAt: string | null; readonly url: string | null };
  readonly emails: readonly EmailStatus[];
  readonly emailCounts: Partial<Record<EmailState, number>>;
  readonly corrections: readonly { readonly number: number; readonly orderedAt: string; readonly message: string | null }[];
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  readonly lastCommitted: { readonly kind: Entry['kind']; readonly at: string; readonly sequence: number };
  readonly waitingFor: readonly WaitingFor[];
  readonly cancelWould: string | null;
  readonly ifStartedAgain: string | null;
  readonly failure: FailureReason | null;
  readonly sequence: number;
  readonly updatedAt: string;
}

/** Everything a status is made of, as one snapshot of the store holds it. */
export interface Snapshot {
  readonly report: Report;
  readonly month: string;
  readonly title: string | null;
  readonly createdAt: string;
  readonly requestedBy: string;
  readonly sources: readonly unknown[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  readonly cancelledBy: string | null;
  readonly cancelReason: string | null;
  readonly operations: readonly Operation[];
  /** At most the first hundred, in the order of their numbers. */
  readonly emails: readonly (Email & { readonly recipient: string | null })[];
  readonly corrections: readonly { readonly number: number; readonly orderedAt: string; readonly message: string | null }[];
}

/** The status of a report: what everybody outside sees, built in this one place. */
export function statusOf(snapshot: Snapshot): Status {
  const { report } = snapshot;
  const { id, phase, sequence, updatedAt, supersedes, supersededBy } = report;
  const { month, title, createdAt, requestedBy, sources, skipped, corrections } = snapshot;
  const url = report.document.state === 'saved' ? `/reports/${id}/document` : null;
  return {
    ...{ id, month, title, createdAt, requestedBy, phase },
    stopping: report.cancel !== null && !isEnd(phase),
    headline: headline(report),
    cancelRequest: receiptOf(report, snapshot.cancelledBy, snapshot.cancelReason),
    ...{ sources, skipped },
    progress: { done: report.summarised, total: report.documents },
    operations: snapshot.operations.map((operation) => operationStatus(operation, report)),
    document: { state: report.document.state, savedAt: report.document.savedAt, url },
    emails: snapshot.emails.map(emailStatus),
    emailCounts: Object.fromEntries(Object.entries(report.emails).filter(([, count]) => count > 0)),
    ...{ corrections, supersedes, supersededBy },
    lastCommitted: report.last,
    waitingFor: waitingFor(snapshot),
    cancelWould: cancelWould(report),
    ifStartedAgain: ifStartedAgain(report),
    failure: phase === 'failed' ? (report.failure?.reason ?? null) : null,
    ...{ sequence, updatedAt },
  };
}

export function receiptOf(report: Report, by: string | null, reason: string | null): Receipt | null {
  if (report.cancel === null) return null;
  const { receiptId, requestId, at: requestedAt, door, sequence } = report.cancel;
  return { receiptId, requestId, requestedAt, door, by, reason, effect: effectOf(report.phase), prevented: report.prevented, sequence };
}

export function effectOf(phase: Phase): Effect {
  if (!isEnd(phase)) return 'pending';
  return phase === 'cancelled' ? 'prevented' : 'too_late';
}

function operationStatus(operation: Operation, report: Report): OperationStatus {
  const { id, step, state, holder, startedAt, deadlineAt, toldAt, toldBy, endedAt, reason, lostAt } = operation;
  const stoppingSince = state === 'running' ? (report.cancel?.at ?? null) : null;
  const detail = reason ?? (lostAt === null ? null : `recorded as lost at ${lostAt}`);
  return { id, name: step, state, holder, startedAt, deadlineAt, stoppingSince, toldAt, toldBy, endedAt, detail };
}

export function emailStatus(email: Email & { readonly recipient: string | null }): EmailStatus {
  const { id, recipient, gaveUp, alert } = email;
  const state = emailState(email.attempts);
  const correction = /^correction-(\d+)-/.exec(id)?.[1];
  const doubtful = state === 'unconfirmed' ? email.attempts.findLast((attempt) => attempt.outcome === 'unknown' || attempt.outcome === 'lost') : undefined;
  const checkByHand =
    doubtful === undefined ? null : { messageId: doubtful.messageId, provider: doubtful.provider, claimedAt: doubtful.claimedAt, recipient };
  const purpose = correction === undefined ? 'report' : (`correction:${Number(correction)}` as const);
  return { id, recipient, purpose, state, attempts: email.attempts.map(attemptStatus), gaveUp, alert, checkByHand };
}

function attemptStatus(attempt: Attempt, index: number): AttemptStatus {
  const { id, outcome, permanent, claimedAt, deadlineAt, endedAt, messageId, provider, code, evidence } = attempt;
  return { number: index + 1, id, outcome, permanent, claimedAt, deadlineAt, endedAt, messageId, provider, code, evidence };
}

function waitingFor(snapshot: Snapshot): WaitingFor[] {
  const operations = snapshot.operations
    .filter((operation) => operation.state === 'running')
    .map(({ id, step, holder, startedAt, deadlineAt }): WaitingFor => ({ kind: 'operation', id, name: step, holder, since: startedAt, deadlineAt }));
  const emails = snapshot.emails.flatMap((email) =>
    email.attempts
      .filter((attempt) => attempt.open)
      .map(({ id, owner, claimedAt, deadlineAt }): WaitingFor => ({ kind: 'email', id, name: email.id, holder: owner, since: claimedAt, deadlineAt })),
  );
  return [...operations, ...emails];
}

/** What pressing Cancel now would come to; null where there is nothing left to cancel. */
function cancelWould(report: Report): string | null {
  if (isEnd(report.phase) || report.cancel !== null) return null;
  if (report.document.state === 'not_saved') {
    const stop = report.openOperations > 0 ? 'Stop the running operation. ' : '';
    return `${stop}No report would be saved and no email would be sent.`;
  }
  const { sending, accepted, unconfirmed, not_started: notStarted } = report.emails;
  const out = accepted + unconfirmed + sending;
  const kept = out === 0 ? '' : ` ${count(out, 'email')} already handed to the mail service cannot be taken back.`;
  return `The report is saved and stays. ${count(notStarted, 'email')} not yet started would not be sent.${kept}`;
}

/** What exists already, and who would be mailed, if a new report for the month were started now. */
function ifStartedAgain(report: Report): string | null {
  if (!isEnd(report.phase)) return null;
  const mailed = report.emails.accepted + report.emails.unconfirmed;
  const document = report.document.state === 'saved' ? 'A second report would stand beside the saved one.' : 'Nothing of this report would stand in the way.';
  if (mailed === 0) return `${document} ${count(report.recipients, 'recipient')} would be mailed, none of whom this report has mailed.`;
  const others = report.recipients - mailed;
  const who = others > 0 ? count(mailed, 'recipient') : mailed === 1 ? 'The one recipient' : `All ${mailed} recipients`;
  const superseding = others > 0 ? `only the other ${others}` : 'nobody';
  return `${document} ${who} may have this report's email already: a report that supersedes this one mails ${superseding}; any other new one mails ${report.recipients === 1 ? 'that one again' : `all ${report.recipients}`}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import { changeMail, emptyOutbox, noteAttempt, noteClaim, noteCorrection, type Outbox } from './check-outbox.ts';
import { emptyRecord } from './check-record.ts';
import type { Entry, OperationBegun, OperationEnded, OperationLost } from './entry.ts';
import type { Phase, Step } from './vocabulary.ts';

export interface Execution {
  readonly step: Step;
  readonly deadlineAt: string;
  lost: boolean;
  ended: boolean;
}

/** All that a ledger has said before the entry at hand: what the points judge it by. It follows `Past` alone, never `reduce`. */
export interface Past {
  sequence: number;
  at: string;
  phase: Phase;
  /** How many entries of each kind there were. */
  readonly kinds: Record<string, number>;
  readonly executions: Record<string, Execution>;
  readonly openExecutions: Record<string, number>;
  readonly stepsDone: Record<string, true>;
  openOperations: number;
  lastBegun: { readonly step: Step; readonly owner: string } | null;
  documents: number | null;
  summarised: number;
  /** The execution whose summary counts: done, never lost, and from before any cancel. */
  summary: string | null;
  readonly requests: Record<string, true>;
  readonly outbox: Outbox;
}

export function emptyPast(): Past {
  return {
    sequence: 0,
    at: '',
    phase: 'queued',
    kinds: emptyRecord(),
    executions: emptyRecord(),
    openExecutions: emptyRecord(),
    stepsDone: emptyRecord(),
    openOperations: 0,
    lastBegun: null,
    documents: null,
    summarised: 0,
    summary: null,
    requests: emptyRecord(),
    outbox: emptyOutbox(),
  };
}

/** How many entries of a kind there were. */
export function count(past: Past, kind: Entry['kind']): number {
  return past.kinds[kind] ?? 0;
}

export function has(past: Past, kind: Entry['kind']): boolean {
  return count(past, kind) > 0;
}

export function hasFailed(past: Past): boolean {
  return has(past, 'step_failed') || has(past, 'workflow_lost');
}

/** Whether the report is saved and no email of it is left to try. */
export function hasNothingUndone(past: Past): boolean {
  return has(past, 'saved') && past.outbox.total.settled === past.outbox.recipients;
}

/** Takes an entry into the past, whatever it says; objecting to it is the points' matter. */
export function remember(past: Past, entry: Entry): void {
  noteKind(past, entry);
  past.kinds[entry.kind] = count(past, entry.kind) + 1;
  past.sequence = entry.sequence;
  past.at = entry.at;
}

function noteKind(past: Past, entry: Entry): void {
  switch (entry.kind) {
    case 'registered':
      past.outbox.recipients = entry.recipients;
      return;
    case 'operation_begun':
      return noteBegin(past, entry);
    case 'operation_ended':
    case 'operation_lost':
      return noteEndOrLoss(past, entry);
    case 'saved':
      past.phase = 'saved';
      return;
    case 'concluded':
      past.phase = entry.phase;
      return;
    case 'email_claimed':
      return noteClaim(past.outbox, entry);
    case 'attempt_ended':
    case 'claim_lost':
    case 'evidence':
      return noteAttempt(past.outbox, entry);
    case 'gave_up':
      return changeMail(past.outbox, entry.email, (mail) => {
        mail.gaveUp = true;
      });
    case 'document_deleted':
    case 'correction_ordered':
    case 'resend_authorised':
      return noteRequest(past, entry);
    case 'step_failed':
    case 'workflow_lost':
    case 'cancel_accepted':
    case 'superseded':
      return;
  }
}

function noteBegin(past: Past, entry: OperationBegun): void {
  const { operation, step, owner, deadlineAt } = entry;
  past.executions[operation] = { step, deadlineAt, lost: false, ended: false };
  past.phase = step === 'collect' ? 'collecting' : 'summarising';
  past.lastBegun = { step, owner };
  noteOpen(past, step, 1);
}

function noteEndOrLoss(past: Past, entry: OperationEnded | OperationLost): void {
  const execution = past.executions[entry.operation];
  if (execution === undefined) return;
  if (!execution.lost && !execution.ended) noteOpen(past, execution.step, -1);
  if (entry.kind === 'operation_lost') {
    execution.lost = true;
    return;
  }
  if (entry.state === 'done' && !execution.ended && !execution.lost) noteDone(past, entry, execution.step);
  execution.ended = true;
}

function noteOpen(past: Past, step: Step, change: 1 | -1): void {
  past.openExecutions[step] = (past.openExecutions[step] ?? 0) + change;
  past.openOperations += change;
}

function noteDone(past: Past, entry: OperationEnded, step: Step): void {
  if (step === 'collect') past.documents ??= entry.documents;
  else if (step === 'combine') past.summary ??= has(past, 'cancel_accepted') ? null : entry.operation;
  else past.summarised += 1;
  past.stepsDone[step] = true;
}

function noteRequest(past: Past, entry: Extract<Entry, { request: string }>): void {
  past.requests[entry.request] = true;
  if (entry.kind === 'correction_ordered') noteCorrection(past.outbox, entry.emails);
  if (entry.kind === 'resend_authorised') {
    changeMail(past.outbox, entry.email, (mail) => {
      mail.resends = entry.resend;
    });
  }
}

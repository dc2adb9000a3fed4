import type { Account, Command } from '../../workflows/contract/command.ts';
import type { Decision } from '../../workflows/contract/decision.ts';
import { emailId } from '../../workflows/contract/email.ts';
import { transact } from '../../workflows/contract/transact.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { State } from '../../workflows/contract/state.ts';
import type { Authority, Door, FailureReason, GaveUpBecause, Step, ToldBy } from '../../workflows/contract/vocabulary.ts';

/** Something that happens to a report, or some seconds in which nothing does. */
export type Deed = Command | { readonly kind: 'wait'; readonly seconds: number };

/** The time so many seconds into a life; every deed takes one. */
export function second(seconds: number): string {
  return new Date(Date.UTC(2025, 7, 1, 8) + 1000 * seconds).toISOString();
}

export interface Lived {
  readonly entries: Entry[];
  readonly decisions: Decision[];
  readonly state: State | null;
}

/** Carries deeds out one after another, as the store does. */
export function carryOut(deeds: readonly Deed[], before: State | null = null): Lived {
  const entries: Entry[] = [];
  const decisions: Decision[] = [];
  let state = before;
  let seconds = 0;
  for (const deed of deeds) {
    seconds += deed.kind === 'wait' ? deed.seconds : 1;
    if (deed.kind === 'wait') continue;
    const done = transact(state, deed, second(seconds));
    state = done.state;
    entries.push(...done.entries);
    decisions.push(done.decision);
  }
  return { entries, decisions, state };
}

/** The ledger of a life in which nothing was refused. */
export function live(...deeds: readonly (Deed | readonly Deed[])[]): Entry[] {
  const { entries, decisions } = carryOut(deeds.flat());
  const refused = decisions.find((decision) => decision.kind === 'refused');
  if (refused !== undefined) throw new Error(`not a life, something in it is refused: ${JSON.stringify(refused)}`);
  return entries;
}

/** When everything in a life is due, where its deed says nothing else. */
const usualDeadline = second(600);

export function wait(seconds: number): Deed {
  return { kind: 'wait', seconds };
}

export interface Start {
  readonly report?: string;
  readonly month?: string;
  readonly supersedes?: string;
  readonly acceptedDuplicateRisk?: boolean;
}

export function register(recipients: number, start: Start = {}): Deed {
  const { report = 'july', month = '2025-07', supersedes = null, acceptedDuplicateRisk = false } = start;
  return { kind: 'register', report, month, recipients, inputHash: `input of ${report}`, supersedes, acceptedDuplicateRisk };
}

export function cancel(door: Door = 'http', request = 'stop'): Deed {
  return { kind: 'cancel', receipt: `receipt of ${request}`, request, door };
}

export function begin(step: Step, operation: string = step, owner = 'run-1/1', deadlineAt = usualDeadline): Deed {
  return { kind: 'begin', operation, step, owner, holder: 'worker-1', deadlineAt };
}

function end(operation: string, account: Account, toldBy: ToldBy | null = null): Deed {
  return { kind: 'end', operation, account, toldAt: toldBy === null ? null : second(0), toldBy };
}

export function returned(operation: string, documents: number | null = null): Deed {
  return end(operation, { kind: 'returned', digest: `digest of ${operation}`, documents });
}

export function stopped(operation: string, toldBy: ToldBy = 'push'): Deed {
  return end(operation, { kind: 'stopped' }, toldBy);
}

export function broke(operation: string, reason: FailureReason): Deed {
  return end(operation, { kind: 'failed', reason });
}

export function fail(reason: FailureReason, owner = 'run-1'): Deed {
  return { kind: 'fail', owner, reason };
}

export const losePastDeadline: Deed = { kind: 'lose', because: 'deadline' };
export const save: Deed = { kind: 'save', hash: 'hash of the report' };
export const loseWorkflow: Deed = { kind: 'lose_workflow', reason: 'workflow_lost' };

export function loseRun(owner: string): Deed {
  return { kind: 'lose', because: 'given_up', owner };
}

/** Collects documents and summarises each. */
export function summarise(documents: number): Deed[] {
  const numbers = Array.from({ length: documents }, (_, index) => index + 1);
  const each = numbers.flatMap((number) => [begin(`summarise/${number}`), returned(`summarise/${number}`)]);
  return [begin('collect'), returned('collect', documents), ...each];
}

/** Everything up to a saved report that owes its emails. */
export function makeReport(recipients: number, start: Start = {}): Deed[] {
  return [register(recipients, start), ...summarise(2), begin('combine'), returned('combine'), save];
}

export interface Sending {
  readonly authority?: Authority;
  readonly replayUntilAt?: string;
  readonly deadlineAt?: string;
}

/** Claims attempt `number` of an email; attempts are named after both. */
export function claim(email: string, number = 1, { authority = 'report', replayUntilAt, deadlineAt = usualDeadline }: Sending = {}): Deed {
  const message = `${email} for ${authority}`;
  const named = { key: `key of ${message}`, messageId: `<${message}>`, hash: `hash of ${message}`, provider: 'smtp' };
  const times = { replayUntilAt: replayUntilAt ?? null, deadlineAt };
  return { kind: 'claim', email, attempt: attempt(email, number), authority, owner: 'run-1/9', ...named, ...times, ancestor: null };
}

function attempt(email: string, number: number): string {
  return `${email}#${number}`;
}

export function outcome(email: string, is: 'accepted' | 'refused' | 'unknown', number = 1, permanent = false): Deed {
  return { kind: 'outcome', email, attempt: attempt(email, number), outcome: is, permanent, phase: 'data', code: is === 'accepted' ? 250 : null };
}

export function find(email: string, number = 1, copies = 1): Deed {
  return { kind: 'find_evidence', email, attempt: attempt(email, number), source: 'maildev', copies };
}

export function giveUp(email: string, because: GaveUpBecause = 'retry_budget'): Deed {
  return { kind: 'give_up', email, because };
}

/** Sends the emails of the report to the recipients of these numbers. */
export function mail(...numbers: readonly number[]): Deed[] {
  return numbers.flatMap((number) => [claim(emailId(number)), outcome(emailId(number), 'accepted')]);
}

export function deleteDocument(request = 'delete'): Deed {
  return { kind: 'delete_document', request };
}

export function correct(request = 'correct'): Deed {
  return { kind: 'order_correction', request };
}

export function resend(email: string, acceptDuplicateRisk = false, request = 'resend'): Deed {
  return { kind: 'authorise_resend', request, email, acceptDuplicateRisk };
}

export function supersede(by = 'august'): Deed {
  return { kind: 'supersede', by };
}

/** A finished life with very many emails; each is decided on without the others, as in the store. */
export function crowd(recipients: number): Entry[] {
  const { entries, state } = carryOut(makeReport(recipients));
  let before = state;
  for (let number = 1; number <= recipients && before !== null; number += 1) {
    const sent = carryOut(mail(number), { ...before, emails: {} });
    entries.push(...sent.entries);
    before = sent.state;
  }
  return entries;
}

import type { Entry } from '../../workflows/contract/entry.ts';
import type { Report, State } from '../../workflows/contract/state.ts';
import { isEnd, phases, type Phase } from '../../workflows/contract/vocabulary.ts';
import { foldOf } from './recount.ts';
import { runOf, type World } from './world.ts';

/** What the entries of one transaction break of what every ledger promises; null where they break nothing. */
export function faultOfEntries(world: World, entries: readonly Entry[]): string | null {
  const { state: before } = world;
  let last = { sequence: before?.report.sequence ?? 0, at: before?.report.updatedAt ?? '' };
  for (const entry of entries) {
    if (entry.sequence !== last.sequence + 1) return 'the ledger has a gap';
    if (entry.at < last.at) return 'the times of the ledger fall';
    const fault = before === null ? faultOfTheFirst(entry, last.sequence) : faultOfEntry(world, before, entry);
    if (fault !== null) return fault;
    last = entry;
  }
  return null;
}

function faultOfTheFirst(entry: Entry, earlier: number): string | null {
  return (entry.kind === 'registered') === (earlier === 0) ? null : 'a ledger does not start with its registration';
}

function faultOfEntry(world: World, state: State, entry: Entry): string | null {
  const { report } = state;
  switch (entry.kind) {
    case 'registered':
      return 'a report is registered twice';
    case 'cancel_accepted':
      return report.cancel === null ? null : 'a second receipt is written';
    case 'operation_begun':
      return faultOfWorking(world, report, 'a step begins') ?? (report.document.state === 'not_saved' ? null : 'a step begins after the save');
    case 'operation_ended':
      return faultOfEnding(state, entry);
    case 'operation_lost':
      return state.operations[entry.operation]?.state === 'running' ? null : 'an execution is lost that was not running';
    case 'step_failed':
      return faultOfFailing(report, entry.owner);
    case 'workflow_lost':
      return world.runs.length === 0 ? null : 'the workflow counts as vanished while a run lives';
    case 'saved':
      return faultOfSaving(world, state, entry.operation);
    case 'email_claimed':
      return faultOfClaiming(world, report, entry.authority);
    case 'concluded':
      return isEnd(report.phase) ? 'a report ends twice' : isLegal(report.phase, entry.phase) ? null : 'a phase is left for one that never follows it';
    case 'gave_up':
      return isEnd(report.phase) ? 'an ended report gives an email up' : null;
    default:
      return faultOfActing(state, entry);
  }
}

/** Nothing of the report's own starts after a cancel that somebody holds a receipt of, nor after an end. */
function faultOfWorking(world: World, report: Report, what: string): string | null {
  if (report.cancel !== null || world.promised) return `${what} after an accepted cancel`;
  return isEnd(report.phase) ? `${what} after the end` : null;
}

function faultOfEnding(state: State, entry: Entry & { kind: 'operation_ended' }): string | null {
  const operation = state.operations[entry.operation];
  if (operation === undefined || operation.endedAt !== null) return 'an execution ends twice';
  if (entry.state !== 'done') return null;
  if (state.report.cancel !== null) return 'an execution is done after an accepted cancel';
  return operation.state === 'running' ? null : 'the result of a lost execution is used';
}

function faultOfFailing(report: Report, owner: string): string | null {
  if (report.cancel !== null) return 'a step fails after an accepted cancel';
  if (report.document.state !== 'not_saved') return 'a step fails after the save';
  return report.lastBegun === null || runOf(report.lastBegun.owner) === owner ? null : 'a step fails by an execution that is not the latest';
}

function faultOfSaving(world: World, state: State, summary: string): string | null {
  const { document } = state.report;
  if (document.state === 'deleted') return 'a deleted document comes back';
  if (document.state === 'saved') return 'a second save wins';
  const fault = faultOfWorking(world, state.report, 'a save is made');
  if (fault !== null) return fault;
  return state.operations[summary]?.state === 'done' ? null : 'a save rests on a summary that is not done';
}

function faultOfClaiming(world: World, report: Report, authority: string): string | null {
  if (authority === 'report') return faultOfWorking(world, report, 'an email is claimed') ?? faultOfDocument(report);
  if (!isEnd(report.phase)) return 'an email is sent again before the end';
  if (authority.startsWith('correction-')) return null;
  return report.phase === 'cancelled' ? 'a cancelled report sends again' : faultOfDocument(report);
}

function faultOfDocument(report: Report): string | null {
  return report.document.state === 'saved' ? null : 'an email is claimed for a document that is not there';
}

function faultOfActing(state: State, entry: Entry): string | null {
  const { report } = state;
  switch (entry.kind) {
    case 'document_deleted':
      if (report.document.state === 'deleted') return 'a document is deleted twice';
      return isEnd(report.phase) ? null : 'a document is deleted before the end';
    case 'correction_ordered':
      if (!isEnd(report.phase)) return 'a correction is ordered before the end';
      return mailedBy(state) === entry.emails.length ? null : 'a correction does not go to exactly those who may have the email';
    case 'resend_authorised':
      if (!isEnd(report.phase)) return 'a resend is authorised before the end';
      if (report.phase === 'cancelled') return 'a cancelled report sends again';
      return entry.acceptedDuplicateRisk || !isUnconfirmed(state, entry.email) ? null : 'an unconfirmed email is sent again without the accepted risk';
    default:
      return null;
  }
}

function isUnconfirmed(state: State, email: string): boolean {
  return foldOf(state.emails[email]?.attempts ?? []) === 'unconfirmed';
}

function mailedBy(state: State): number {
  const emails = Object.values(state.emails).filter((email) => email.id.startsWith('report-'));
  return emails.filter((email) => ['accepted', 'unconfirmed'].includes(foldOf(email.attempts))).length;
}

/** A transaction may save or begin and end in one go, so an end may also follow the phase after this one. */
function isLegal(from: Phase, to: Phase): boolean {
  const next: readonly Phase[] = phases[from];
  return next.includes(to) || next.some((between) => phases[between].some((phase: Phase) => phase === to));
}

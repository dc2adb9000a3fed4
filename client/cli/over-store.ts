import type { Refusal } from '../../workflows/contract/command.ts';
import type { Status } from '../../workflows/contract/status.ts';
import { keyedActions } from '../keyed-actions.ts';
import type { ActionAnswer, Reports, StartAnswer } from '../reports.ts';
import type { Verification, Verified } from '../verification.ts';
import { CommandProblem, noSuchEmail, noSuchReport, wrongInput } from './command-problem.ts';
import type { ReportsFace } from './reports-face.ts';

export interface StoreDoor {
  readonly reports: Reports;
  readonly verification: Verification;
  /** Brings to Temporal what is due of a report, as far as that is possible now. */
  readonly forward: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const caller = 'cli';

/** The face of reports straight over the database. What it commits, any running process forwards too, so an answer never waits for Temporal. */
export function createStoreFace({ reports, verification, forward, close }: StoreDoor): ReportsFace {
  const { correct, resend } = keyedActions(reports);
  const forwarded: Promise<void>[] = [];
  const forwardLater = (id: string): void => {
    // What cannot be forwarded now is due all the same, and any running process forwards it.
    forwarded.push(forward(id).catch(() => undefined));
  };
  return {
    start: async (input, key) => {
      const answer = await reports.start({ input, key, caller });
      if (!('report' in answer)) throw notStarted(answer);
      forwardLater(answer.report.id);
      return { report: answer.report, isRepeat: answer.kind === 'repeated' };
    },

    status: async (id) => known(id, await reports.status(id)),

    list: async ({ phase, limit, cursor }) => {
      const { items, next } = await reports.list({ phase, limit, cursor: numberOf(cursor) });
      return { reports: items, nextCursor: next === null ? null : String(next) };
    },

    cancel: async (id, reason) => {
      const answer = known(id, await reports.cancel(id, { requestId: null, by: caller, reason, door: 'cli' }));
      forwardLater(id);
      return answer;
    },

    deleteDocument: async (id, key) => done(id, await reports.deleteDocument(id, { request: key, by: caller })),

    correct: async (id, message, key) => {
      const report = done(id, await correct(id, { request: key, by: caller, message }));
      forwardLater(id);
      return report;
    },

    resend: async (id, { email, acceptDuplicateRisk }, key) => {
      const report = done(id, await resend(id, { request: key, by: caller, email, acceptDuplicateRisk }));
      forwardLater(id);
      return report;
    },

    ledger: async (id) => known(id, await reports.ledger(id)),

    watch: async function* (id, signal) {
      known(id, await reports.status(id));
      yield* reports.watch(id, signal);
    },

    verify: (id) => (id === null ? verification.all() : only(id, verification)),

    close: async () => {
      await Promise.all(forwarded);
      await close();
    },
  };
}

async function* only(id: string, verification: Verification): AsyncGenerator<Verified> {
  yield known(id, await verification.one(id));
}

function known<Found>(id: string, found: Found | null): Found {
  if (found === null) throw noSuchReport(id);
  return found;
}

function numberOf(cursor: string | null): number | null {
  if (cursor === null) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw wrongInput([{ field: 'cursor', says: 'must be one that an earlier list ended with' }]);
  return Number(cursor);
}

/** Why a start was refused; the other refusals belong to other commands. */
const startRefusals: Partial<Record<Refusal, string>> = {
  unknown_report: 'There is no report to supersede.',
  different_input: 'Another report was started with this key and other input.',
  not_ended: 'The report that this one would supersede has not ended: cancel it first.',
  already_superseded: 'The report that this one would supersede has a successor already.',
};

function notStarted(answer: Exclude<StartAnswer, { readonly report: unknown }>): CommandProblem {
  if (answer.kind === 'wrong_input') return wrongInput(answer.problems);
  return new CommandProblem('refused', startRefusals[answer.reason] ?? `The start was refused: ${answer.reason.replaceAll('_', ' ')}.`);
}

/** Why something asked for after the end was refused. */
const actionRefusals: Partial<Record<Refusal, string>> = {
  not_ended: 'The report has not ended: cancel it first.',
  cancelled: 'The report is cancelled. A cancelled report never sends again; one that supersedes it does.',
  no_document: 'No report was saved.',
  document_deleted: 'The saved report was deleted.',
  email_sending: 'The email is being sent. Ask again when its outcome is known.',
  email_accepted: 'The mail service has accepted the email.',
  nobody_to_correct: 'Nobody has the email that would be corrected.',
  risk_not_accepted: 'The risk of a second email was not accepted. It may have arrived; with --accept-duplicate-risk it is sent again, and may arrive twice.',
  already_superseded: 'Another report supersedes this one already. What is still to be sent, that one sends.',
  request_reused: 'This key was used for another request.',
};

function done(id: string, answer: ActionAnswer | null): Status {
  const { report, ...rest } = known(id, answer);
  if (rest.kind === 'done') return report;
  if (rest.reason === 'unknown_email') throw noSuchEmail();
  const why = actionRefusals[rest.reason] ?? `It was refused: ${rest.reason.replaceAll('_', ' ')}.`;
  throw new CommandProblem('refused', `${why} Nothing was done. The report: ${report.headline}.`);
}

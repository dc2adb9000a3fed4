import type { Context } from 'hono';
import type { Refusal } from '../../workflows/contract/command.ts';
import { emailOf } from '../../workflows/contract/email.ts';
import { inputLimits, linesProblems, trimmedLines } from '../../workflows/contract/input.ts';
import type { Status } from '../../workflows/contract/status.ts';
import type { Asking, Ordering, Resending } from '../../store/decisions.ts';
import { keyedActions } from '../keyed-actions.ts';
import type { ActionAnswer, Reports } from '../reports.ts';
import type { Call } from './call.ts';
import { routes } from './openapi/routes.ts';
import { invalidInput, Problem, unknownReport } from './problem.ts';
import { callerOf, fieldsOf, jsonBody, neededKeyOf, reportIdOf } from './request.ts';

/** What is possible at an end alone: deleting the saved report, correcting it, and having an email sent again. */
export function afterEndCalls(reports: Reports): Call[] {
  const { correct, resend } = keyedActions(reports);
  return [
    {
      route: routes.deleteDocument,
      handler: async (c) => {
        const id = reportIdOf(c);
        return c.json(done(id, await reports.deleteDocument(id, asking(c))), 200);
      },
    },
    {
      route: routes.correct,
      handler: async (c) => {
        const id = reportIdOf(c);
        return c.json(done(id, await correct(id, await ordering(c))), 202);
      },
    },
    {
      route: routes.resend,
      handler: async (c) => {
        const id = reportIdOf(c);
        return c.json(done(id, await resend(id, await resending(c))), 202);
      },
    },
  ];
}

function asking(c: Context): Asking {
  const { key, problems } = neededKeyOf(c);
  if (problems.length > 0) throw invalidInput(problems);
  return { request: key, by: callerOf(c).caller };
}

async function ordering(c: Context): Promise<Ordering> {
  const { fields, problems } = fieldsOf(await jsonBody(c, 'required'), ['message'], 'a correction');
  const { key, problems: ofKey } = neededKeyOf(c);
  const message = fields['message'];
  const all = [...ofKey, ...problems, ...linesProblems('message', message, inputLimits.text)];
  if (all.length > 0 || typeof message !== 'string') throw invalidInput(all);
  return { request: key, by: callerOf(c).caller, message: trimmedLines(message) };
}

async function resending(c: Context): Promise<Resending> {
  const email = emailIdOf(c);
  const { fields, problems } = fieldsOf(await jsonBody(c, 'optional'), ['acceptDuplicateRisk'], 'a resend');
  const { key, problems: ofKey } = neededKeyOf(c);
  const accepts = fields['acceptDuplicateRisk'] ?? false;
  const all = [...ofKey, ...problems, ...(typeof accepts === 'boolean' ? [] : [{ field: 'acceptDuplicateRisk', says: 'must be true or false' }])];
  if (all.length > 0) throw invalidInput(all);
  return { request: key, by: callerOf(c).caller, email, acceptDuplicateRisk: accepts === true };
}

function emailIdOf(c: Context): string {
  const id = c.req.param('emailId') ?? '';
  if (emailOf(id) === null) throw new Problem('unknown_email', 'Emails have ids like report-1 and correction-1-1.');
  return id;
}

function done(id: string, answer: ActionAnswer | null): Status {
  if (answer === null) throw unknownReport(id);
  if (answer.kind === 'done') return answer.report;
  const stands = `Nothing was done. The report: ${answer.report.headline}.`;
  const instead = advice[answer.reason];
  throw new Problem(answer.reason, instead === undefined ? stands : `${instead} ${stands}`);
}

/** What else can be done, where something can. */
const advice: Partial<Record<Refusal, string>> = {
  cancelled: 'A cancelled report never sends again; one that supersedes it does.',
  already_superseded: 'What is still to be sent, that one sends.',
  email_sending: 'Ask again when its outcome is known.',
  risk_not_accepted: 'It may have arrived. With acceptDuplicateRisk it is sent again, and may arrive twice.',
  request_reused: 'Another request needs a key of its own.',
};

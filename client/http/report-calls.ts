import type { Context } from 'hono';
import { inputLimits, textProblems, validateInput, type InputProblem } from '../../workflows/contract/input.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import type { StartAnswer } from '../reports.ts';
import type { Call } from './call.ts';
import { statusEvents, type EventOptions } from './events.ts';
import { routes } from './openapi/routes.ts';
import { invalidInput, Problem, unknownReport } from './problem.ts';
import { callerOf, fieldsOf, jsonBody, keyOf, maxLimit, neededKeyOf, pageOf, phaseOf, reportIdOf } from './request.ts';

const usualLimit = 20;

/** Starting, reading, watching and cancelling: each call one question to `reports`. */
export function reportCalls(options: EventOptions): Call[] {
  const { reports } = options;
  return [
    {
      route: routes.start,
      handler: async (c) => {
        const answer = await reports.start(await startRequest(c));
        if (!('report' in answer)) throw notStarted(answer);
        if (answer.kind === 'repeated') return c.json(answer.report, 200);
        return c.json(answer.report, 201, { Location: `/api/reports/${answer.report.id}` });
      },
    },
    {
      route: routes.list,
      handler: async (c) => {
        const { items, next } = await reports.list({ phase: phaseOf(c), ...pageOf(c, usualLimit) });
        return c.json({ reports: items, nextCursor: cursorOf(next) });
      },
    },
    { route: routes.status, handler: async (c) => c.json(await found(c, reports.status)) },
    {
      route: routes.emails,
      handler: async (c) => {
        const { cursor, limit } = pageOf(c, maxLimit);
        const { id } = await found(c, reports.status);
        const { items, next } = await reports.emails(id, cursor ?? 0, limit);
        return c.json({ emails: items, nextCursor: cursorOf(next) });
      },
    },
    {
      route: routes.cancel,
      handler: async (c) => {
        const { requestId, reason } = await cancelRequest(c);
        const { door, caller } = callerOf(c);
        const answer = await found(c, (id) => reports.cancel(id, { requestId, reason, door, by: caller }));
        return c.json(answer, isEnd(answer.report.phase) ? 200 : 202);
      },
    },
    {
      route: routes.events,
      handler: async (c) => {
        const { id } = await found(c, reports.status);
        // A stream that nobody reads would be watched for ever.
        return c.req.method === 'HEAD' ? c.body(null, 200, { 'Content-Type': 'text/event-stream' }) : statusEvents(c, id, options);
      },
    },
    { route: routes.ledger, handler: async (c) => c.json({ entries: await found(c, reports.ledger) }) },
  ];
}

async function found<Answer>(c: Context, ask: (id: string) => Promise<Answer | null>): Promise<Answer> {
  const id = reportIdOf(c);
  const answer = await ask(id);
  if (answer === null) throw unknownReport(id);
  return answer;
}

function cursorOf(next: number | null): string | null {
  return next === null ? null : String(next);
}

async function startRequest(c: Context): Promise<Parameters<EventOptions['reports']['start']>[0]> {
  const validated = validateInput(await jsonBody(c, 'required'));
  const { key, problems } = neededKeyOf(c);
  if (!validated.ok || problems.length > 0) throw invalidInput([...problems, ...(validated.ok ? [] : validated.problems)]);
  return { input: validated.input, key, caller: callerOf(c).caller };
}

function notStarted(answer: Exclude<StartAnswer, { report: unknown }>): Problem {
  if (answer.kind === 'wrong_input') return invalidInput(answer.problems);
  if (answer.reason === 'unknown_report') {
    return new Problem('nothing_to_supersede', 'No report was started.', [{ field: 'supersedes', says: 'must be the id of a report that exists' }]);
  }
  return new Problem(answer.reason, 'No report was started.');
}

interface CancelBody {
  readonly requestId: string | null;
  readonly reason: string | null;
}

async function cancelRequest(c: Context): Promise<CancelBody> {
  const body = await jsonBody(c, 'optional');
  const { key, problems } = keyOf(c);
  const { reason, problems: others } = reasonIn(body);
  if (problems.length > 0 || others.length > 0) throw invalidInput([...problems, ...others]);
  return { requestId: key, reason };
}

/** A reason that is blank is none: nobody's cancel may fail for a field left empty. */
function reasonIn(body: unknown): { readonly reason: string | null; readonly problems: readonly InputProblem[] } {
  const { fields, problems } = fieldsOf(body, ['reason'], 'a cancel');
  const reason = fields['reason'] ?? null;
  const isNone = reason === null || (typeof reason === 'string' && reason.trim() === '');
  return {
    reason: isNone || typeof reason !== 'string' ? null : reason,
    problems: [...problems, ...(isNone ? [] : textProblems('reason', reason, inputLimits.text))],
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { InputProblem } from '../../workflows/contract/input.ts';
import { CommandProblem, noSuchEmail, noSuchReport, wrongInput } from './command-problem.ts';
import { serverSentEvents, type ServerSentEvent } from './server-sent-events.ts';

/** What a call needs beyond its path; `id` is of the report that it is about. */
interface Call {
  readonly id?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  /** JSON as it came. */
  readonly text: string;
}

export interface ApiCalls {
  get(path: string, call?: Call): Promise<Answer>;
  post(path: string, call: Call): Promise<Answer>;
  delete(path: string, call: Call): Promise<Answer>;
  /** Server-sent events, and `null` for each sign of life between them. */
  events(path: string, id: string, signal: AbortSignal): AsyncGenerator<ServerSentEvent | null>;
}

const answerMs = 30_000;
/** Waits before each try. Every call may be repeated: reads, cancels, and whatever is asked for under a key. */
const pausesMs = [0, 300, 1000];

/** Calls of the HTTP API at this address; they reject with a `CommandProblem`. */
export function createApiCalls(url: string): ApiCalls {
  const send = async (path: string, init: RequestInit, id: string | undefined): Promise<Response> => {
    const response = await fetch(`${url}${path}`, { ...init, redirect: 'error' }).catch(asAway(url));
    if (!response.ok) throw await refusalOf(response, url, id);
    return response;
  };
  const ask = (path: string, init: RequestInit, id: string | undefined): Promise<Answer> =>
    repeated(async () => {
      const response = await send(path, { ...init, signal: AbortSignal.timeout(answerMs) }, id);
      return { status: response.status, text: await jsonOf(response, url) };
    });
  return {
    get: (path, { id } = {}) => ask(path, {}, id),
    post: (path, { id, body, headers }) => {
      const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } };
      return ask(path, init, id);
    },
    delete: (path, { id, headers = {} }) => ask(path, { method: 'DELETE', headers }, id),
    events: async function* (path, id, signal) {
      const { body } = await send(path, { signal, headers: { Accept: 'text/event-stream' } }, id);
      if (body !== null) yield* heard(serverSentEvents(body), url);
    },
  };
}

async function repeated(ask: () => Promise<Answer>): Promise<Answer> {
  const losses: CommandProblem[] = [];
  for (const ms of pausesMs) {
    await pause(ms);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CommandProblem) || error.exit !== 'away') throw error;
      losses.push(error);
    }
  }
  throw losses.at(-1) ?? new Error('nothing was tried');
}

async function* heard<Item>(items: AsyncIterable<Item>, url: string): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    asAway(url)(error);
  }
}

function asAway(url: string): (cause: unknown) => never {
  return (cause) => {
    throw new CommandProblem('away', `Nothing answers at ${url} (STANDDOWN_URL).`, [], { cause });
  };
}

async function jsonOf(response: Response, url: string): Promise<string> {
  if (!isJson(response)) throw stranger(url);
  return response.text().catch(asAway(url));
}

function isJson(response: Response): boolean {
  return /^application\/(\w+\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
}

function stranger(url: string): CommandProblem {
  return new CommandProblem('failure', `What answers at ${url} (STANDDOWN_URL) is not Standdown.`);
}

/** A problem document of the API (RFC 9457). */
interface ProblemDocument {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly InputProblem[];
}

async function refusalOf(response: Response, url: string, id: string | undefined): Promise<CommandProblem> {
  if (!isJson(response)) return stranger(url);
  const { type, title = 'The API refused', detail, errors = [] }: ProblemDocument = JSON.parse(await jsonOf(response, url));
  if (type === 'urn:standdown:problem:unknown-report' && id !== undefined) return noSuchReport(id);
  if (type === 'urn:standdown:problem:unknown-email') return noSuchEmail();
  if (response.status === 400 && errors.length > 0) return wrongInput(errors);
  return new CommandProblem(exitOf(response.status), [title, detail].filter((part) => part !== undefined).join('. '), errors);
}

function exitOf(status: number): CommandProblem['exit'] {
  switch (status) {
    case 409:
      return 'refused';
    case 503:
      return 'away';
    default:
      return status < 500 && status !== 404 ? 'wrong' : 'failure';
  }
}

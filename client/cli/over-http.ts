import { setTimeout as pause } from 'node:timers/promises';
import type { Status } from '../../workflows/contract/status.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import { verifyLedger, type Verified } from '../verification.ts';
import { createApiCalls, type ApiCalls } from './api-calls.ts';
import { CommandProblem } from './command-problem.ts';
import type { Cancelled, Filter, ListPage, ReportsFace } from './reports-face.ts';

const reconnectMs = 1000;
const reconnects = 30;
/** The server sends a comment every 15 s; after this long without one, the connection is dead. */
const silentMs = 45_000;
const pageSize = 100;

/** The face of reports over the HTTP API at this address. */
export function createHttpFace(url: string): ReportsFace {
  const api = createApiCalls(url);
  const list = async ({ phase, limit, cursor }: Filter): Promise<ListPage> => {
    const given = { limit: String(limit), ...(phase === null ? {} : { phase }), ...(cursor === null ? {} : { cursor }) };
    return JSON.parse((await api.get(`/api/reports?${new URLSearchParams(given).toString()}`)).text);
  };
  const status = async (id: string): Promise<Status> => JSON.parse((await api.get(pathOf(id), { id })).text);
  const ledger = async (id: string): Promise<readonly Entry[]> => {
    const { entries }: { entries: readonly Entry[] } = JSON.parse((await api.get(`${pathOf(id)}/ledger`, { id })).text);
    return entries;
  };
  /** The status first: the ledger, asked for later, holds at least all that the status tells of. */
  const verifyOne = async (id: string): Promise<Verified> => verifyLedger(await status(id), await ledger(id));
  return {
    ...{ list, status, ledger },
    start: async (body, key) => {
      const answer = await api.post('/api/reports', { body, headers: under(key) });
      return { report: JSON.parse(answer.text), isRepeat: answer.status === 200 };
    },
    cancel: async (id, reason): Promise<Cancelled> => {
      const body = reason === null ? {} : { reason };
      return JSON.parse((await api.post(`${pathOf(id)}/cancel`, { id, body })).text);
    },
    deleteDocument: async (id, key): Promise<Status> => JSON.parse((await api.delete(`${pathOf(id)}/document`, { id, headers: under(key) })).text),
    correct: async (id, message, key): Promise<Status> => JSON.parse((await api.post(`${pathOf(id)}/corrections`, { id, body: { message }, headers: under(key) })).text),
    resend: async (id, { email, acceptDuplicateRisk }, key): Promise<Status> =>
      JSON.parse((await api.post(`${pathOf(id)}/emails/${email}/resend`, { id, body: { acceptDuplicateRisk }, headers: under(key) })).text),
    watch: (id, signal) => watch(api, id, signal),
    verify: async function* (id) {
      if (id !== null) yield await verifyOne(id);
      else for await (const each of everyId(list)) yield await verifyOne(each);
    },
    close: async () => undefined,
  };
}

function pathOf(id: string): string {
  return `/api/reports/${encodeURIComponent(id)}`;
}

function under(key: string): Readonly<Record<string, string>> {
  return { 'Idempotency-Key': key };
}

async function* everyId(list: (filter: Filter) => Promise<ListPage>): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const page: ListPage = await list({ phase: null, limit: pageSize, cursor });
    yield* page.reports.map(({ id }) => id);
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Watches over as many connections as it takes; each begins with the current status, so nothing is missed. */
async function* watch(api: ApiCalls, id: string, signal: AbortSignal): AsyncGenerator<Status> {
  const isOver = (): boolean => signal.aborted;
  const seen = { sequence: 0, failures: 0 };
  while (!isOver()) {
    try {
      yield* newer(statuses(api, id, signal), seen);
    } catch (error) {
      seen.failures += 1;
      if (!isOver() && !isWorthAnother(error, seen)) throw error;
    }
    await pause(reconnectMs, undefined, { signal }).catch(() => undefined); // An abort ends the loop.
  }
}

interface Seen {
  sequence: number;
  /** Since a status was last heard. */
  failures: number;
}

/** Only a connection that worked once is made again. */
function isWorthAnother(error: unknown, { sequence, failures }: Seen): boolean {
  return error instanceof CommandProblem && error.exit === 'away' && sequence > 0 && failures <= reconnects;
}

async function* newer(statuses: AsyncIterable<Status>, seen: Seen): AsyncGenerator<Status> {
  for await (const status of statuses) {
    Object.assign(seen, { failures: 0 });
    if (status.sequence <= seen.sequence) continue;
    Object.assign(seen, { sequence: status.sequence });
    yield status;
  }
}

async function* statuses(api: ApiCalls, id: string, signal: AbortSignal): AsyncGenerator<Status> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silentMs);
  try {
    for await (const event of api.events(`${pathOf(id)}/events`, id, AbortSignal.any([signal, silence.signal]))) {
      timer.refresh();
      if (event?.name === 'status') yield JSON.parse(event.data);
    }
  } finally {
    clearTimeout(timer);
  }
}

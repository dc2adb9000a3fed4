import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../workflows/contract/status.ts';

const RECONNECT_MS = 1_000;

/** What to report on; the source is a folder under the documents' root. */
export interface ReportRequest {
  readonly month: string;
  readonly path: string;
  readonly recipients: readonly string[];
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const isProblem = typeof body === 'object' && body !== null && 'detail' in body;
  throw new Error(isProblem ? String(body.detail) : `the API answered ${response.status}`);
}

/** Whether there is any report yet. */
export async function hasReports(api: string): Promise<boolean> {
  const body = await answerOf(await fetch(`${api}/api/reports?limit=1`));
  return typeof body === 'object' && body !== null && 'reports' in body && Array.isArray(body.reports) && body.reports.length > 0;
}

/** Starts a report; answers its id. */
export async function startReport(api: string, { month, path, recipients }: ReportRequest): Promise<string> {
  const response = await fetch(`${api}/api/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ month, sources: [{ kind: 'folder', path }], recipients }),
  });
  const body = await answerOf(response);
  if (typeof body === 'object' && body !== null && 'id' in body) return String(body.id);
  throw new Error('the API answered without a report id');
}

/** The statuses of one stream of server-sent events. */
async function* statusesOf(response: Response): AsyncGenerator<Status> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const content = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
      if (content.length > 0) yield JSON.parse(content.join('\n'));
    }
  }
}

const hasEnded = ({ phase }: Status) => phase === 'finished' || phase === 'cancelled' || phase === 'failed';

/** Follows a report to its end, through restarts of the API too, telling each new headline on the way. */
export async function followReport(api: string, id: string, signal: AbortSignal, tell: (headline: string) => void): Promise<Status> {
  let told = '';
  while (!signal.aborted) {
    try {
      for await (const status of statusesOf(await fetch(`${api}/api/reports/${id}/events`, { signal }))) {
        if (hasEnded(status)) return status;
        if (status.headline !== told) tell(status.headline);
        told = status.headline;
      }
    } catch {
      // The API is gone for a moment, or we are stopping: the loop knows.
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
  }
  throw new Error('interrupted');
}

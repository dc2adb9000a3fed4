import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { Reports } from '../reports.ts';

export interface EventOptions {
  readonly reports: Reports;
  /** Ends every stream, so that the process can stop. */
  readonly stopping: AbortSignal;
  /** How often a silent stream says that it is alive. */
  readonly commentEveryMs: number;
  readonly warn: (says: string, error?: unknown) => void;
}

/** The statuses of a report as server-sent events, from the current one on, until the reader leaves or the process stops. */
export function statusEvents(c: Context, id: string, options: EventOptions): Response {
  c.header('X-Accel-Buffering', 'no');
  const known = Number(c.req.header('Last-Event-ID'));
  return streamSSE(c, async (stream) => {
    const ended = endOf(stream, options.stopping);
    const stopComments = commentNowAndThen(stream, options.commentEveryMs);
    try {
      await tell(stream, options.reports.watch(id, ended.signal), known);
    } catch (error) {
      // The reader connects again, and is told then whether the database is back.
      options.warn(`the events of report ${id} broke off`, error);
    } finally {
      stopComments();
      ended.release();
    }
  });
}

async function tell(stream: SSEStreamingApi, statuses: ReturnType<Reports['watch']>, known: number): Promise<void> {
  await stream.write(': each status follows as it comes to be\nretry: 2000\n\n');
  for await (const status of statuses) {
    // Who connects again has this one already.
    if (status.sequence === known) continue;
    await stream.writeSSE({ event: 'status', id: String(status.sequence), data: JSON.stringify(status) });
  }
}

function endOf(stream: SSEStreamingApi, stopping: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  stream.onAbort(end);
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  return { signal: ended.signal, release: () => stopping.removeEventListener('abort', end) };
}

/** A reader that takes nothing any more is not sent one comment upon another. */
function commentNowAndThen(stream: SSEStreamingApi, everyMs: number): () => void {
  let isTaken = true;
  const timer = setInterval(() => {
    if (!isTaken) return;
    isTaken = false;
    void stream.write(': still here\n\n').then(() => {
      isTaken = true;
    });
  }, everyMs);
  return () => clearInterval(timer);
}

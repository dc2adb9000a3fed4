import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions, type Client } from './database.ts';

const channels = { cancelled: 'standdown_cancelled', due: 'standdown_due' } as const;

/** Tells every process that a cancel was accepted; delivered when the transaction commits. */
export async function notifyCancelled(client: Client, reportId: string): Promise<void> {
  await client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channels.cancelled, reportId] });
}

/** Tells every process that there is something to forward. */
export async function notifyDue(client: Client): Promise<void> {
  await client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channels.due, ''] });
}

export interface Listener {
  /** A cancel of this report was accepted. */
  onCancelled(reportId: string): void;
  /** Something may be due; also called at the start and after every reconnect, since notifications may have been missed. */
  onDue(): void;
}

export interface Listening {
  close(): Promise<void>;
}

const reconnectMs = 500;

/** Listens on one connection of its own and reconnects for as long as it is not closed. */
export function listen(url: string, listener: Listener): Listening {
  const stopped = new AbortController();
  const loop = keepListening(url, listener, stopped.signal);
  return {
    close: async () => {
      stopped.abort();
      await loop;
    },
  };
}

async function keepListening(url: string, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Whatever broke the connection, the answer is the same: connect again and look at what was missed.
    await listenOnce(url, listener, signal).catch(() => undefined);
    await pause(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}

async function listenOnce(url: string, listener: Listener, signal: AbortSignal): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  const ended = new Promise<void>((resolve) => {
    client.on('end', () => resolve());
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', (message) => {
    if (message.channel === channels.cancelled && message.payload !== undefined) listener.onCancelled(message.payload);
    listener.onDue();
  });
  try {
    await client.connect();
    await client.query(`listen ${channels.cancelled}`);
    await client.query(`listen ${channels.due}`);
    listener.onDue();
    await ended;
  } finally {
    await client.end().catch(() => undefined);
  }
}

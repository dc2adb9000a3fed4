import { request, type IncomingMessage } from 'node:http';
import type { Status } from '../../workflows/contract/status.ts';
import { until } from './waiting.ts';

/** A connection of its own to a stream of server-sent events. */
export interface EventStream {
  readonly response: IncomingMessage;
  /** Everything received so far, as it came. */
  text(): string;
  /** Waits for this many events; answers them all. */
  events(count: number): Promise<readonly SeenEvent[]>;
  /** Waits until this was received. */
  receives(text: string): Promise<void>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

export interface SeenEvent {
  readonly name: string;
  readonly id: string;
  readonly status: Status;
}

export async function openEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const asked = request(url, { headers: { Accept: 'text/event-stream', ...headers }, agent: false });
  asked.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
  });
  let received = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (received += chunk));
  response.on('error', () => undefined); // Leaving breaks it off.
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve);
  });
  return {
    response,
    text: () => received,
    events: (count) => until(() => (eventsIn(received).length >= count ? eventsIn(received) : null), `${count} events`),
    receives: async (text) => {
      await until(() => received.includes(text), `"${text}" to be received`);
    },
    ended,
    leave: () => asked.destroy(),
  };
}

function eventsIn(received: string): SeenEvent[] {
  const blocks = received.split('\n\n').slice(0, -1).filter((block) => /^data:/m.test(block));
  return blocks.map((block) => ({ name: fieldOf(block, 'event'), id: fieldOf(block, 'id'), status: JSON.parse(fieldOf(block, 'data')) }));
}

function fieldOf(block: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
}

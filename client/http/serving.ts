import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';

export interface Serving {
  readonly port: number;
  /** Takes no further connection and waits for the answers under way, for a while. Streams have to be ended first. */
  close(): Promise<void>;
}

const answersWithinMs = 5000;
const idleEveryMs = 50;

/** Listens on an address; rejects where its port is taken. */
export async function serve(app: OpenAPIHono, { host, port }: { host: string; port: number }): Promise<Serving> {
  // Nothing is awaited that it answers with: it writes to the connection itself.
  const listener = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      // A connection that has had its answer, or its stream ended, would be kept for the next request.
      const idle = setInterval(() => server.closeIdleConnections(), idleEveryMs);
      const late = setTimeout(() => server.closeAllConnections(), answersWithinMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

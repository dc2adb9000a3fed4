import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';

export interface Serving {
  readonly port: number;
  /** Takes no further connection and waits for the answers under way, for a while. Streams have to be ended first. */
  close(): Promise<void>;
}

const answersWithinMs = 5000;

/** Listens on an address; rejects where its port is taken. */
export async function serve(app: OpenAPIHono, { host, port }: { host: string; port: number }): Promise<Serving> {
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: portOf(server.address()) ?? port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), answersWithinMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function portOf(address: AddressInfo | string | null): number | null {
  return typeof address === 'object' && address !== null ? address.port : null;
}

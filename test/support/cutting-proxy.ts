import { connect, createServer, type Socket } from 'node:net';

/** A proxy before PostgreSQL that swallows the answer to a commit and cuts the connection. */
export interface CuttingProxy {
  /** The database's address by way of the proxy. */
  readonly url: string;
  /** The next commit is carried out, and nobody hears of it. */
  cutNextCommit(): void;
  /** Cuts every connection, now. */
  cutAll(): void;
  readonly cuts: () => number;
  close(): Promise<void>;
}

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const state = { isArmed: false, cuts: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(client).add(upstream);
    pipeWithCut(client, upstream, state);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const cutAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cutNextCommit: () => {
      state.isArmed = true;
    },
    cutAll,
    cuts: () => state.cuts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}

function pipeWithCut(client: Socket, upstream: Socket, state: { isArmed: boolean; cuts: number }): void {
  let isCutting = false;
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  client.on('data', (chunk) => {
    if (state.isArmed && chunk.includes('commit\0')) {
      state.isArmed = false;
      isCutting = true;
    }
    upstream.write(chunk);
  });
  upstream.on('data', (chunk) => {
    if (!isCutting) return void client.write(chunk);
    // The server has answered, so the commit is done.
    state.cuts += 1;
    end();
  });
}

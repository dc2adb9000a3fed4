import { connect, createServer, type Socket } from 'node:net';

/** A proxy before a mail server that lets a message through and swallows the reply to it. */
export interface SwallowingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startSwallowingProxy(smtpUrl: string): Promise<SwallowingProxy> {
  const target = new URL(smtpUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(client).add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    let isSwallowing = false;
    client.on('data', (chunk) => {
      if (chunk.includes('\r\n.\r\n')) isSwallowing = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isSwallowing) client.write(chunk);
    });
    client.on('close', () => upstream.end());
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

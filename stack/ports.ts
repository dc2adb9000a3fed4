import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nothing listens on now; another process may still take it first, so whoever uses it has to notice. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}

/** Whether a server could listen on this port. */
export async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false; // Taken, or not ours to take: either way no server starts here.
  } finally {
    server.close();
  }
}

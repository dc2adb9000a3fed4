import { createServer } from 'node:net';
import type { Socket } from 'node:net';

/** Where in the dialogue the fault sits. `body` is reached with the first bytes of the message, `dot` with its end. */
export type SmtpPoint = 'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'dot';

export interface SmtpFault {
  readonly at: SmtpPoint;
  /** Instead of the good reply. Without it and without `then`, the good reply. */
  readonly reply?: string;
  /** Sent as it is, without an end of line. */
  readonly fragment?: string;
  /** `half_close` says goodbye and goes on listening. */
  readonly then?: 'hang' | 'close' | 'reset' | 'half_close';
  readonly delayMs?: number;
}

export interface SmtpServerOptions {
  readonly fault?: SmtpFault;
  readonly extensions?: readonly string[];
}

/** What a server took responsibility for, whether or not its client ever heard of it. */
export interface TakenMessage {
  readonly messageId: string;
  readonly bytes: Buffer;
  readonly sender: string;
  readonly recipients: readonly string[];
}

export interface FaultSmtpServer {
  readonly url: string;
  readonly port: number;
  readonly taken: readonly TakenMessage[];
  readonly commands: readonly string[];
  /** How many ends of a message came in, taken or refused. */
  readonly dots: () => number;
  /** How much of messages came in, finished or not. */
  readonly messageBytes: () => number;
  readonly connections: () => number;
  /** Reads on wherever it had stopped, until every client has left and nothing more can arrive. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

interface Ledger {
  readonly taken: TakenMessage[];
  readonly commands: string[];
  dots: number;
  messageBytes: number;
  connections: number;
}

/** An SMTP server that does one thing wrong, on a free port, and remembers everything. */
export async function startFaultSmtpServer(options: SmtpServerOptions = {}): Promise<FaultSmtpServer> {
  const ledger: Ledger = { taken: [], commands: [], dots: 0, messageBytes: 0, connections: 0 };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    ledger.connections += 1;
    serve(socket, options, ledger);
  });
  const port = await listening(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    taken: ledger.taken,
    commands: ledger.commands,
    dots: () => ledger.dots,
    messageBytes: () => ledger.messageBytes,
    connections: () => ledger.connections,
    quiet: () => left(sockets),
    close: () => closed(server, sockets),
  };
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

async function left(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).resume())));
}

function closed(server: ReturnType<typeof createServer>, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

interface Session {
  readonly socket: Socket;
  readonly options: SmtpServerOptions;
  readonly ledger: Ledger;
  rest: Buffer;
  message: Buffer[] | null;
  sender: string;
  recipients: string[];
}

function serve(socket: Socket, options: SmtpServerOptions, ledger: Ledger): void {
  const session: Session = { socket, options, ledger, rest: Buffer.alloc(0), message: null, sender: '', recipients: [] };
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk) => read(session, chunk));
  answer(session, 'greeting', '220 fault.test ESMTP');
}

function read(session: Session, chunk: Buffer): void {
  if (session.message !== null) return readMessage(session, session.message, chunk);
  session.rest = Buffer.concat([session.rest, chunk]);
  const end = session.rest.indexOf('\r\n');
  if (end < 0) return;
  const line = session.rest.toString('latin1', 0, end);
  const after = session.rest.subarray(end + 2);
  session.rest = Buffer.alloc(0);
  obey(session, line);
  if (after.length > 0) read(session, after);
}

function obey(session: Session, line: string): void {
  session.ledger.commands.push(line);
  const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
  if (/^EHLO/i.test(line)) answer(session, 'EHLO', ehloReply(session.options.extensions ?? []));
  else if (/^AUTH/i.test(line)) answer(session, 'AUTH', '235 welcome');
  else if (/^MAIL/i.test(line)) {
    session.sender = address;
    answer(session, 'MAIL', '250 sender ok');
  } else if (/^RCPT/i.test(line)) {
    if (answer(session, 'RCPT', '250 recipient ok')) session.recipients.push(address);
  } else if (/^DATA/i.test(line)) {
    // With pipelining a client asks before it knows that no recipient was good.
    if (session.recipients.length === 0) session.socket.write('554 no recipient\r\n');
    else if (answer(session, 'DATA', '354 go on')) session.message = [];
  } else session.socket.write('502 what?\r\n');
}

function ehloReply(extensions: readonly string[]): string {
  return ['fault.test', ...extensions].map((word, index, all) => `250${index === all.length - 1 ? ' ' : '-'}${word}`).join('\r\n');
}

function readMessage(session: Session, message: Buffer[], chunk: Buffer): void {
  if (message.length === 0) meddle(session);
  message.push(chunk);
  session.ledger.messageBytes += chunk.length;
  const tail = Buffer.concat(message.slice(-5)).subarray(-5).toString('latin1');
  if (tail !== '\r\n.\r\n') return;
  session.message = null;
  session.ledger.dots += 1;
  const { fault } = session.options;
  if (fault?.at !== 'dot' || !/^[45]/.test(fault.reply ?? '')) take(session, Buffer.concat(message));
  answer(session, 'dot', '250 2.0.0 Ok: queued as 4Fq1x');
}

/** In the middle of a message a server has nothing to say: it leaves, or stops reading, for a while or for good. */
function meddle(session: Session): void {
  const { socket, options: { fault } } = session;
  if (fault?.at !== 'body') return;
  if (fault.then === 'close') socket.destroySoon();
  if (fault.then === 'reset') socket.resetAndDestroy();
  if (fault.then === 'half_close') socket.end();
  if (fault.reply !== undefined) socket.write(`${fault.reply}\r\n`);
  if (fault.then === 'hang' || fault.delayMs !== undefined) socket.pause();
  if (fault.delayMs !== undefined) setTimeout(() => socket.resume(), fault.delayMs);
}

function take(session: Session, received: Buffer): void {
  const bytes = Buffer.from(received.subarray(0, -3).toString('latin1').replace(/^\.\./gm, '.'), 'latin1');
  const messageId = /^Message-ID:\s*(\S+)/im.exec(bytes.toString('latin1'))?.[1] ?? '';
  session.ledger.taken.push({ messageId, bytes, sender: session.sender, recipients: session.recipients });
}

/** Answers well, or commits the fault of this point. Says whether the dialogue goes on from here as a good reply lets it. */
function answer(session: Session, point: SmtpPoint, good: string): boolean {
  const { fault } = session.options;
  if (fault?.at !== point) {
    session.socket.write(`${good}\r\n`);
    return true;
  }
  if (fault.delayMs === undefined) commit(session.socket, fault, good);
  else setTimeout(() => commit(session.socket, fault, good), fault.delayMs);
  return fault.reply === undefined && (fault.then === undefined || fault.then === 'half_close');
}

function commit(socket: Socket, fault: SmtpFault, good: string): void {
  if (socket.destroyed) return;
  if (fault.fragment !== undefined) socket.write(fault.fragment);
  else if (fault.reply !== undefined) socket.write(`${fault.reply}\r\n`);
  else if (fault.then === undefined || fault.then === 'half_close') socket.write(`${good}\r\n`);
  if (fault.then === 'close') socket.end(() => socket.destroy());
  if (fault.then === 'reset') socket.resetAndDestroy();
  if (fault.then === 'half_close') socket.end();
}

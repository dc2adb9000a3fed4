import pg from 'pg';
import { createMaildevLookup } from '../../activities/mail/maildev.ts';
import { createSmtpProvider } from '../../activities/mail/smtp.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { SourceError, type Source } from '../../activities/sources/source.ts';
import { startFaultSmtpServer, type FaultSmtpServer, type SmtpFault } from './fault-smtp-server.ts';
import { startInbox } from './maildev-inbox.ts';

/** Something that a report waits at until it is let through. */
export interface Gate {
  open(): Promise<void>;
}

/** Holds every statement that touches a table, from now until it is opened. */
export async function lockTable(databaseUrl: string, table: 'messages' | 'saved_reports'): Promise<Gate> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return { open: () => client.end() };
}

/** Whether a statement waits for a table that is locked. */
export async function isWaitedFor(databaseUrl: string, table: 'saved_reports'): Promise<boolean> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_locks where not granted and relation = $1::regclass', [table]);
  await client.end();
  return (rowCount ?? 0) > 0;
}

/** A source that is read only once the gate is opened. */
export function heldSource(): { readonly gate: Gate; readonly source: (real: Source) => Source; readonly reads: () => number } {
  const held = Promise.withResolvers<void>();
  let reads = 0;
  return {
    gate: { open: async () => held.resolve() },
    source: (real) => ({
      ...real,
      read: async (path, name, signal) => {
        reads += 1;
        await held.promise;
        return real.read(path, name, signal);
      },
    }),
    reads: () => reads,
  };
}

/** A source whose n-th reading fails for now, with the names of everything that was read. */
export function sourceFailingAt(number: number): { readonly source: (real: Source) => Source; readonly read: string[] } {
  const read: string[] = [];
  const source = (real: Source): Source => ({
    ...real,
    read: async (path, name, signal) => {
      read.push(name);
      if (read.length === number) throw new SourceError('transient', 'unreadable', 'it cannot be read now');
      return real.read(path, name, signal);
    },
  });
  return { source, read };
}

export interface MailService {
  readonly mail: Dependencies['mail'];
  /** Messages that the service has taken responsibility for. */
  taken(): Promise<number>;
  stop(): Promise<void>;
}

const from = 'reports@standdown.localhost';

/** A mail server with an inbox that can be looked into. */
export async function inboxService(): Promise<MailService> {
  const inbox = await startInbox();
  const taken = async (): Promise<number> => {
    const answer: unknown = await (await fetch(`${inbox.url}/api/email`)).json();
    return Array.isArray(answer) ? answer.length : 0;
  };
  return { mail: { provider: createSmtpProvider({ url: inbox.smtpUrl }), lookup: createMaildevLookup({ url: inbox.url }), from }, taken, stop: inbox.stop };
}

/** A raw mail server with one fault, and no place to look anything up. */
export async function faultyService(fault?: SmtpFault): Promise<MailService & { readonly server: FaultSmtpServer }> {
  const server = await startFaultSmtpServer(fault === undefined ? {} : { fault });
  const mail = { provider: createSmtpProvider({ url: server.url }), lookup: null, from };
  return { mail, server, taken: async () => server.taken.length, stop: () => server.close() };
}

/** A raw mail server that commits its fault in the first dialogue only. */
export async function firstFaultyService(fault: SmtpFault): Promise<MailService & { readonly server: FaultSmtpServer }> {
  const well: SmtpFault = { at: 'dot', reply: '250 2.0.0 Ok' };
  let server: FaultSmtpServer | null = null;
  const started = await startFaultSmtpServer({
    get fault() {
      return server === null || server.connections() <= 1 ? fault : well;
    },
  });
  server = started;
  const mail = { provider: createSmtpProvider({ url: started.url }), lookup: null, from };
  return { mail, server: started, taken: async () => started.taken.length, stop: () => started.close() };
}

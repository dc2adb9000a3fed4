import type { Refusal } from '../workflows/contract/command.ts';
import { createContents } from './contents.ts';
import { openDatabase, type DatabaseOptions } from './database.ts';
import { createDecisions } from './decisions.ts';
import { createForwardingRows, createSweepingRows } from './forwarding.ts';
import { listen, type Listener, type Listening } from './notifications.ts';
import { createReading } from './reading.ts';
import { register, registerDirect, type DirectRun, type Start, type Started } from './register.ts';
import { createVerification } from './verification.ts';

/** PostgreSQL as the product sees it: decisions, what they are about, and what is due. */
export function openStore(options: DatabaseOptions) {
  const database = openDatabase(options);
  return {
    register: (start: Start): Promise<Started> => register(database, start),
    registerDirect: (run: DirectRun): Promise<Refusal | null> => registerDirect(database, run),
    decisions: createDecisions(database),
    contents: createContents(database),
    reading: createReading(database),
    forwarding: createForwardingRows(database),
    sweeping: createSweepingRows(database),
    verification: createVerification(database),
    listen: (listener: Listener): Listening => listen(options.url, listener),
    close: (): Promise<void> => database.close(),
  };
}

export type Store = ReturnType<typeof openStore>;

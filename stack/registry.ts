import { readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, startOf } from './process-start.js';

/** A process as a later start command finds it again: `started` tells it from a stranger with the same pid. */
interface StartedProcess {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
}

/** The processes of one start command, on disk too, so that the next one finds them should this one be killed. */
export interface Registry {
  add(name: string, pid: number): void;
  remove(name: string): void;
  /** Ends every process at once. */
  killAll(): void;
}

const CHECK_MS = 100;

function stillRuns({ pid, started }: StartedProcess): boolean {
  return isRunning(pid) && startOf(pid) === started;
}

/** PostgreSQL has its own words: after SIGTERM it waits for its clients, SIGQUIT lets its processes go too. */
const signalsFor = (name: string) => (name === 'PostgreSQL' ? (['SIGINT', 'SIGQUIT'] as const) : (['SIGTERM', 'SIGKILL'] as const));

/** Keeps a registry in a file. */
export function createRegistry(file: string): Registry {
  let registered: StartedProcess[] = [];
  const write = (changed: StartedProcess[]) => {
    registered = changed;
    writeFileSync(file, JSON.stringify(registered), { mode: 0o600 });
  };
  const others = (name: string) => registered.filter((one) => one.name !== name);
  write([]);
  return {
    add: (name, pid) => write([...others(name), { name, pid, started: startOf(pid) }]),
    remove: (name) => write(others(name)),
    killAll: () => {
      for (const { name, pid } of registered.filter(stillRuns)) process.kill(pid, signalsFor(name)[1]);
    },
  };
}

async function readRegistered(file: string): Promise<StartedProcess[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return []; // No start command ran here before, or it was killed while it wrote: then its servers' ports tell.
  }
}

/** Stops what a killed start command left running, last started first, and names it. */
export async function stopLeftOvers(file: string, graceMs: number): Promise<string[]> {
  const left = (await readRegistered(file)).filter(stillRuns).toReversed();
  for (const one of left) {
    const [ask, kill] = signalsFor(one.name);
    process.kill(one.pid, ask);
    const until = performance.now() + graceMs;
    while (stillRuns(one) && performance.now() < until) await sleep(CHECK_MS);
    if (stillRuns(one)) process.kill(one.pid, kill);
  }
  return left.map(({ name }) => name);
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../config.ts';
import { freePort } from './ports.ts';
import { lastLines } from './last-lines.ts';
import { hasEnded, runToEnd, stopChild } from './processes.ts';

const STARTS_ON_FREE_PORTS = 3;
const READY_MS = 60_000;
const PROBE_MS = 100;
const STOP_MS = 10_000;
/** What the report workflow sets; the server refuses an attribute that it does not know. */
const SEARCH_ATTRIBUTE = 'StanddownMonth=Keyword';

export interface TemporalOptions {
  /** Executable of Temporal's command line tool. */
  readonly cli: string;
  /** Existing folder for the log and, unless `inMemory`, the state. */
  readonly folder: string;
  readonly inMemory: boolean;
  /** `null` takes any free port. */
  readonly port: number | null;
  readonly uiPort: number | null;
  readonly extraArgs?: readonly string[];
  onSpawn?(pid: number): void;
}

export interface Temporal {
  readonly address: string;
  readonly uiUrl: string;
  readonly ports: Ports;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface Ports {
  readonly port: number;
  readonly uiPort: number;
}

function spawnServer({ cli, folder, inMemory, extraArgs = [] }: TemporalOptions, { port, uiPort }: Ports): ChildProcess {
  const state = inMemory ? [] : ['--db-filename', join(folder, 'temporal.db')];
  const places = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)];
  const log = openSync(join(folder, 'temporal.log'), 'w');
  const args = ['server', 'start-dev', '--log-level', 'error', ...places, ...state, '--search-attribute', SEARCH_ATTRIBUTE, ...extraArgs];
  // It wants to know its user, also where the system has no account for it, as in many containers.
  const env = { USER: 'standdown', HOME: folder, ...environment() };
  // A group of its own: a Ctrl-C must not take Temporal away from a worker that is still draining.
  const child = spawn(cli, args, { env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** Waits until the server serves its namespace; the child is watched too, for a stranger may answer on a busy port. */
async function becomesReady(child: ChildProcess, cli: string, address: string): Promise<boolean> {
  child.once('error', () => {}); // A child that could not be spawned counts as ended.
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const { status } = await runToEnd(cli, ['operator', 'namespace', 'describe', '--address', address, '--namespace', 'default', '--command-timeout', '2s']);
    if (hasEnded(child)) return false;
    if (status === 0) return true;
    await sleep(PROBE_MS);
  }
  return false;
}

/** Starts Temporal's dev server in a group of its own and waits until it serves. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const isFixed = options.port !== null || options.uiPort !== null;
  for (let start = 1; start <= (isFixed ? 1 : STARTS_ON_FREE_PORTS); start += 1) {
    const ports = { port: options.port ?? (await freePort()), uiPort: options.uiPort ?? (await freePort()) };
    const address = `127.0.0.1:${ports.port}`;
    const child = spawnServer(options, ports);
    if (child.pid !== undefined) options.onSpawn?.(child.pid);
    if (await becomesReady(child, options.cli, address)) {
      return { address, ports, uiUrl: `http://127.0.0.1:${ports.uiPort}`, process: child, stop: () => stopChild(child, STOP_MS) };
    }
    await stopChild(child, STOP_MS);
  }
  throw new Error(`Temporal's dev server does not start: ${lastLines(await readFile(join(options.folder, 'temporal.log'), 'utf8'))}`);
}

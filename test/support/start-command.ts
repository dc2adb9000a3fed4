import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Addresses } from '../../config.ts';
import { isRunning, startOf } from '../../stack/process-start.js';

const main = join(import.meta.dirname, '../../stack/main.ts');
const UP_MS = 90_000;

export interface StartedCommand {
  readonly pid: number;
  /** Resolves when standard error contains a text. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly end: Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Runs the start command on a data folder, on any free port. */
export function startCommand(data: string, args: readonly string[], env: Record<string, string> = {}): StartedCommand {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, STANDDOWN_DATA: data, PORT: '0', ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const end = once(child, 'close').then(() => ({ status: child.exitCode, ...written }));
  return {
    pid: child.pid ?? 0,
    says: async (text) => {
      const until = performance.now() + UP_MS;
      while (!written.stderr.includes(text)) {
        if (child.exitCode !== null || performance.now() > until) throw new Error(`"${text}" was not said, but: ${written.stderr}`);
        await sleep(50);
      }
    },
    kill: (signal) => void child.kill(signal),
    end,
  };
}

interface Registered {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
}

async function registered(data: string): Promise<Registered[]> {
  return JSON.parse(await readFile(join(data, 'processes.json'), 'utf8'));
}

/** The registered processes of a data folder that run now, by name. */
export async function runningIn(data: string): Promise<Record<string, number>> {
  const running = (await registered(data)).filter(({ pid, started }) => isRunning(pid) && startOf(pid) === started);
  return Object.fromEntries(running.map(({ name, pid }) => [name, pid]));
}

/** What `addresses.json` says, and its mode. */
export async function announced(data: string): Promise<Addresses & { readonly mode: string }> {
  const file = join(data, 'addresses.json');
  const addresses: Addresses = JSON.parse(await readFile(file, 'utf8'));
  return { ...addresses, mode: ((await stat(file)).mode & 0o777).toString(8) };
}

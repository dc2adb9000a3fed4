import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from './last-lines.ts';
import { hasEnded, stopChild } from './processes.ts';

const READY_MS = 60_000;
const PROBE_MS = 50;
const LONGEST_WAIT_MS = 30_000;

/** One of our own programs as a child process. */
export interface Program {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
  onSpawn(pid: number): void;
  isReady(log: string): Promise<boolean>;
}

/** A part that is started again when it ends unasked. */
export interface Kept {
  stop(graceMs: number): Promise<void>;
}

export interface Part {
  readonly name: string;
  /** Starts it again; resolves once it is ready. */
  start(): Promise<ChildProcess>;
  say(text: string): void;
}

/** Starts a program in a group of its own, out of a Ctrl-C's reach, with its output in a log file, and waits until it is ready. */
export async function startProgram({ name, script, args = [], env, log, onSpawn, isReady }: Program): Promise<ChildProcess> {
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [script, ...args], { env, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  if (child.pid !== undefined) onSpawn(child.pid);
  const until = performance.now() + READY_MS;
  while (!hasEnded(child) && performance.now() < until) {
    if (await isReady(await readFile(log, 'utf8'))) return child;
    await sleep(PROBE_MS);
  }
  const how = hasEnded(child) ? `ended (${child.signalCode ?? `exit status ${child.exitCode}`})` : `was not ready after ${READY_MS / 1000} s`;
  await stopChild(child, 0);
  throw new Error(`the ${name} ${how}. The end of ${log}:\n${lastLines(await readFile(log, 'utf8'))}`);
}

/** Until a part is stopped, starts it again whenever it ends: a killed worker must not take the page with it. */
export function keepRunning({ name, start, say }: Part, first: ChildProcess): Kept {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let child = first;
  let restarting: Promise<void> = Promise.resolve();

  const watch = (started: ChildProcess) => {
    child = started;
    started.once('exit', (code, signal) => {
      if (isStopping()) return;
      say(`the ${name} ended (${signal ?? `exit status ${code}`}); starting it again`);
      restarting = restart();
    });
  };
  const restart = async () => {
    for (let waitMs = 500; !isStopping(); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        await sleep(waitMs, undefined, { signal: stopping.signal });
        return watch(await start());
      } catch (error) {
        if (!isStopping()) say(error instanceof Error ? error.message : String(error));
      }
    }
  };

  watch(first);
  return {
    stop: async (graceMs) => {
      stopping.abort();
      await restarting;
      await stopChild(child, graceMs);
    },
  };
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, startOf } from './process-start.js';

/** A process as a later start command finds it again, should this one be killed. */
export interface StartedProcess {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
}

/** How a command ended: its exit status (null where it could not be run) and what it wrote. */
export interface CommandEnd {
  readonly status: number | null;
  readonly output: string;
}

interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a command to its end and gathers what it writes. */
export function runToEnd(command: string, args: readonly string[], options: RunOptions = {}): Promise<CommandEnd> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const gather = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', gather);
    child.stderr.on('data', gather);
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    // 'exit', for 'close' waits for servers that inherited the pipes.
    child.on('exit', (status) => resolve({ status, output: output.trim() }));
  });
}

/** Describes a child so that its left-over can be told from a stranger with the same pid. */
export function asStarted(name: string, pid: number): StartedProcess {
  return { name, pid, started: startOf(pid) };
}

/** Whether this very process still runs. */
export function stillRuns({ pid, started }: StartedProcess): boolean {
  return isRunning(pid) && startOf(pid) === started;
}

const LEFT_OVER_CHECK_MS = 100;

/** Stops a process that is no child of ours: asks, waits, then kills. */
export async function stopLeftOver(left: StartedProcess, graceMs: number): Promise<void> {
  if (!stillRuns(left)) return;
  process.kill(left.pid, 'SIGTERM');
  const until = performance.now() + graceMs;
  while (stillRuns(left) && performance.now() < until) await sleep(LEFT_OVER_CHECK_MS);
  if (stillRuns(left)) process.kill(left.pid, 'SIGKILL');
}

/** Whether a child has ended. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Stops a child: asks, waits for its end, then kills. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How a command ended: its exit status (null where it could not be run) and what it wrote. */
export interface CommandEnd {
  readonly status: number | null;
  readonly output: string;
}

interface RunOptions {
  readonly cwd?: string;
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

/** Whether a child has ended, or never began. */
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '../../config.ts';
import { folderPrefix, RUN_MARK } from './left-overs.ts';
import { until } from './waiting.ts';

const program = join(import.meta.dirname, '../../client/cli/main.ts');

/** How a command line ended. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly ended: Promise<Ended>;
  /** Waits until this text was written to standard output. */
  shows(text: string): Promise<void>;
  interrupt(): void;
}

/** Starts the command line as a process, with these settings and none of the person's who runs the tests, and this on standard input. */
export function startCommand(args: readonly string[], settings: Readonly<Record<string, string>>, input = ''): RunningCommand {
  const { PATH, [RUN_MARK]: run } = environment();
  // Dozens of starts compile the same files: the first of a test run does it for all.
  const compiled = `${folderPrefix(Number(run))}compiled`;
  const env = { PATH, [RUN_MARK]: run, NODE_COMPILE_CACHE: compiled, ...settings };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined); // It may end without having read all.
  child.stdin.end(input);
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  return {
    ended: once(child, 'close').then(() => ({ exit: child.exitCode, ...written })),
    shows: async (text) => {
      await until(() => written.stdout.includes(text), `"${text}" to be shown`);
    },
    interrupt: () => child.kill('SIGINT'),
  };
}

export function runCommand(args: readonly string[], settings: Readonly<Record<string, string>>, input = ''): Promise<Ended> {
  return startCommand(args, settings, input).ended;
}

/** The words of a line; double quotes keep words together. */
export function wordsOf(line: string): string[] {
  return line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
}

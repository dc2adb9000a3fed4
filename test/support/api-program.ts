import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '../../config.ts';
import { RUN_MARK } from './left-overs.ts';
import { until } from './waiting.ts';

const program = join(import.meta.dirname, '../../client/http/main.ts');

/** The API as a process of its own, in whatever way it may end. */
export interface ApiProgram {
  /** Its address, once it is ready. */
  address(): Promise<string>;
  signal(signal: 'SIGTERM' | 'SIGINT'): void;
  readonly ended: Promise<{ readonly exit: number | null; readonly stderr: string }>;
}

export function runApi(settings: Readonly<Record<string, string>>): ApiProgram {
  const { PATH, [RUN_MARK]: run } = environment();
  const child = spawn(process.execPath, [program], { env: { PATH, [RUN_MARK]: run, PORT: '0', ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  return {
    address: () => until(() => /API ready on (\S+)/.exec(written.stdout)?.[1], 'the API to be ready'),
    signal: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(() => ({ exit: child.exitCode, stderr: written.stderr })),
  };
}

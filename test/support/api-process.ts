import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '../../config.ts';
import { RUN_MARK } from './left-overs.ts';
import { until } from './waiting.ts';

const program = join(import.meta.dirname, '../../client/http/main.ts');

export interface ApiProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the API as a process of its own, on any free port unless `PORT` is among the settings. */
export async function startApi(settings: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const { PATH, [RUN_MARK]: run } = environment();
  const child = spawn(process.execPath, [program], { env: { PATH, [RUN_MARK]: run, PORT: '0', ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const url = await until(() => /API ready on (\S+)/.exec(written)?.[1], 'the API to be ready');
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

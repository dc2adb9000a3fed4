import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const stack = join(import.meta.dirname, '../../stack');
const SET_UP = ['set-up.js', 'set-up', 'lock.js', 'process-start.js', 'temporal-binaries.txt'];

/** A project of one package, which needs no network, with our set-up step in it. */
export interface PlantedProject {
  readonly folder: string;
  start(program: string, args?: readonly string[], env?: Record<string, string>): Running;
  remove(): Promise<void>;
}

export interface End {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** Resolves when standard output contains a text. */
  says(text: string): Promise<void>;
  readonly end: Promise<End>;
}

function follow(child: ChildProcess): Running {
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const end = once(child, 'close').then(() => ({ status: child.exitCode, ...written }));
  return {
    process: child,
    says: async (text) => {
      while (!written.stdout.includes(text) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    end,
  };
}

const PROGRAMS = {
  'echo.ts': 'const args: string[] = process.argv.slice(2);\nconsole.log(JSON.stringify(args));\n',
  'status.ts': 'process.exit(Number(process.argv[2]));\n',
  'wait.ts': "setInterval(() => {}, 1000);\nprocess.on('SIGTERM', () => { console.log('told to stop'); process.exit(7); });\nprocess.on('SIGINT', () => console.log('interrupted'));\nconsole.log('waiting');\n",
  'stack/main.ts': 'console.log(process.env.TEMPORAL_CLI_PATH);\n',
};

const MANIFESTS = {
  'package.json': { name: 'planted', version: '1.0.0', type: 'module', dependencies: { stone: 'file:./stone' } },
  'stone/package.json': { name: 'stone', version: '1.0.0' },
  'package-lock.json': {
    name: 'planted',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'planted', version: '1.0.0', dependencies: { stone: 'file:./stone' } },
      'stone': { version: '1.0.0' },
      'node_modules/stone': { resolved: 'stone', link: true },
    },
  },
};

/** Plants the project in a temporary folder. */
export async function plantProject(): Promise<PlantedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'standdown-set-up-'));
  await mkdir(join(folder, 'stone'));
  for (const name of SET_UP) await cp(join(stack, name), join(folder, 'stack', name), { recursive: true });
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(folder, name), text);
  for (const [name, manifest] of Object.entries(MANIFESTS)) await writeFile(join(folder, name), JSON.stringify(manifest));
  return {
    folder,
    start: (program, args = [], env = {}) => {
      const options = { cwd: folder, env: { ...process.env, TEMPORAL_CLI_PATH: '', ...env } };
      return follow(spawn(process.execPath, ['stack/set-up.js', program, ...args], options));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

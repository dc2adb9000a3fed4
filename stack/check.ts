import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';
import { smells } from './check/smells.ts';

interface Finding {
  readonly name: string;
  readonly isFine: boolean;
  readonly output: string;
}

const root = join(import.meta.dirname, '..');
const folders = ['workflows', 'activities', 'store', 'workers', 'client', 'stack', 'test', 'bench'].filter((name) => existsSync(join(root, name)));

async function run(name: string, script: string, ...args: string[]): Promise<Finding> {
  const { status, output } = await runToEnd(process.execPath, [join(root, 'node_modules', script), ...args]);
  return { name, isFine: status === 0, output };
}

async function findSmells(): Promise<Finding> {
  const found = await smells(root, folders);
  return { name: 'smells', isFine: found.length === 0, output: found.join('\n') };
}

process.chdir(root);
const findings = await Promise.all([
  run('types (tsc)', 'typescript/bin/tsc', '--noEmit'),
  run('rules (oxlint)', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--format', 'unix'),
  run('rooms (dependency-cruiser)', 'dependency-cruiser/bin/dependency-cruiser.mjs', ...folders, 'config.ts', '--config', '.dependency-cruiser.cjs'),
  run('dead code (knip)', 'knip/bin/knip.js', '--no-config-hints'),
  findSmells(),
]);

for (const { name, isFine, output } of findings) {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}`);
  if (!isFine) console.log(output);
}
process.exitCode = findings.every(({ isFine }) => isFine) ? 0 : 1;

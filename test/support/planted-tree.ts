import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runToEnd } from '../../stack/processes.ts';

const root = join(import.meta.dirname, '../..');
const script = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const SAME = ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs'];

/** An import that some rule is about. */
export interface Plant {
  readonly file: string;
  readonly text: string;
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

/** Makes a small tree with the plants in it and answers, for each broken rule, `rule: file`. */
export async function brokenRules(targets: readonly string[], plants: readonly Plant[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'standdown-rooms-'));
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const file of SAME) await copyFile(join(root, file), join(folder, file));
    for (const file of targets) await write(folder, file, 'export const thing = 1;\nexport type Thing = number;\n');
    for (const { file, text } of plants) await write(folder, file, text);
    const rooms = new Set([...targets, ...plants.map(({ file }) => file)].map((file) => file.split('/')[0] ?? file));
    const { output } = await runToEnd(process.execPath, [script, ...rooms, '--config', '.dependency-cruiser.cjs'], { cwd: folder });
    return output.split('\n').flatMap((line) => /error (\S+: \S+) →/.exec(line)?.[1] ?? []);
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'workflows', 'index.ts');

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')));
  const files = await readdir(join(root, 'workflows'), { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    hash.update(file).update(await readFile(join(root, 'workflows', file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Path of the bundle of all workflows, made once for one state of the sources; null where there are none yet. */
export async function workflowBundle(): Promise<string | null> {
  if (!existsSync(entry)) return null;
  const path = join(root, '.cache', `test-workflows-${await hashOfSources()}.js`);
  if (existsSync(path)) return path;
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger: new DefaultLogger('WARN') });
  await mkdir(join(root, '.cache'), { recursive: true });
  await writeFile(`${path}.${process.pid}`, code);
  await rename(`${path}.${process.pid}`, path);
  return path;
}

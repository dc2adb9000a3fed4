import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const root = join(import.meta.dirname, '..');
const workflowsPath = join(root, 'workflows', 'index.ts');
const cache = join(root, '.cache');

/** The path of the workflows' bundle, made anew only where the workflows or the SDK have changed. */
export async function workflowBundle(): Promise<string> {
  const path = join(cache, `workflows-${await digestOfSources()}.js`);
  if (await exists(path)) return path;
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  await mkdir(cache, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, path);
  return path;
}

async function digestOfSources(): Promise<string> {
  const folder = join(root, 'workflows');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted();
  const hash = createHash('sha256').update(sdkVersion());
  for (const name of names) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 20);
}

function sdkVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@temporalio/worker/package.json');
  return JSON.stringify(typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}

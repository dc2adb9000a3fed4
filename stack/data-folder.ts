import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addresses } from '../config.ts';
import { takeLock } from './lock.js';

/** Made once for a data folder, and as private as it is lasting. */
export interface Secrets {
  /** Key of the links in emails. */
  readonly links: string;
  readonly postgresPassword: string;
}

/** The folder of the embedded servers, held by this process alone. */
export interface DataFolder {
  readonly path: string;
  readonly secrets: Secrets;
  announce(addresses: Addresses): Promise<void>;
  release(): Promise<void>;
}

function inUse(path: string, { pid, note }: { pid: number; note: string }): Error {
  const where = note === '' ? 'it is still starting' : `its page is ${note}`;
  return new Error(`${path} is in use by process ${pid}; ${where}. Stop it, or choose another folder with STANDDOWN_DATA and another PORT`);
}

async function writePrivately(file: string, content: string): Promise<void> {
  await writeFile(`${file}.unfinished`, content, { mode: 0o600 });
  await chmod(`${file}.unfinished`, 0o600);
  await rename(`${file}.unfinished`, file);
}

async function readSecrets(file: string): Promise<Secrets | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read; without it the data folder's reports are lost`, { cause: error });
  }
}

async function secretsOf(path: string): Promise<Secrets> {
  const file = join(path, 'secrets.json');
  const kept = await readSecrets(file);
  if (kept !== null) return kept;
  const made = { links: randomBytes(32).toString('hex'), postgresPassword: randomBytes(24).toString('hex') };
  await writePrivately(file, JSON.stringify(made));
  return made;
}

/** Takes the data folder, making it where there is none; throws where another start command holds it, and says which. */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(path, 'lock'));
  if (!lock.taken) throw inUse(path, lock.holder ?? { pid: 0, note: '' });
  const addressesFile = join(path, 'addresses.json');
  await rm(addressesFile, { force: true });
  return {
    path,
    secrets: await secretsOf(path),
    announce: async (addresses) => {
      lock.tell(addresses.page);
      await writePrivately(addressesFile, JSON.stringify(addresses, null, 2));
    },
    release: async () => {
      await rm(addressesFile, { force: true });
      lock.release();
    },
  };
}

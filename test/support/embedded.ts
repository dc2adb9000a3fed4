import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { environment } from '../../config.ts';
import { startPostgres } from '../../stack/postgres.ts';
import { findBinary } from '../../stack/set-up/temporal-binaries.js';
import { startTemporal } from '../../stack/temporal.ts';
import { folderPrefix } from './left-overs.ts';

/** Servers for a whole test run. */
export interface Embedded {
  /** A superuser's, to create a database for each test file. */
  readonly postgresUrl: string;
  readonly temporalAddress: string;
  readonly temporalCliPath: string;
  readonly testServerPath: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');

function binary(name: 'temporal' | 'temporal-test-server'): string {
  const path = findBinary(root, name, environment());
  if (path === null) throw new Error(`${name} is missing: run npm test once, it fetches it`);
  return path;
}

/** Starts PostgreSQL without durability and Temporal in memory, both in a temporary folder. */
export async function startEmbedded(): Promise<Embedded> {
  const [temporalCliPath, testServerPath] = [binary('temporal'), binary('temporal-test-server')];
  const folder = await mkdtemp(folderPrefix(process.pid));
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };
  const [postgres, temporal] = await Promise.all([
    startPostgres({ folder, password: 'for-tests-only', port: null, settings }),
    startTemporal({ cli: temporalCliPath, folder, inMemory: true, port: null, uiPort: null }),
  ]);
  return {
    postgresUrl: postgres.url,
    temporalAddress: temporal.address,
    temporalCliPath,
    testServerPath,
    stop: async () => {
      await Promise.all([postgres.stop(), temporal.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

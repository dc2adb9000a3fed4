import type { TestProject } from 'vitest/node';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import { startEmbedded } from './embedded.ts';
import { endEverythingOf, endLeftOvers, endLeftOversOfDeadRuns, RUN_MARK } from './left-overs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser's address of the run's PostgreSQL, to create databases with. */
    postgresUrl: string;
    /** Address of the run's Temporal dev server (real time, namespace `default`). */
    temporalAddress: string;
    temporalCliPath: string;
    testServerPath: string;
  }
}

const SETTLE_MS = 5_000;

export default async function setUp(project: TestProject) {
  endLeftOversOfDeadRuns();
  process.env[RUN_MARK] = String(process.pid);
  process.once('exit', () => endEverythingOf(process.pid)); // Also when interrupted, where nothing is torn down.
  // The bundle is made here, once, for all test files that then find it made.
  const [embedded] = await Promise.all([startEmbedded(), workflowBundle()]);
  project.provide('postgresUrl', embedded.postgresUrl);
  project.provide('temporalAddress', embedded.temporalAddress);
  project.provide('temporalCliPath', embedded.temporalCliPath);
  project.provide('testServerPath', embedded.testServerPath);
  return async function tearDown() {
    await embedded.stop();
    const left = await endLeftOvers(process.pid, SETTLE_MS);
    if (left.length > 0) throw new Error(`the tests left these processes running (now ended):\n${left.join('\n')}`);
  };
}

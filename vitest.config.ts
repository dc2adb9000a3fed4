import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';

const VERIFICATION = 'test/verify-everything.test.ts';

interface Part {
  readonly include: string[];
  readonly exclude: string[];
  readonly groupOrder: number;
}

function project(name: string, { include, exclude, groupOrder }: Part): TestProjectInlineConfiguration {
  const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };
  return { test: { name, include, exclude, setupFiles: ['test/support/leaks.ts'], pool: 'forks', sequence: { groupOrder }, ...timeouts } };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Most tests wait for servers, so a small machine has room for more than its cores less one.
    maxWorkers: 3,
    projects: [
      project('tests', { include: ['test/**/*.test.ts'], exclude: [VERIFICATION], groupOrder: 1 }),
      // After all others: it checks every database that they filled. (On few cores, group 0 would run last.)
      project('verification', { include: [VERIFICATION], exclude: [], groupOrder: 2 }),
    ],
  },
});

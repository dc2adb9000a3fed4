import type { Reporter, TestModule } from 'vitest/node';

/** Counts what a run came to: each failed test, each file or group that failed outside its tests, each unhandled error. */
export class Tally implements Reporter {
  passed = 0;
  failed = 0;

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    this.passed = tests.filter((test) => test.result().state === 'passed').length;
    const failedTests = tests.filter((test) => test.result().state === 'failed').length;
    const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failedGroups = groups.filter((group) => group.errors().length > 0).length;
    this.failed = failedTests + failedGroups + unhandledErrors.length;
  }
}

import { createVitest, parseCLI } from 'vitest/node';
import { Tally } from './support/reporter.ts';

const tally = new Tally();
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const vitest = await createVitest({ ...options, watch: false, reporters: ['default', tally] });

try {
  await vitest.start(filter);
} catch (error) {
  console.error(error);
  tally.failed += 1;
}
// Also ends the servers of the run; what goes wrong there shows in the exit code alone.
await vitest.close();
if (tally.failed === 0 && process.exitCode) tally.failed = 1;
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0);

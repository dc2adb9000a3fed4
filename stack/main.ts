import { environment } from '../config.ts';
import { start } from './start.ts';
import { startOptions, usage } from './start-options.ts';

const WRONG_USAGE = 2;
const wanted = startOptions(process.argv.slice(2));

if (wanted.kind === 'help') {
  console.log(usage);
} else if (wanted.kind === 'wrong') {
  console.error(`standdown: ${wanted.problem}\n\n${usage}`);
  process.exitCode = WRONG_USAGE;
} else {
  process.exit(await start(environment(), wanted.options));
}

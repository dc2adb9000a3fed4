// Plain JavaScript for any Node from 18: it fetches what is missing, a suitable Node among it, and then
// runs the program named on its command line. See set-up/set-up.js.
import { setUpAndRun } from './set-up/set-up.js';

const [program = 'stack/main.ts', ...args] = process.argv.slice(2);
await setUpAndRun(program, args);

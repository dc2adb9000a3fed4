#!/usr/bin/env node
import { setUpAndRun } from './set-up/set-up.js';

await setUpAndRun('client/cli/main.ts', process.argv.slice(2));

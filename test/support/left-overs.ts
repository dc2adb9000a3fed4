import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../stack/process-start.js';

/** Variable that every process of a test run inherits, with the pid of the run: servers started inside Temporal's SDK show nowhere else. */
export const RUN_MARK = 'STANDDOWN_TEST_RUN';

/** Where the temporary folders of a run begin. */
export const folderPrefix = (run: number) => join(tmpdir(), `standdown-test-${run}-`);

/** The runner's own guard, which ends with the runner. */
const VITEST_OWN = 'vitest-watchdog';

interface Marked {
  readonly pid: number;
  readonly run: number;
  readonly command: string;
}

function describe(pid: string): Marked[] {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const run = variables.find((variable) => variable.startsWith(`${RUN_MARK}=`))?.split('=')[1];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const isOurs = run !== undefined && command !== '' && command !== VITEST_OWN;
    return isOurs ? [{ pid: Number(pid), run: Number(run), command }] : [];
  } catch {
    return []; // Ended meanwhile, or another user's.
  }
}

function numbersIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return []; // A system without /proc: what is left there has to be found by hand.
  }
}

/** Every process of any test run. */
function marked(): Marked[] {
  return numbersIn('/proc', /^\d+$/).flatMap(describe);
}

function end({ pid }: Marked): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself just now.
  }
}

function removeFolders(isDead: (run: number) => boolean): void {
  const pattern = /^standdown-test-(\d+)-/;
  for (const name of numbersIn(tmpdir(), pattern)) {
    const run = Number(pattern.exec(name)?.[1]);
    // A server that was just killed may write for a moment longer.
    if (isDead(run)) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends what test runs that were killed left behind. */
export function endLeftOversOfDeadRuns(): void {
  marked().filter(({ run }) => !isRunning(run)).forEach(end);
  removeFolders((run) => !isRunning(run));
}

/** Ends everything of one run at once. */
export function endEverythingOf(run: number): void {
  marked().filter((found) => found.run === run).forEach(end);
  removeFolders((other) => other === run);
}

/** Ends and names the processes of one run that are still there after a while. */
export async function endLeftOvers(run: number, settleMs: number): Promise<string[]> {
  const left = () => marked().filter((found) => found.run === run);
  const until = performance.now() + settleMs;
  while (left().length > 0 && performance.now() < until) await sleep(100);
  const found = left();
  found.forEach(end);
  return found.map(({ pid, command }) => `${pid} ${command}`);
}

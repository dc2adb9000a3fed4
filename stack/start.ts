import { join, resolve } from 'node:path';
import { readConfig, WrongSettings } from '../config.ts';
import type { Config, Environment } from '../config.ts';
import type { Status } from '../workflows/contract/status.ts';
import { takeDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { followReport, hasReports, startReport } from './first-report.ts';
import type { ReportRequest } from './first-report.ts';
import { watchInterrupts } from './interrupts.ts';
import { createRegistry, stopLeftOvers } from './registry.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';
import type { StartOptions } from './start-options.ts';

/** The start command's exit statuses; 2, wrong usage, is also for wrong settings. */
const EXIT = { finished: 0, failed: 1, wrongUsage: 2, finishedOtherwise: 3, setUpImpossible: 4, cancelled: 5, interrupted: 130 } as const;

const SAMPLES = join(import.meta.dirname, '..', 'samples');
const SAMPLE_MONTH = '2026-10';

const say = (text: string) => process.stderr.write(`standdown: ${text}\n`);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The documents' root and the report that the options ask for; no report where nobody named a month of one's own documents. */
function inputOf(options: StartOptions, config: Config, env: Environment): { root: string; request: ReportRequest | null } {
  const { documents, recipients } = options;
  // npm changes to the project's folder; a path is meant from where the person is.
  const root = documents === null ? config.documentsRoot : resolve(env.INIT_CWD ?? '.', documents);
  const isSamples = root === SAMPLES;
  const month = options.month ?? (isSamples ? SAMPLE_MONTH : null);
  return { root, request: month === null ? null : { month, path: isSamples ? 'minutes/{month}' : '{month}', recipients } };
}

function exitOf({ phase, emailCounts }: Status): number {
  if (phase === 'cancelled') return EXIT.cancelled;
  if (phase === 'failed') return EXIT.failed;
  const { accepted, ...others } = emailCounts;
  return Object.keys(others).length === 0 ? EXIT.finished : EXIT.finishedOtherwise;
}

function tellAddresses({ addresses: { page, inbox, temporalUi } }: Stack): void {
  const lines = [`page        ${page}`, inbox !== null && `inbox       ${inbox}`, temporalUi !== null && `Temporal    ${temporalUi}`];
  process.stderr.write(`\n${lines.filter((line) => line !== false).map((line) => `  ${line}\n`).join('')}\n`);
}

/** Runs the first report where one is wanted; answers its exit status, null without one. */
async function runReport(api: string, wanted: StartOptions['report'], request: ReportRequest | null, signal: AbortSignal): Promise<number | null> {
  if (wanted === 'none' || request === null) return null;
  if (wanted === 'unless-any' && (await hasReports(api))) return null;
  const id = await startReport(api, request);
  say(`report ${id} for ${request.month}`);
  const ended = await followReport(api, id, signal, (headline) => say(headline));
  console.log(ended.headline);
  return exitOf(ended);
}

const aborted = (signal: AbortSignal) => new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));

/** Runs what is up until it has done its work or is interrupted. */
async function work(stack: Stack, options: StartOptions, request: ReportRequest | null, signal: AbortSignal): Promise<number> {
  const ran = await runReport(stack.api, options.report, request, signal).catch((error: unknown) => {
    if (!signal.aborted) say(`no report: ${messageOf(error)}`);
    return EXIT.failed;
  });
  if (options.once) return signal.aborted ? EXIT.interrupted : (ran ?? EXIT.failed);
  if (!signal.aborted) say('running; Ctrl-C stops everything');
  await aborted(signal);
  return EXIT.finished;
}

async function startIn(folder: DataFolder, env: Environment, config: Config, options: StartOptions): Promise<number> {
  const { root, request } = inputOf(options, config, env);
  const processesFile = join(folder.path, 'processes.json');
  const left = await stopLeftOvers(processesFile, config.limits.shutdownGraceMs);
  if (left.length > 0) say(`stopped what an earlier start left running: ${left.join(', ')}`);
  const registry = createRegistry(processesFile);
  const interruption = new AbortController();
  const forced = () => {
    registry.killAll();
    process.exit(EXIT.interrupted);
  };
  watchInterrupts(() => {
    say('stopping; Ctrl-C once more stops at once');
    interruption.abort();
  }, forced);
  const stack = await startStack({ env, config, folder, registry, say }, root);
  try {
    if (interruption.signal.aborted) return EXIT.interrupted;
    await folder.announce(stack.addresses);
    tellAddresses(stack);
    return await work(stack, options, request, interruption.signal);
  } finally {
    await stack.stop();
  }
}

/** Starts everything, does what the options ask for, and stops everything; answers the exit status. */
export async function start(env: Environment, options: StartOptions): Promise<number> {
  let folder: DataFolder | null = null;
  try {
    const config = readConfig(env);
    if (options.once && inputOf(options, config, env).request === null) throw new WrongSettings(['--once needs --month where the documents are not the samples']);
    folder = await takeDataFolder(config.data);
    return await startIn(folder, env, config, options);
  } catch (error) {
    say(messageOf(error));
    return error instanceof WrongSettings ? EXIT.wrongUsage : EXIT.setUpImpossible;
  } finally {
    await folder?.release();
  }
}

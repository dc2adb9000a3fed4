import { parseArgs } from 'node:util';

/** What the command line of the start command asks for. */
export interface StartOptions {
  /** Leave when the first report has ended. */
  readonly once: boolean;
  /** The first report: `unless-any` runs one only on a data folder that holds none. */
  readonly report: 'none' | 'always' | 'unless-any';
  /** Folder that becomes `DOCUMENTS_ROOT`, as it was written. */
  readonly documents: string | null;
  readonly month: string | null;
  readonly recipients: readonly string[];
}

export type Wanted = { readonly kind: 'start'; readonly options: StartOptions } | { readonly kind: 'help' } | { readonly kind: 'wrong'; readonly problem: string };

export const usage = `npm start [-- options]

Starts everything that the environment does not name (PostgreSQL, Temporal, a mail server), a worker and the
API with its page, runs one report over the sample documents where there is no report yet, and stays up until Ctrl-C.

  --once                 run one report, then leave: status 0 finished and every email accepted, 3 finished
                         otherwise, 5 cancelled, 1 failed, 2 wrong usage, 4 set-up impossible, 130 interrupted
  --no-report            run no report
  --documents <folder>   read documents from here, from the subfolder named like the month
  --month <YYYY-MM>      month of the report
  --to <address>         recipient; may be repeated
  --help                 this text

Settings are environment variables: npx standdown config lists them.`;

const DEFAULT_RECIPIENT = 'team@standdown.localhost';

function problemOf({ once, report, documents, month }: StartOptions, noReport: boolean): string | null {
  if (once && noReport) return '--once and --no-report contradict each other';
  if (month !== null && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return `--month is ${month}; a month looks like 2026-10`;
  if (documents !== null && month === null && report !== 'none') return '--documents needs --month: documents are read from its subfolder of that name';
  return null;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      'once': { type: 'boolean', default: false },
      'no-report': { type: 'boolean', default: false },
      'documents': { type: 'string' },
      'month': { type: 'string' },
      'to': { type: 'string', multiple: true },
      'help': { type: 'boolean', default: false },
    },
  }).values;
}

function wantedBy(values: ReturnType<typeof parse>): Wanted {
  const [documents, month, noReport] = [values.documents ?? null, values.month ?? null, values['no-report']];
  const isAskedFor = values.once || documents !== null || month !== null || values.to !== undefined;
  const report = noReport ? 'none' : isAskedFor ? 'always' : 'unless-any';
  const options: StartOptions = { once: values.once, report, documents, month, recipients: values.to ?? [DEFAULT_RECIPIENT] };
  const problem = problemOf(options, noReport);
  return problem === null ? { kind: 'start', options } : { kind: 'wrong', problem };
}

/** Reads the command line. */
export function startOptions(args: readonly string[]): Wanted {
  try {
    const values = parse(args);
    return values.help ? { kind: 'help' } : wantedBy(values);
  } catch (error) {
    return { kind: 'wrong', problem: error instanceof Error ? error.message : String(error) };
  }
}

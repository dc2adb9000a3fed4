import { inputLimits, isReportId, textProblems, validateInput, type InputProblem } from '../../workflows/contract/input.ts';
import type { Status } from '../../workflows/contract/status.ts';
import { isEnd, phases, type End, type Phase } from '../../workflows/contract/vocabulary.ts';
import { noSuchReport, wrongInput } from './command-problem.ts';
import type { Exit } from './exits.ts';
import { keyed } from './keyed.ts';
import type { Output } from './output.ts';
import { cancelledLines, ledgerLines, listLines, startedLines, statusLines, summaryLines, verifiedLines } from './rendering.ts';
import type { ReportsFace } from './reports-face.ts';
import { added, emptySummary } from './summary.ts';

/** What a command works with. */
export interface Session {
  readonly face: ReportsFace;
  readonly output: Output;
}

export interface StartOptions {
  readonly month?: string;
  readonly source?: readonly string[];
  readonly to?: readonly string[];
  readonly title?: string;
  readonly key?: string;
  readonly supersedes?: string;
  readonly acceptDuplicateRisk?: boolean;
}

export async function start({ face, output }: Session, options: StartOptions): Promise<Exit> {
  const { month, source = [], to, title, supersedes, acceptDuplicateRisk, key } = options;
  const validated = validateInput({ month, sources: source.map((path) => ({ kind: 'folder', path })), recipients: to, title, supersedes, acceptDuplicateRisk });
  const problems = [...(validated.ok ? [] : validated.problems), ...(key === undefined ? [] : textProblems('key', key, inputLimits.key))];
  if (!validated.ok || problems.length > 0) throw wrongInput(problems);
  const started = await keyed(key, (key) => face.start(validated.input, key));
  output.tell(started.report, () => startedLines(started));
  return 'fine';
}

export async function showStatus({ face, output }: Session, id: string): Promise<Exit> {
  const status = await face.status(reportId(id));
  output.tell(status, () => statusLines(status));
  return 'fine';
}

/** Shows each change until the report ends; says with the exit status how. */
export async function watch({ face, output }: Session, id: string, signal: AbortSignal): Promise<Exit> {
  for await (const status of face.watch(reportId(id), signal)) {
    if (isEnd(status.phase)) {
      output.tell(status, () => [status.headline]);
      return exitOf(status, status.phase);
    }
    output.progress(status, status.headline);
  }
  output.note(`Stopped watching; the report goes on. To cancel it: standdown cancel ${id}`);
  return 'interrupted';
}

function exitOf({ emailCounts }: Status, end: End): Exit {
  const { accepted = 0, ...others } = emailCounts;
  const isAccepted = accepted > 0 && Object.values(others).every((count) => count === 0);
  const exitAt = { finished: isAccepted ? 'fine' : 'not_accepted', cancelled: 'cancelled', failed: 'failure' } as const satisfies Record<End, Exit>;
  return exitAt[end];
}

export interface ListOptions {
  readonly phase?: string;
  readonly limit: string;
  readonly cursor?: string;
}

export async function list({ face, output }: Session, { phase, limit, cursor }: ListOptions): Promise<Exit> {
  const problems: InputProblem[] = [
    ...(phase === undefined || isPhase(phase) ? [] : [{ field: 'phase', says: `must be one of ${Object.keys(phases).join(', ')}` }]),
    ...(/^([1-9]\d?|100)$/.test(limit) ? [] : [{ field: 'limit', says: 'must be a number from 1 to 100' }]),
  ];
  if (problems.length > 0) throw wrongInput(problems);
  const page = await face.list({ phase: phase !== undefined && isPhase(phase) ? phase : null, limit: Number(limit), cursor: cursor ?? null });
  output.tell(page, () => listLines(page));
  return 'fine';
}

function isPhase(text: string): text is Phase {
  return Object.hasOwn(phases, text);
}

export async function cancel({ face, output }: Session, id: string, { reason = '' }: { readonly reason?: string }): Promise<Exit> {
  // A blank reason is none: nobody's cancel may fail for it.
  const isGiven = reason.trim() !== '';
  const problems = isGiven ? textProblems('reason', reason, inputLimits.text) : [];
  if (problems.length > 0) throw wrongInput(problems);
  const cancelled = await face.cancel(reportId(id), isGiven ? reason : null);
  output.tell(cancelled, () => cancelledLines(cancelled));
  return 'fine';
}

export async function showLedger({ face, output }: Session, id: string): Promise<Exit> {
  const entries = await face.ledger(reportId(id));
  output.tell({ entries }, () => ledgerLines(entries));
  return 'fine';
}

/** Tells of each report that breaks a rule, then of all points; a program hears of every report. */
export async function verify({ face, output }: Session, id: string | undefined): Promise<Exit> {
  let summary = emptySummary;
  for await (const verified of face.verify(id === undefined ? null : reportId(id))) {
    summary = added(summary, verified);
    output.tell(verified, () => (verified.violations.length === 0 ? [] : verifiedLines(verified)));
  }
  const whole = summary;
  output.tell(whole, () => summaryLines(whole));
  return whole.violations === 0 ? 'fine' : 'failure';
}

/** No report can have an id of another shape. */
export function reportId(id: string): string {
  if (!isReportId(id)) throw noSuchReport(id);
  return id;
}

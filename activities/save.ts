import { createHash } from 'node:crypto';
import type { ReportRef, SaveResult } from '../workflows/contract/run.ts';
import type { Dependencies } from './dependencies.ts';
import { titleOf } from './title-of.ts';

/**
 * Saves the report, unless a cancel was accepted first. Idempotent: the first save wins and a later one is answered with
 * it. No heartbeat: it is one transaction, and leaves either the whole report or nothing.
 */
export function saveReport(dependencies: Dependencies) {
  return async ({ reportId }: ReportRef): Promise<SaveResult> => {
    const body = await renderReport(dependencies, reportId);
    const hash = createHash('sha256').update(body).digest('hex');
    const { decision, state } = await dependencies.store.decisions.save(reportId, body, hash);
    const phase = state?.report.phase ?? 'queued';
    if (decision.kind === 'refused') return { kind: 'refused', phase };
    return { kind: 'saved', phase, recipients: state?.report.recipients ?? 0 };
  };
}

/** The saved report, as Markdown: the whole, each document, and what was skipped and why. */
async function renderReport(dependencies: Dependencies, reportId: string): Promise<string> {
  const { contents } = dependencies.store;
  const [title, input, combined, summaries] = await Promise.all([
    titleOf(dependencies, reportId),
    contents.input(reportId),
    contents.draft(reportId, 'combine'),
    contents.summaries(reportId),
  ]);
  if (combined === null) throw new Error('a report is to be saved that was never summarised');
  const skipped = (input?.skipped ?? []).map(({ name, why }) => `- ${plain(name)}: ${plain(why)}`);
  return [
    `# ${plain(title)}`,
    `Month: ${input?.month ?? ''}. Summarised by ${plain(combined.model)} from ${summaries.length === 1 ? '1 document' : `${summaries.length} documents`}.`,
    combined.body.trim(),
    ...summaries.map(({ name, body }) => `## ${plain(name)}\n\n${body.trim()}`),
    ...(skipped.length === 0 ? [] : [`## Skipped\n\n${skipped.join('\n')}`]),
  ].join('\n\n').concat('\n');
}

/** Names and titles are data: what Markdown would read as markup is escaped. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

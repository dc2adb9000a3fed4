import { createHash } from 'node:crypto';
import type { FailureReason, Step } from '../workflows/contract/vocabulary.ts';
import type { ReportRef, StepResult } from '../workflows/contract/run.ts';
import { startHeartbeat } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { ModelError, type SummaryRequest } from './models/model.ts';
import { runOperation, type Made, type Operation, type Ran } from './operation.ts';
import { titleOf } from './title-of.ts';

/**
 * Has the model summarise each document, then the summaries as a whole; each call is an operation of its own. A summary
 * whose draft was committed is never asked for again. Heartbeats; the drafts of a stopped one are kept.
 */
export function summariseDocuments(dependencies: Dependencies) {
  return async (ref: ReportRef): Promise<StepResult> => {
    const stopHeartbeat = startHeartbeat(dependencies.limits.heartbeatEveryMs);
    try {
      return await summarise(dependencies, ref);
    } finally {
      stopHeartbeat();
    }
  };
}

async function summarise(dependencies: Dependencies, ref: ReportRef): Promise<StepResult> {
  const { contents } = dependencies.store;
  const { reportId } = ref;
  const drafted = await contents.draftedSteps(reportId);
  for (const { number, name } of await contents.documents(reportId)) {
    const step = `summarise/${number}` as const;
    if (drafted.includes(step)) continue;
    const text = async (): Promise<string> => (await contents.documentText(reportId, number)) ?? '';
    const ran = await call(dependencies, ref, step, { task: 'document', title: name, text });
    if (isOver(ran)) return { kind: ran.kind, phase: ran.phase };
  }
  const title = await titleOf(dependencies, reportId);
  const ran = await call(dependencies, ref, 'combine', { task: 'report', title, text: () => joinedSummaries(dependencies, reportId) });
  return { kind: ran.kind === 'skipped' ? 'done' : ran.kind, phase: ran.phase };
}

function isOver(ran: Ran): ran is Ran & { kind: 'stopped' | 'refused' } {
  return ran.kind === 'stopped' || ran.kind === 'refused';
}

async function joinedSummaries({ store }: Dependencies, reportId: string): Promise<string> {
  const summaries = await store.contents.summaries(reportId);
  return summaries.map(({ name, body }) => `## ${name}\n\n${body}`).join('\n\n');
}

type Request = Pick<SummaryRequest, 'task' | 'title'> & { readonly text: () => Promise<string> };

function call(dependencies: Dependencies, ref: ReportRef, step: Step, request: Request): Promise<Ran> {
  const { model, limits } = dependencies;
  const operation: Operation = {
    step,
    limitMs: limits.modelCallMs,
    interruptible: model.interruptible,
    work: (signal, operationId) => ask(dependencies, ref.reportId, step, request, { signal, operationId }),
    explain,
  };
  return runOperation(dependencies, ref, operation);
}

async function ask(
  { model }: Dependencies,
  reportId: string,
  step: Step,
  { task, title, text }: Request,
  { signal, operationId }: { signal: AbortSignal; operationId: string },
): Promise<Made> {
  const summary = await model.summarise({ task, title, text: await text(), reportId, operationId, signal });
  if (summary.text.trim() === '') throw new ModelError('permanent', 'model_empty', 'the summary is empty');
  const digest = createHash('sha256').update(summary.text).digest('hex');
  const { inputTokens, outputTokens } = summary;
  return { digest, documents: null, draft: { step, body: summary.text, model: summary.model, inputTokens, outputTokens } };
}

const reasons = {
  model_refused: 'model_refused',
  model_unreachable: 'model_unreachable',
  model_rate_limited: 'model_unreachable',
  model_incomplete: 'model_incomplete',
  model_empty: 'model_empty',
} as const satisfies Record<ModelError['reason'], FailureReason>;

function explain(error: unknown): { reason: FailureReason; isPermanent: boolean } {
  if (error instanceof ModelError) return { reason: reasons[error.reason], isPermanent: error.kind === 'permanent' };
  return { reason: 'internal', isPermanent: false };
}

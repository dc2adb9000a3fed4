import { createHash } from 'node:crypto';
import type { FailureReason } from '../workflows/contract/vocabulary.ts';
import type { ReportRef, StepResult } from '../workflows/contract/run.ts';
import { sourcePath } from '../workflows/contract/source-path.ts';
import { startHeartbeat } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { RefusedByStore, runOperation, type Made, type Operation } from './operation.ts';
import type { Decided } from '../store/fence.ts';
import { SourceError, type SkippedDocument } from './sources/source.ts';

/**
 * Collects the documents of a report's sources into the store. Repeating it goes on from what is stored: the first text
 * stored under a name stays. Heartbeats; what a stopped one has stored is kept.
 */
export function collectDocuments(dependencies: Dependencies) {
  return async (ref: ReportRef): Promise<StepResult> => {
    const stopHeartbeat = startHeartbeat(dependencies.limits.heartbeatEveryMs);
    try {
      const { kind, phase } = await runOperation(dependencies, ref, collection(dependencies, ref.reportId));
      return { kind: kind === 'skipped' ? 'done' : kind, phase };
    } finally {
      stopHeartbeat();
    }
  };
}

function collection(dependencies: Dependencies, reportId: string): Operation {
  return {
    step: 'collect',
    limitMs: dependencies.limits.collectMs,
    // It writes documents, each only while it is open: what is read too late is refused, so it need not be waited for.
    interruptible: true,
    work: (signal, operationId) => collect(dependencies, reportId, operationId, signal),
    explain,
  };
}

async function collect({ store, source }: Dependencies, reportId: string, operationId: string, signal: AbortSignal): Promise<Made> {
  const input = await store.contents.input(reportId);
  const folders = (input?.sources ?? []).map((folder) => sourcePath(folder, input?.month ?? ''));
  const stored = new Set((await store.contents.documents(reportId)).map(({ name }) => name));
  const skipped: SkippedDocument[] = [];
  for (const folder of folders) {
    const listing = await source.list(folder);
    signal.throwIfAborted();
    skipped.push(...listing.skipped);
    for (const { name } of listing.documents) {
      const fullName = folders.length === 1 ? name : `${folder}/${name}`;
      if (!stored.has(fullName)) await keep(fullName, folder, name);
    }
  }
  kept(await store.decisions.keepSkipped(reportId, operationId, skipped));
  const documents = await store.contents.documents(reportId);
  const digest = createHash('sha256').update(documents.map(({ sha256 }) => sha256).join('\n')).digest('hex');
  return { digest, documents: documents.length, draft: null };

  async function keep(fullName: string, folder: string, name: string): Promise<void> {
    try {
      const document = await source.read(folder, name, signal);
      signal.throwIfAborted();
      kept(await store.decisions.keepDocument(reportId, operationId, { ...document, name: fullName }));
    } catch (error) {
      // A permanent fault in reading is of that one document.
      if (!(error instanceof SourceError) || error.kind === 'transient') throw error;
      skipped.push({ name: fullName, why: error.message });
    }
  }
}

function kept({ decision }: Decided): void {
  if (decision.kind === 'refused') throw new RefusedByStore(decision.reason);
}

const reasons = {
  not_found: 'source_not_found',
  outside_root: 'source_unreadable',
  unreadable: 'source_unreadable',
  no_documents: 'no_documents',
  too_many: 'too_many_documents',
  not_text: 'source_unreadable',
  empty: 'no_documents',
  too_large: 'source_unreadable',
} as const satisfies Record<SourceError['reason'], FailureReason>;

function explain(error: unknown): { reason: FailureReason; isPermanent: boolean } {
  if (error instanceof SourceError) return { reason: reasons[error.reason], isPermanent: error.kind === 'permanent' };
  return { reason: 'internal', isPermanent: false };
}

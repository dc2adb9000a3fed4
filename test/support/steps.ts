import { randomUUID } from 'node:crypto';
import type { Step } from '../../workflows/contract/vocabulary.ts';
import type { ReportInput } from '../../workflows/contract/input.ts';
import type { Claiming } from '../../store/decisions.ts';
import type { Store } from '../../store/store.ts';

/** An input with one folder and one recipient, changed where a test says so. */
export function inputOf(change: Partial<ReportInput> = {}): ReportInput {
  return {
    month: '2025-07',
    sources: [{ kind: 'folder', path: 'minutes/{month}' }],
    recipients: ['reader@example.com'],
    title: null,
    supersedes: null,
    acceptDuplicateRisk: false,
    ...change,
  };
}

export async function registerReport(store: Store, reportId: string, change: Partial<ReportInput> = {}): Promise<void> {
  await store.register({ reportId, input: inputOf(change), caller: 'test', key: reportId });
}

/** Runs one step straight at the store, with one document. */
export async function throughStep(store: Store, report: string, step: Step): Promise<void> {
  const operation = randomUUID();
  const documents = step === 'collect' ? 1 : null;
  await store.decisions.begin(report, { operation, step, owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
  await store.decisions.end(report, { operation, account: { kind: 'returned', digest: `digest of ${step}`, documents }, toldMsAgo: null, toldBy: null, draft: null });
}

export async function throughSummary(store: Store, report: string): Promise<void> {
  await registerReport(store, report);
  await throughWork(store, report);
}

/** Collects and summarises a registered report. */
export async function throughWork(store: Store, report: string): Promise<void> {
  for (const step of ['collect', 'summarise/1', 'combine'] as const) await throughStep(store, report, step);
}

export async function throughSave(store: Store, report: string): Promise<void> {
  await throughSummary(store, report);
  await store.decisions.save(report, 'text', 'hash');
}

export function claimOf(email: string, change: Partial<Claiming> = {}): Claiming {
  return {
    email,
    attempt: randomUUID(),
    authority: 'report',
    owner: 'run/1',
    key: email,
    messageId: `<${email}@test>`,
    hash: 'hash of the message',
    provider: 'test',
    deadlineMs: 60_000,
    replayMs: null,
    message: { raw: Buffer.from('message'), sha256: 'hash of the message', messageId: `<${email}@test>` },
    ...change,
  };
}

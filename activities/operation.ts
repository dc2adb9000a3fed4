import { ApplicationFailure, Context } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import type { Account } from '../workflows/contract/command.ts';
import type { FailureReason, Phase, Step, ToldBy } from '../workflows/contract/vocabulary.ts';
import { failureTypes, type ReportRef } from '../workflows/contract/run.ts';
import type { Decided } from '../store/fence.ts';
import type { Draft } from '../store/decisions.ts';
import { askedBy, owner, withRow } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';

/** What an operation has made, and how the ledger knows it again. */
export interface Made {
  readonly digest: string;
  readonly documents: number | null;
  readonly draft: Draft | null;
}

export interface Operation {
  readonly step: Step;
  readonly limitMs: number;
  /** It only reads and can be told to stop, so it need not be waited for. */
  readonly interruptible: boolean;
  work(signal: AbortSignal, operationId: string): Promise<Made>;
  /** Why the report fails by this error, and whether trying again is of use. */
  explain(error: unknown): { readonly reason: FailureReason; readonly isPermanent: boolean };
}

/** How an execution counted; `skipped` where the step was done already. */
export interface Ran {
  readonly kind: 'done' | 'skipped' | 'stopped' | 'refused';
  readonly phase: Phase;
}

/** Thrown by work that the store has refused to keep: a cancel came first, or a later execution did. */
export class RefusedByStore extends Error {
  override readonly name = 'RefusedByStore';
}

interface Telling {
  readonly signal: AbortSignal;
  readonly told: () => { readonly by: ToldBy; readonly msAgo: number } | null;
  /** What cannot be told is waited for to its limit; it is then left to be recorded as lost. */
  readonly limit: Promise<'left_running'>;
  readonly forget: () => void;
}

/**
 * Runs one execution of a step: begins it under the fence, does it, and records its end. Whatever told it to stop, the
 * store's answer to the recorded end alone decides whether it counts as stopped by a cancel or as interrupted.
 */
export async function runOperation(dependencies: Dependencies, ref: ReportRef, operation: Operation): Promise<Ran> {
  const id = randomUUID();
  const telling = listenForStop(dependencies, ref.reportId, operation.limitMs);
  try {
    const begun = await begin(dependencies, ref, operation, id);
    if (begun.decision.kind === 'refused') return refusedBeginning(begun);
    const account = await accountOf(operation, telling, id);
    if (account === 'left_running') throw tookTooLong();
    return await end(dependencies, ref.reportId, id, account, telling);
  } finally {
    telling.forget();
  }
}

function listenForStop({ running }: Dependencies, reportId: string, limitMs: number): Telling {
  const abort = new AbortController();
  let first: { by: ToldBy; at: number } | null = null;
  const tell = (by: ToldBy): void => {
    first ??= { by, at: performance.now() };
    abort.abort(new Error(`told to stop by ${by}`));
  };
  const forget = running.add(reportId, tell);
  const context = Context.current();
  const { cancellationSignal } = context;
  const onCancelled = (): void => tell(askedBy(context));
  cancellationSignal.addEventListener('abort', onCancelled);
  if (cancellationSignal.aborted) onCancelled();
  const limit = Promise.withResolvers<'left_running'>();
  const timer = setTimeout(() => {
    tell('deadline');
    limit.resolve('left_running');
  }, limitMs);
  return {
    signal: abort.signal,
    limit: limit.promise,
    told: () => (first === null ? null : { by: first.by, msAgo: Math.round(performance.now() - first.at) }),
    forget: () => {
      clearTimeout(timer);
      cancellationSignal.removeEventListener('abort', onCancelled);
      forget();
    },
  };
}

function begin({ store, holder, limits }: Dependencies, ref: ReportRef, operation: Operation, id: string): Promise<Decided> {
  const { step, limitMs } = operation;
  const deadlineMs = limitMs + limits.deadlineMarginMs;
  return withRow(store, ref, () => store.decisions.begin(ref.reportId, { operation: id, step, owner: owner(), holder, deadlineMs }));
}

function refusedBeginning({ decision, state }: Decided): Ran {
  const phase = state?.report.phase ?? 'queued';
  const reason = decision.kind === 'refused' ? decision.reason : null;
  if (reason === 'already_done' || reason === 'already_saved') return { kind: 'skipped', phase };
  if (reason === 'not_its_turn' || reason === 'not_open') throw ApplicationFailure.retryable(`the step cannot begin: ${reason}`, failureTypes.interrupted);
  return { kind: 'refused', phase };
}

type Finished = { readonly account: Account; readonly made: Made | null; readonly error: unknown };

const stopped: Finished = { account: { kind: 'stopped' }, made: null, error: null };

/** Waits for the work, or only until it is told to stop where it need not be waited for. */
async function accountOf(operation: Operation, telling: Telling, id: string): Promise<Finished | 'left_running'> {
  const work = operation.work(telling.signal, id).then(
    (made): Finished => ({ account: { kind: 'returned', digest: made.digest, documents: made.documents }, made, error: null }),
    (error: unknown): Finished => failed(operation, telling, error),
  );
  const told = new Promise<'told'>((resolve) => {
    if (telling.signal.aborted) resolve('told');
    telling.signal.addEventListener('abort', () => resolve('told'), { once: true });
  });
  const first = await Promise.race([work, told]);
  if (first !== 'told') return first;
  if (operation.interruptible) return telling.told()?.by === 'deadline' ? late() : stopped;
  return Promise.race([work, telling.limit]);
}

function failed(operation: Operation, telling: Telling, error: unknown): Finished {
  if (error instanceof RefusedByStore) return stopped;
  if (telling.signal.aborted) return telling.told()?.by === 'deadline' ? late() : stopped;
  return { account: { kind: 'failed', reason: operation.explain(error).reason }, made: null, error: permanence(operation, error) };
}

function permanence(operation: Operation, error: unknown): ApplicationFailure {
  const { reason, isPermanent } = operation.explain(error);
  return isPermanent ? ApplicationFailure.nonRetryable(reason, reason) : ApplicationFailure.retryable(reason, reason);
}

function late(): Finished {
  return { account: { kind: 'failed', reason: 'took_too_long' }, made: null, error: tookTooLong() };
}

function tookTooLong(): ApplicationFailure {
  return ApplicationFailure.retryable('took_too_long', 'took_too_long');
}

async function end({ store }: Dependencies, reportId: string, id: string, finished: Finished, telling: Telling): Promise<Ran> {
  const told = telling.told();
  const { account, made, error } = finished;
  const ended = await store.decisions.end(reportId, {
    operation: id,
    account,
    toldMsAgo: told?.msAgo ?? null,
    toldBy: told?.by ?? null,
    draft: made?.draft ?? null,
  });
  if (ended.state === null) throw interrupted();
  const { report, operations } = ended.state;
  if (operations[id]?.state === 'done') return { kind: 'done', phase: report.phase };
  if (report.cancel !== null) return { kind: 'stopped', phase: report.phase };
  throw error instanceof ApplicationFailure ? error : interrupted();
}

function interrupted(): ApplicationFailure {
  return ApplicationFailure.retryable('stopped without a cancel; everything made so far is kept', failureTypes.interrupted);
}

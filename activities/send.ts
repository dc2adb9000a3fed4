import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, ApplicationFailure, Context, log } from '@temporalio/activity';
import type { Claiming } from '../store/decisions.ts';
import type { Decided } from '../store/fence.ts';
import type { Email } from '../workflows/contract/state.ts';
import type { Refusal } from '../workflows/contract/command.ts';
import { isEnd, type Authority, type GaveUpBecause, type Phase } from '../workflows/contract/vocabulary.ts';
import { attemptsUnder, isToTry } from '../workflows/contract/email.ts';
import { failureTypes, type Batch, type ReportRef, type SendResult, type UnrecordedOutcome } from '../workflows/contract/run.ts';
import { owner, runId, startHeartbeat } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { createSendLimit } from './mail/send-limit.ts';
import type { SendOutcome } from './mail/mail.ts';
import { messageOf } from './message-of.ts';
import { dueInMs, hasRunOut } from './retrying.ts';

/**
 * Sends the link to each recipient of the batch that is still owed it: claims under the fence, transmits, records. It may
 * be repeated: what was claimed before is never sent again blindly. Heartbeats for liveness only; a claimed send is never
 * interrupted, and a wish to stop is looked at between two claims.
 */
export function sendEmails(dependencies: Dependencies) {
  return async (ref: ReportRef, batch: Batch): Promise<SendResult> => {
    const stopHeartbeat = startHeartbeat(dependencies.limits.heartbeatEveryMs);
    try {
      return await sendBatch(dependencies, ref.reportId, batch);
    } finally {
      stopHeartbeat();
    }
  };
}

/** What trying one email came to. */
interface Tried {
  readonly phase: Phase;
  readonly retryInMs: number | null;
  readonly unrecorded: UnrecordedOutcome | null;
}

interface Try {
  readonly authority: Authority;
  readonly recipient: string | null;
  /** When the email was read, by the database's clock. */
  readonly at: string;
  /** Until when decisions are repeated, by `performance.now()`. */
  readonly until: number;
}

async function sendBatch(dependencies: Dependencies, reportId: string, batch: Batch): Promise<SendResult> {
  const { store } = dependencies;
  // Whatever an earlier attempt of this run left claimed has been given up by Temporal.
  if (activityInfo().attempt > 1) await store.decisions.lose(reportId, 'given_up', runId());
  const until = performance.now() + activityInfo().startToCloseTimeoutMs - dependencies.limits.deadlineMarginMs;
  const waits: number[] = [];
  const unrecorded: UnrecordedOutcome[] = [];
  let phase = (await store.contents.report(reportId))?.phase ?? 'queued';
  for (const { email, recipient, at } of await store.contents.emailsIn(reportId, batch)) {
    if (batch.authority === 'report' && isEnd(phase)) break;
    Context.current().cancellationSignal.throwIfAborted();
    if (!isToTry(email, batch.authority)) {
      if (email.attempts.some((attempt) => attempt.open)) waits.push(dependencies.limits.firstRetryMs);
      continue;
    }
    const tried = await tryEmail(dependencies, reportId, email, { authority: batch.authority, recipient, at, until });
    phase = tried.phase;
    if (tried.retryInMs !== null) waits.push(tried.retryInMs);
    if (tried.unrecorded !== null) unrecorded.push(tried.unrecorded);
  }
  return { phase, retryInMs: waits.length === 0 ? null : Math.min(...waits), unrecorded };
}

async function tryEmail(dependencies: Dependencies, reportId: string, email: Email, { authority, recipient, at, until }: Try): Promise<Tried> {
  const { store, limits } = dependencies;
  const own = attemptsUnder(email, authority);
  if (hasRunOut(own, at, limits.retryForMs)) return giveUp(dependencies, reportId, email.id, authority, 'retry_budget');
  const waitMs = dueInMs(own, at, limits);
  if (waitMs > 0) return { phase: 'saved', retryInMs: waitMs, unrecorded: null };
  const message = recipient === null ? null : await messageOf(dependencies, { reportId, email: email.id, authority, recipient });
  if (message === null) return giveUp(dependencies, reportId, email.id, authority, 'cannot_be_prepared');
  const attempt = randomUUID();
  // The sender's limit starts before the claim is asked for, so it passes before the claim's deadline does.
  const limit = createSendLimit(limits.sendMs);
  const key = `${reportId}/${email.id}/${authority}`;
  const claim: Claiming = {
    ...{ email: email.id, attempt, authority, owner: owner(), key, provider: dependencies.mail.provider.name },
    ...{ messageId: message.messageId, hash: message.sha256, message, replayMs: null },
    deadlineMs: limits.sendMs + limits.deadlineMarginMs,
  };
  const claimed = await keepTrying(() => store.decisions.claim(reportId, claim), until);
  if (claimed === null) throw ApplicationFailure.retryable('the database cannot be reached', failureTypes.interrupted);
  const phase = claimed.state?.report.phase ?? 'queued';
  if (claimed.decision.kind === 'refused') return refusedClaim(dependencies, reportId, email.id, authority, { reason: claimed.decision.reason, phase });
  const outcome = await dependencies.mail.provider.send(message, { attemptId: attempt, idempotencyKey: key, limit, limitMs: limits.sendMs });
  return record(dependencies, reportId, { email: email.id, attempt, ...wordsOf(outcome) }, until);
}

/** Only the report itself gives an email up in its ledger; what was ordered after its end simply ends. */
async function giveUp({ store }: Dependencies, reportId: string, email: string, authority: Authority, because: GaveUpBecause): Promise<Tried> {
  if (authority !== 'report') return { phase: 'finished', retryInMs: null, unrecorded: null };
  const { state } = await store.decisions.giveUp(reportId, { email, because });
  return { phase: state?.report.phase ?? 'saved', retryInMs: null, unrecorded: null };
}

interface RefusedClaim {
  readonly reason: Refusal;
  readonly phase: Phase;
}

/** Refusals after which the email is given up; after the others it is tried again later, or not at all. */
const givenUp: Partial<Record<Refusal, GaveUpBecause>> = {
  already_mailed: 'already_mailed',
  email_unconfirmed: 'key_window',
  different_message: 'cannot_be_prepared',
};
const comeLater: readonly Refusal[] = ['email_sending'];

async function refusedClaim(dependencies: Dependencies, reportId: string, email: string, authority: Authority, refused: RefusedClaim): Promise<Tried> {
  const because = givenUp[refused.reason];
  if (because !== undefined) return giveUp(dependencies, reportId, email, authority, because);
  return { phase: refused.phase, retryInMs: comeLater.includes(refused.reason) ? dependencies.limits.firstRetryMs : null, unrecorded: null };
}

function wordsOf(outcome: SendOutcome): Pick<UnrecordedOutcome, 'outcome' | 'permanent' | 'phase' | 'code'> {
  switch (outcome.kind) {
    case 'accepted':
      return { outcome: 'accepted', permanent: false, phase: null, code: null };
    case 'not_accepted':
      return { outcome: 'refused', permanent: outcome.permanent, phase: outcome.phase, code: outcome.code };
    case 'unknown':
      return { outcome: 'unknown', permanent: false, phase: outcome.phase, code: null };
  }
}

/** Keeps trying to record the outcome almost as long as the activity may run; then the workflow is asked to. */
async function record({ store, limits }: Dependencies, reportId: string, outcome: UnrecordedOutcome, until: number): Promise<Tried> {
  const recorded = await keepTrying(() => store.decisions.outcome(reportId, outcome), until);
  if (recorded === null) return { phase: 'saved', retryInMs: null, unrecorded: outcome };
  const phase = recorded.state?.report.phase ?? 'saved';
  const isToRetry = outcome.outcome === 'refused' && !outcome.permanent && !isEnd(phase);
  return { phase, retryInMs: isToRetry ? limits.firstRetryMs : null, unrecorded: null };
}

const pauseMs = 1000;

/** Repeats a decision through any fault of the database until `until` (`performance.now()`); null where it did not get through. */
async function keepTrying(decide: () => Promise<Decided>, until: number): Promise<Decided | null> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      // Only time ends the tries: an outcome must not be lost, nor a claim left whose answer nobody heard.
      if (performance.now() > until) return null;
      log.warn('a decision about an email is repeated', { error });
      await pause(pauseMs);
    }
  }
}

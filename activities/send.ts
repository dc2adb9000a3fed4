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
import { dueInMs, hasRunOut, waitAfter } from './retrying.ts';

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

/** A store decision that is repeated through a dead network: six tries that each give up connecting after ten seconds. */
const longestDecisionMs = 70_000;

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
  const until = performance.now() + activityInfo().startToCloseTimeoutMs - longestDecisionMs;
  const waits: number[] = [];
  let phase = (await store.contents.report(reportId))?.phase ?? 'queued';
  for (const { email, recipient, at } of await store.contents.emailsIn(reportId, batch)) {
    if (batch.authority === 'report' && isEnd(phase)) break;
    stopBetweenClaims(dependencies);
    if (!isToTry(email, batch.authority)) {
      if (email.attempts.some((attempt) => attempt.open)) waits.push(dependencies.limits.firstRetryMs);
      continue;
    }
    const tried = await tryEmail(dependencies, reportId, email, { authority: batch.authority, recipient, at, until });
    phase = tried.phase;
    if (tried.retryInMs !== null) waits.push(tried.retryInMs);
    // What could not be recorded is handed to the workflow at once, before anything else can go wrong.
    if (tried.unrecorded !== null) return { phase, retryInMs: dependencies.limits.firstRetryMs, unrecorded: [tried.unrecorded] };
  }
  return { phase, retryInMs: togetherWithin(waits, dependencies.limits.firstRetryMs), unrecorded: [] };
}

/** The longest of the waits that end about when the shortest does, so that emails refused together are tried together. */
function togetherWithin(waits: readonly number[], slackMs: number): number | null {
  const shortest = Math.min(...waits);
  return waits.length === 0 ? null : Math.max(...waits.filter((waitMs) => waitMs <= shortest + slackMs));
}

/** A stopping worker claims nothing more; another one goes on from here. */
function stopBetweenClaims({ stopping }: Dependencies): void {
  if (stopping.aborted || Context.current().cancellationSignal.aborted) {
    throw ApplicationFailure.retryable('stopped between two emails', failureTypes.interrupted);
  }
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
  const startedAt = performance.now();
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
  const outcome = await dependencies.mail.provider.send(message, { attemptId: attempt, idempotencyKey: key, limit, limitMs: Math.max(1, limits.sendMs - (performance.now() - startedAt)) });
  const retryInMs = waitAfter(own.length + 1, limits);
  return record(dependencies, reportId, { email: email.id, attempt, ...wordsOf(outcome) }, { authority, retryInMs, until });
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

/** Refusals after which the email is given up; after some others it is tried again later. */
const givenUp: Partial<Record<Refusal, GaveUpBecause>> = {
  already_mailed: 'already_mailed',
  email_unconfirmed: 'key_window',
};
/** Another message than the frozen one: the next try reads the frozen one. */
const comeLater: readonly Refusal[] = ['email_sending', 'different_message'];

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

interface Recording extends Pick<Try, 'authority' | 'until'> {
  /** When the email may be tried again, should it have been refused for now. */
  readonly retryInMs: number;
}

/** Keeps trying to record the outcome almost as long as the activity may run; then the workflow is asked to. */
async function record({ store }: Dependencies, reportId: string, outcome: UnrecordedOutcome, how: Recording): Promise<Tried> {
  const recorded = await keepTrying(() => store.decisions.outcome(reportId, outcome), how.until);
  if (recorded === null) return { phase: 'saved', retryInMs: null, unrecorded: outcome };
  const phase = recorded.state?.report.phase ?? 'saved';
  const mayGoOn = how.authority !== 'report' || !isEnd(phase);
  const isToRetry = outcome.outcome === 'refused' && !outcome.permanent && mayGoOn;
  return { phase, retryInMs: isToRetry ? how.retryInMs : null, unrecorded: null };
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

import type { Entry, Event } from './entry.ts';
import { failureReasons, type Authority, type Prevented, type Step } from './vocabulary.ts';

type Kind = Entry['kind'];
type Fields<K extends Kind> = Omit<Extract<Event, { kind: K }>, 'kind'>;
type Shape<K extends Kind> = { readonly [F in keyof Fields<K>]: (value: unknown) => value is Fields<K>[F] };

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isCode = (value: unknown): value is number => typeof value === 'number';
const isInstant = (value: unknown): value is string => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const isStep = (value: unknown): value is Step => isText(value) && /^(?:collect|combine|summarise\/\d+)$/.test(value);
const isAuthority = (value: unknown): value is Authority => isText(value) && /^(?:report|(?:correction|resend)-\d+)$/.test(value);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isPrevented = (value: unknown): value is Prevented =>
  isRecord(value) && isFlag(value['save']) && isCount(value['emails']) && isCount(value['furtherAttempts']);

function orNull<T>(is: (value: unknown) => value is T) {
  return (value: unknown): value is T | null => value === null || is(value);
}

function oneOf<T extends string>(...words: readonly T[]) {
  return (value: unknown): value is T => words.some((word) => word === value);
}

const isReason = oneOf(...failureReasons);
const isToldBy = oneOf('push', 'temporal', 'shutdown', 'pause', 'deadline', 'begin');
const isLossCause = oneOf('superseded', 'given_up', 'deadline');

const shapes: { readonly [K in Kind]: Shape<K> } = {
  registered: {
    contract: isCount,
    report: isText,
    month: isText,
    recipients: isCount,
    inputHash: isText,
    supersedes: orNull(isText),
    acceptedDuplicateRisk: isFlag,
  },
  operation_begun: { operation: isText, step: isStep, owner: isText, holder: isText, deadlineAt: isInstant },
  operation_ended: {
    operation: isText,
    step: isStep,
    state: oneOf('done', 'discarded', 'stopped', 'interrupted', 'failed'),
    digest: orNull(isText),
    documents: orNull(isCount),
    toldAt: orNull(isInstant),
    toldBy: orNull(isToldBy),
    reason: orNull(isReason),
  },
  operation_lost: { operation: isText, step: isStep, because: isLossCause },
  step_failed: { step: orNull(isStep), owner: isText, reason: isReason },
  workflow_lost: { reason: oneOf('workflow_lost', 'workflow_refused') },
  cancel_accepted: { receipt: isText, request: isText, door: oneOf('http', 'page', 'cli', 'mcp', 'signal', 'update', 'workflow') },
  saved: { hash: isText, operation: isText },
  email_claimed: {
    email: isText,
    attempt: isText,
    authority: isAuthority,
    owner: isText,
    key: isText,
    messageId: isText,
    hash: isText,
    provider: isText,
    replayUntilAt: orNull(isInstant),
    deadlineAt: isInstant,
  },
  attempt_ended: {
    email: isText,
    attempt: isText,
    outcome: oneOf('accepted', 'refused', 'unknown'),
    permanent: isFlag,
    phase: orNull(isText),
    code: orNull(isCode),
  },
  claim_lost: { email: isText, attempt: isText, because: isLossCause },
  evidence: { email: isText, attempt: isText, outcome: oneOf('accepted', 'refused'), permanent: isFlag, source: isText, copies: isCount },
  gave_up: { email: isText, because: oneOf('retry_budget', 'key_window', 'cannot_be_prepared', 'already_mailed') },
  concluded: { phase: oneOf('finished', 'cancelled', 'failed'), prevented: orNull(isPrevented) },
  document_deleted: { request: isText },
  correction_ordered: { request: isText, correction: isCount, emails: isTexts },
  resend_authorised: { request: isText, email: isText, resend: isCount, acceptedDuplicateRisk: isFlag },
  superseded: { by: isText },
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKind(value: unknown): value is Kind {
  return isText(value) && Object.hasOwn(shapes, value);
}

/** Whether a value read from outside is an entry of this version of the contract, field by field. */
export function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || !isCount(value['sequence']) || !isInstant(value['at']) || !isKind(value['kind'])) return false;
  const shape: Readonly<Record<string, (field: unknown) => boolean>> = shapes[value['kind']];
  for (const name in shape) if (shape[name]?.(value[name]) !== true) return false;
  return true;
}

import type { Attempt, Email, EmailCounts, Report, State } from '../../workflows/contract/state.ts';
import type { EmailState } from '../../workflows/contract/vocabulary.ts';

/** The state of an email as the contract's words define it, told again without the product's fold. */
export function foldOf(attempts: readonly Attempt[]): EmailState {
  const has = (...outcomes: readonly string[]): boolean => attempts.some((attempt) => outcomes.includes(attempt.outcome));
  if (has('accepted')) return 'accepted';
  if (attempts.some((attempt) => attempt.open)) return 'sending';
  if (has('unknown', 'lost')) return 'unconfirmed';
  return has('refused') ? 'refused' : 'not_started';
}

/** Undone, in rule 3's words: not started, refused for now, or unconfirmed under a contract that replays, and not given up. */
function isUndone(email: Email): boolean {
  const own = email.attempts.filter((attempt) => attempt.authority === 'report');
  const fold = foldOf(own);
  if (email.gaveUp !== null) return false;
  if (fold === 'refused') return own.every((attempt) => !attempt.permanent);
  return fold === 'not_started' || (fold === 'unconfirmed' && own.some((attempt) => attempt.replayUntilAt !== null));
}

type Counters = Pick<Report, 'openOperations' | 'lostOperations' | 'openClaims' | 'owed' | 'untried' | 'emails' | 'correctionEmails'>;

/** The counters of the fence, recounted over everything the report holds. */
export function recounted({ report, operations, emails }: State): Counters {
  const [all, executions] = [Object.values(emails), Object.values(operations)];
  const ofReport = all.filter((email) => email.id.startsWith('report-'));
  const untouched = report.recipients - ofReport.length;
  return {
    openOperations: executions.filter((operation) => operation.state === 'running').length,
    lostOperations: executions.filter((operation) => operation.state === 'lost').length,
    openClaims: all.reduce((sum, email) => sum + email.attempts.filter((attempt) => attempt.open).length, 0),
    owed: untouched + ofReport.filter(isUndone).length,
    untried: untouched + ofReport.filter((email) => email.attempts.length === 0 && email.gaveUp === null).length,
    emails: counts(ofReport, untouched),
    correctionEmails: counts(all.filter((email) => !ofReport.includes(email)), 0),
  };
}

function counts(emails: readonly Email[], untouched: number): EmailCounts {
  const found: Record<EmailState, number> = { accepted: 0, unconfirmed: 0, sending: 0, refused: 0, not_started: untouched };
  for (const email of emails) found[foldOf(email.attempts)] += 1;
  return found;
}

/** The first counter of the fence that differs from a recount; null where none does. */
export function miscount(state: State): string | null {
  const { report } = state;
  const recount = recounted(state);
  const wrong = numbers.find((name) => report[name] !== recount[name]);
  if (wrong !== undefined) return wrong;
  return byState.find((name) => folds.some((fold) => report[name][fold] !== recount[name][fold])) ?? null;
}

const numbers = ['openOperations', 'lostOperations', 'openClaims', 'owed', 'untried'] as const satisfies readonly (keyof Counters)[];
const byState = ['emails', 'correctionEmails'] as const satisfies readonly (keyof Counters)[];
const folds = ['accepted', 'unconfirmed', 'sending', 'refused', 'not_started'] as const satisfies readonly EmailState[];

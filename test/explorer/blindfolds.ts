import type { Command } from '../../workflows/contract/command.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { Attempt, Email, Operation, Report, State } from '../../workflows/contract/state.ts';
import { isEnd, type AttemptOutcome } from '../../workflows/contract/vocabulary.ts';
import { foldOf, recounted } from './recount.ts';
import { blindfolded, type Rules } from './rules.ts';
import { times } from './times.ts';

type Transact = Rules['transact'];
type Kind = Command['kind'];

export function sees<K extends Kind>(kind: K, change: (state: State, command: Extract<Command, { kind: K }>) => State): Transact {
  return blindfolded({ sees: (state, command) => (isOfKind(command, kind) ? change(state, command) : state) });
}

function isOfKind<K extends Kind>(command: Command, kind: K): command is Extract<Command, { kind: K }> {
  return command.kind === kind;
}

export function seesReport<K extends Kind>(kind: K, change: (report: Report, command: Extract<Command, { kind: K }>) => Partial<Report>): Transact {
  return sees(kind, (state, command) => ({ ...state, report: { ...state.report, ...change(state.report, command) } }));
}

export function seesNoCancel(kind: Kind): Transact {
  return seesReport(kind, () => ({ cancel: null }));
}

export function seesNoEnd(kind: Kind): Transact {
  return seesReport(kind, notEnded);
}

export function seesAnEnd(kind: Kind): Transact {
  return seesReport(kind, () => ({ phase: 'finished' }));
}

export function notEnded({ phase }: Report): Partial<Report> {
  return isEnd(phase) ? { phase: 'saved' } : {};
}

export function notSaved({ document }: Report): Partial<Report> {
  return { document: { ...document, state: 'not_saved' } };
}

/** Operations that `change` answers with null are not seen at all. */
export function seesOperations<K extends Kind>(kind: K, change: (operation: Operation, command: Extract<Command, { kind: K }>) => Operation | null): Transact {
  return sees(kind, (state, command) => {
    const operations = Object.values(state.operations).flatMap((operation) => change(operation, command) ?? []);
    return { ...state, operations: Object.fromEntries(operations.map((operation) => [operation.id, operation])) };
  });
}

export function seesEmails(kind: Kind, change: (email: Email, report: Report) => Email): Transact {
  return sees(kind, (state) => {
    const emails = Object.values(state.emails).map((email) => change(email, state.report));
    return { ...state, emails: Object.fromEntries(emails.map((email) => [email.id, email])) };
  });
}

export function seesAttempts(kind: Kind, change: (attempt: Attempt) => Attempt): Transact {
  return seesEmails(kind, (email) => ({ ...email, attempts: email.attempts.map(change) }));
}

/** Only the sweeper's question is asked in vain; what a run has given up is still lost. */
export const seesNoDeadlines: Transact = sees('lose', (state, command) => (command.because === 'deadline' ? { ...state, operations: {}, emails: {} } : state));

/** Whatever key a claim has, all earlier attempts of the email have it too. */
export const seesOneKey: Transact = sees('claim', (state, { email: id, key }) => {
  const email = state.emails[id];
  if (email === undefined) return state;
  return { ...state, emails: { ...state.emails, [id]: { ...email, attempts: email.attempts.map((attempt) => ({ ...attempt, key })) } } };
});

/** An attempt of which nothing proves that it was accepted. */
export function asRefused(attempt: Attempt): Attempt {
  return attempt.outcome === 'unknown' || attempt.outcome === 'lost' ? { ...attempt, outcome: 'refused' } : attempt;
}

export function withoutWindow(attempt: Attempt): Attempt {
  return attempt.replayUntilAt === null ? attempt : { ...attempt, replayUntilAt: times.afterAllDeadlines };
}

/** Another process begins a step anew, in the row that the step has already. */
export const oneRowAStep: Transact = blindfolded({
  sees: (state, command) => {
    if (command.kind !== 'begin' || state.operations[command.operation]?.holder === command.holder) return state;
    const others = Object.entries(state.operations).filter(([id, operation]) => id !== command.operation || operation.state === 'done');
    return { ...state, operations: Object.fromEntries(others.map(([id, operation]) => [`earlier ${id}`, operation])) };
  },
  folds: withCounters,
});

export function settlesAs(change: (report: Report) => Partial<Report>): Transact {
  return blindfolded({ settles: ({ report }) => ({ ...report, ...change(report) }) });
}

/** A replay that is still allowed keeps no report open. */
export const owesNoReplay: Transact = blindfolded({
  settles: ({ report, emails }) => {
    const replayed = Object.values(emails).filter((email) => email.gaveUp === null && foldOf(email.attempts) === 'unconfirmed');
    return { ...report, owed: Math.max(0, report.owed - replayed.length) };
  },
});

/** Whatever is said last of an attempt counts, however weak it is. */
export const newestWordWins: Transact = blindfolded({
  folds: (next, entry) => {
    if (entry.kind === 'claim_lost') return withOutcome(next, entry.email, entry.attempt, 'lost');
    if (entry.kind === 'attempt_ended' || entry.kind === 'evidence') return withOutcome(next, entry.email, entry.attempt, entry.outcome);
    return next;
  },
});

export const lostIsRefused: Transact = blindfolded({
  folds: (next, entry) => (entry.kind === 'claim_lost' ? withOutcome(next, entry.email, entry.attempt, 'refused') : next),
});

function withOutcome(state: State, id: string, which: string, outcome: AttemptOutcome): State {
  const email = state.emails[id];
  if (email === undefined) return state;
  const attempts = email.attempts.map((attempt) => (attempt.id === which ? { ...attempt, outcome } : attempt));
  return withCounters({ ...state, emails: { ...state.emails, [id]: { ...email, attempts } } });
}

function withCounters(state: State): State {
  return { ...state, report: { ...state.report, ...recounted(state) } };
}

/** A loss moves no counter. */
export const losesUncounted: Transact = blindfolded({
  folds: (next: State, entry: Entry, before: State | null) => {
    if (entry.kind !== 'operation_lost' || before === null) return next;
    return { ...next, report: { ...next.report, lostOperations: before.report.lostOperations } };
  },
});

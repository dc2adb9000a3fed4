import {
  asRefused,
  losesUncounted,
  lostIsRefused,
  newestWordWins,
  notEnded,
  notSaved,
  oneRowAStep,
  owesNoReplay,
  sees,
  seesAnEnd,
  seesAttempts,
  seesEmails,
  seesNoCancel,
  seesNoDeadlines,
  seesNoEnd,
  seesOneKey,
  seesOperations,
  seesReport,
  settlesAs,
  withoutWindow,
} from './blindfolds.ts';
import { configuration } from './configurations.ts';
import { allRules, type Rules } from './rules.ts';
import type { Configuration } from './world.ts';

export interface SwitchedOff {
  /** The number of the rule in CONTRACT.md. */
  readonly rule: number;
  readonly off: string;
  readonly rules: Rules;
  readonly within: Configuration;
  /** The violation that the shortest counterexample ends with, or what keeps one from existing. */
  readonly finds: string | { readonly backedBy: string };
}

/*
 * Not switched off here, since nothing in this world depends on it: drafts and retries of clients (in 5), the abort of a
 * running call (in 6: an execution may stop or return at any time, told or not), the 24 hours (in 12), several reports in
 * a chain (in 16), the emailed link (17), the forwarding of starts (in 18), the scopes of a run (in 19), clocks that fall
 * (22), what recovery marks (in 23), connections (24), readiness (25) and what a ledger may hold (26).
 */

type Change = Partial<Rules> | Rules['transact'];

function off(rule: number, what: string, change: Change, within: Configuration, finds: SwitchedOff['finds']): SwitchedOff {
  const changed = typeof change === 'function' ? { transact: change } : change;
  return { rule, off: what, rules: { ...allRules, ...changed }, within, finds };
}

const calm = configuration();
const timeout = configuration({ timeouts: 1 });
const lateTimeout = configuration({ timeouts: 1 }, { lateDeadlines: true });
const late = configuration({}, { lateDeadlines: true, lookUp: false });
const failure = configuration({ timeouts: 1, failures: 1 });
const resetAndFailure = configuration({ resets: 1, failures: 1 });
const twoAtOnce = configuration({ resets: 1, failures: 1 }, { documents: 2 });
const emails = configuration({ timeouts: 1 }, { from: 'saved' });
const twoEmails = configuration({ timeouts: 1 }, { from: 'saved', recipients: 2 });
const keyed = configuration({ timeouts: 1 }, { from: 'saved', keyed: true, lookUp: false });
const lateKeyed = configuration({}, { from: 'saved', keyed: true, lookUp: false, lateDeadlines: true });
const threeTries = configuration({}, { from: 'saved', keyed: true, lookUp: false, attempts: 3 });
const resend = configuration({ timeouts: 1, resends: 1 }, { from: 'saved', lookUp: false });
const uncancelledResend = configuration({ resends: 1 }, { from: 'saved', lookUp: false, doors: 'none' });
const deletion = configuration({ timeouts: 1, deletions: 1 });
const deletionAndResend = configuration({ resends: 1, deletions: 1 }, { from: 'saved', lookUp: false });
const correction = configuration({ corrections: 1 }, { from: 'saved', lookUp: false, recipients: 2 });
const restore = configuration({ restores: 1 }, { doors: 'none' });
const termination = configuration({ terminations: 1 });

const unlike = 'an email is called refused or not started that the mail server took or may take';
const twice = 'the mail server accepts an email twice';
const stuck = 'no end is within reach any more';

/** Rules about the steps, the cancel and the ends of a report. */
export const ofWork: readonly SwitchedOff[] = [
  off(1, 'a save is decided on a snapshot older than the lock', seesReport('save', () => ({ cancel: null, phase: 'summarising' })), calm, 'a save is made after an accepted cancel'),
  off(1, 'a repeated begin is decided anew', seesOperations('begin', (operation, { operation: id }) => (operation.id === id ? null : operation)), calm, 'a repeated command writes again'),
  off(1, 'a repeated outcome is decided anew', seesAttempts('outcome', (attempt) => ({ ...attempt, endedAt: null })), calm, 'a repeated command writes again'),
  off(2, 'a counter of the fence is left alone', losesUncounted, timeout, 'the counter lostOperations is not what a recount says'),
  off(3, 'nothing ever settles', settlesAs(() => ({ openOperations: 1 })), calm, 'a report waits for nothing and does not end'),
  off(3, 'no operation keeps a report open', settlesAs(() => ({ openOperations: 0 })), calm, 'a report ends while an operation runs unaccounted'),
  off(3, 'no claim keeps a report open', settlesAs(() => ({ openClaims: 0 })), calm, 'a report ends while a send is open'),
  off(3, 'a cancel wins over having nothing left to do', settlesAs(({ cancel }) => (cancel === null ? {} : { owed: 1 })), calm, 'a cancel that prevented nothing is said to have prevented something'),
  off(3, 'an ended retry budget is written nowhere', seesEmails('give_up', (email) => ({ ...email, gaveUp: 'retry_budget' })), emails, stuck),
  off(4, 'a cancel is told before it is accepted', { onlyAcceptedCancelsAreTold: false }, calm, 'a run is told of a cancel that nobody accepted'),
  off(5, 'a step begins without a look at cancels', seesNoCancel('begin'), calm, 'a step begins after an accepted cancel'),
  off(5, 'a step has one row for all its executions', { operationsAreExecutions: false, transact: oneRowAStep }, timeout, 'a report ends while an operation runs unaccounted'),
  off(5, 'an execution leaves earlier ones of its step open', seesOperations('begin', (operation, { operation: id }) => (operation.id === id || operation.state !== 'running' ? operation : null)), timeout, stuck),
  off(6, 'an end is recorded without a look at cancels', seesNoCancel('end'), calm, 'an execution is done after an accepted cancel'),
  off(7, 'nobody looks at deadlines', seesNoDeadlines, calm, 'deadlines alone do not end an accepted cancel'),
  off(7, 'a claim has no deadline', sees('lose', (state) => ({ ...state, emails: {} })), calm, 'deadlines alone do not end an accepted cancel'),
  off(7, 'the result of a lost execution counts', seesOperations('end', (operation) => ({ ...operation, state: 'running' })), timeout, 'the result of a lost execution is used'),
  off(7, 'a lost claim counts as refused', lostIsRefused, lateTimeout, unlike),
  off(8, 'a failure wins over a cancel', settlesAs(({ failure }) => (failure === null ? {} : { cancel: null })), twoAtOnce, 'an accepted cancel ends as a failure'),
  off(8, 'a failure is recorded without a look at cancels', seesNoCancel('fail'), failure, 'a step fails after an accepted cancel'),
  off(8, 'the failure of any execution counts', seesReport('fail', () => ({ lastBegun: null })), resetAndFailure, 'a step fails by an execution that is not the latest'),
  off(8, 'a failure counts after the save', seesReport('fail', notSaved), failure, { backedBy: 'the other half of rule 8, that it counts only by the latest execution' }),
  off(8, 'a failure counts after the save, by any execution', seesReport('fail', (report) => (report.document.state === 'saved' ? { ...notSaved(report), lastBegun: null } : {})), resetAndFailure, 'a step fails after the save'),
  off(8, 'a run rests once its failure did not count', { overtakenFailuresAreTriedAgain: false }, resetAndFailure, stuck),
  off(9, 'a save is made without a look at cancels', seesNoCancel('save'), timeout, { backedBy: 'rule 3, which ends a cancelled report at once where nothing is open' }),
  off(9, 'the last save wins', seesReport('save', (report, { hash }) => (hash === report.document.hash ? {} : notSaved(report))), timeout, 'a second save wins'),
  off(13, 'an ended report begins a step', seesNoEnd('begin'), resetAndFailure, { backedBy: 'rules 5, 8 and 9, since an end leaves a cancel, a failure or a save, and each refuses a step' }),
  off(13, 'an ended report is saved', seesNoEnd('save'), resetAndFailure, { backedBy: 'rules 8 and 9, since an end leaves a cancel, a failure or a save, and each refuses a save' }),
  off(15, 'everybody who cancels gets a receipt', seesReport('cancel', ({ cancel }, { receipt }) => (cancel?.receiptId === receipt ? {} : { cancel: null })), calm, 'a second receipt is written'),
  off(15, 'a cancel that comes too late ends a report again', settlesAs(notEnded), calm, 'a report ends twice'),
  off(18, 'nobody forwards a cancel', { cancelsAreForwarded: false }, lateTimeout, { backedBy: 'rules 5 and 7, since every step is refused and deadlines end what runs' }),
  off(19, 'a run closes without a look at requests', { requestsAreRecordedBeforeClosing: false }, configuration({}, { doors: 'temporal' }), 'a run closes with a cancel request that nobody recorded'),
  off(20, 'an outcome is recorded by nobody but its sender', {}, configuration({ kills: 1 }), { backedBy: 'rule 7, by which the claim is lost at its deadline' }),
  off(21, 'a run has vanished when one look misses it', { onlyClosedRunsHaveVanished: false }, calm, 'the workflow counts as vanished while a run lives'),
  off(21, 'a workflow vanishes while something is open', seesReport('lose_workflow', () => ({ openOperations: 0, openClaims: 0 })), termination, { backedBy: 'rule 3, by which nothing ends while something is open' }),
  off(23, 'an acknowledged cancel is lost in a failover', {}, configuration({ failovers: 1 }, { doors: 'store' }), 'a step begins after an accepted cancel'),
];

/** Rules about emails, and about what a person may do with an ended report. */
export const ofEmails: readonly SwitchedOff[] = [
  off(10, 'a sender transmits before it claims', { sendersClaimFirst: false }, calm, unlike),
  off(10, 'a sender does not look at its clocks', { sendersCheckTheirClocks: false }, lateKeyed, twice),
  off(10, 'a claimed send is interrupted', { claimedSendsGoOn: false }, calm, unlike),
  off(11, 'no outcome is taken after the end', seesEmails('outcome', (email, { phase }) => (phase === 'finished' ? { ...email, attempts: email.attempts.filter((attempt) => attempt.endedAt !== null) } : email)), late, 'evidence is turned away'),
  off(11, 'the newest word about an attempt wins', newestWordWins, calm, 'an accepted email is forgotten'),
  off(12, 'an unconfirmed email is sent again', seesAttempts('claim', asRefused), twoEmails, twice),
  off(12, 'only the newest attempt decides on the next', seesEmails('claim', (email) => ({ ...email, attempts: email.attempts.slice(-1) })), threeTries, twice),
  off(12, 'a key is replayed after its window', seesAttempts('claim', withoutWindow), keyed, twice),
  off(12, 'a window keeps no margin for what is in flight', { windowsKeepAMargin: false }, keyed, twice),
  off(12, 'a replay takes a new key', { replaysCarryOneKey: false }, keyed, { backedBy: 'the fence, which refuses another message of one email' }),
  off(12, 'a replay takes a new key and nobody compares', { replaysCarryOneKey: false, transact: seesOneKey }, keyed, twice),
  off(12, 'what a look-up does not find counts as refused', { absenceProvesNothing: false }, emails, unlike),
  off(13, 'an ended report claims an email', seesNoEnd('claim'), lateTimeout, 'an email is claimed after the end'),
  off(13, 'a replay that is allowed keeps no report open', owesNoReplay, keyed, 'a report is finished while an email is still to be tried'),
  off(13, 'late evidence ends a report again', settlesAs(notEnded), lateTimeout, 'a report ends twice'),
  off(14, 'an email waits for the one before it', { emailsDoNotWaitForAnother: false }, twoEmails, stuck),
  off(16, 'a document is deleted before the end', seesAnEnd('delete_document'), deletion, 'a document is deleted before the end'),
  off(16, 'an email is claimed for a deleted document', seesReport('claim', ({ document }) => ({ document: { ...document, state: 'saved' } })), deletionAndResend, 'an email is claimed for a document that is not there'),
  off(16, 'a deleted document is saved again', seesReport('save', (report) => (report.document.state === 'deleted' ? { ...notSaved(report), phase: 'summarising' } : {})), deletion, 'a deleted document comes back'),
  off(16, 'a correction is ordered before the end', seesAnEnd('order_correction'), correction, 'a correction is ordered before the end'),
  off(16, 'a correction leaves unconfirmed emails out', seesAttempts('order_correction', asRefused), correction, 'a correction does not go to exactly those who may have the email'),
  off(16, 'an unconfirmed email is resent without a word', seesAttempts('authorise_resend', asRefused), resend, 'an unconfirmed email is sent again without the accepted risk'),
  off(16, 'a resend needs no person', seesEmails('claim', (email) => ({ ...email, resends: 1 })), uncancelledResend, twice),
  off(16, 'a cancelled report sends again', seesReport('authorise_resend', ({ phase }) => (phase === 'cancelled' ? { phase: 'finished' } : {})), resend, 'a cancelled report sends again'),
  off(18, 'a run adopts a report whose row is missing', { missingReportsAreNotAdopted: false }, restore, unlike),
];

import { expect, test } from 'vitest';
import { check } from '../workflows/contract/check.ts';
import type { Event } from '../workflows/contract/entry.ts';
import { addedBehind, addedLast, both, changed, movedBehind, tornOut, twice, withOneOddFieldEach, without } from './support/corruptions.ts';
import type { Corruption } from './support/corruptions.ts';
import { second } from './support/deeds.ts';
import { lifeOf, lives } from './support/lives.ts';

const finished = 'finished, every email accepted';
const sending = 'still sending';
const summarising = 'still summarising';
const stoppedCollecting = 'cancelled while collecting, which stops';
const returnedCollecting = 'cancelled while collecting, which returns all the same';
const unsent = 'cancelled before any email';
const halfSent = 'cancelled with one email sent';
const overtaken = 'an execution overtaken by the next, and returning late';
const overdue = 'an execution lost past its deadline, and returning late';
const interrupted = 'interrupted by a shutdown and begun again';
const retried = 'refused for now, then accepted';
const replayed = 'unconfirmed, replayed and accepted';
const spent = 'refused until the budget was spent';
const found = 'unconfirmed, then found';
const late = 'lost, then answered late';
const corrected = 'corrected twice';
const resent = 'sent again after a final refusal';
const riskyResend = 'sent again at a risk, a claim lost';

const begun = { kind: 'operation_begun' } as const;
const ended = { kind: 'operation_ended' } as const;
const lost = { kind: 'operation_lost' } as const;
const cancelled = { kind: 'cancel_accepted' } as const;
const saved = { kind: 'saved' } as const;
const claimed = { kind: 'email_claimed' } as const;
const outcome = { kind: 'attempt_ended' } as const;
const claimLost = { kind: 'claim_lost' } as const;
const evidence = { kind: 'evidence' } as const;
const gaveUp = { kind: 'gave_up' } as const;
const concluded = { kind: 'concluded' } as const;
const deleted = { kind: 'document_deleted' } as const;
const correction = { kind: 'correction_ordered', correction: 1 } as const;
const laterCorrection = { kind: 'correction_ordered', correction: 2 } as const;
const resend = { kind: 'resend_authorised', resend: 1 } as const;
const laterResend = { kind: 'resend_authorised', resend: 2 } as const;
const firstClaim = { kind: 'email_claimed', attempt: 'report-1#1' } as const;
const firstOutcome = { kind: 'attempt_ended', attempt: 'report-1#1' } as const;
const combined = { kind: 'operation_ended', step: 'combine' } as const;
const combining = { kind: 'operation_begun', step: 'combine' } as const;
const collected = { kind: 'operation_ended', step: 'collect' } as const;

const oneMoreBegin = { kind: 'operation_begun', operation: 'more', step: 'summarise/1', owner: 'run-1/1', holder: 'w', deadlineAt: second(900) } as const;
const oneMoreLoss = { kind: 'operation_lost', operation: 'combine', step: 'combine', because: 'given_up' } as const;
const oneMoreFailure = { kind: 'step_failed', step: 'combine', owner: 'run-1', reason: 'internal' } as const;
const workflowLost = { kind: 'workflow_lost', reason: 'workflow_lost' } as const;
const deletion = { kind: 'document_deleted', request: 'another' } as const;
const registration: Event = {
  ...{ kind: 'registered', contract: 1, report: 'july', month: '2025-07', recipients: 2, inputHash: 'input', supersedes: null },
  acceptedDuplicateRisk: false,
};
const permission: Event = { kind: 'resend_authorised', request: 'another', email: 'report-1', resend: 1, acceptedDuplicateRisk: true };

interface Row {
  readonly point: number;
  readonly life: string;
  readonly corruption: Corruption;
  readonly says: string;
}

function row(point: number, life: string, corruption: Corruption, says: string): Row {
  return { point, life, corruption, says };
}

const order: Row[] = [
  row(1, finished, () => [], 'The ledger is empty'),
  row(1, finished, tornOut(saved), 'Entry 11 follows entry 9'),
  row(1, finished, changed(concluded, { at: second(0) }), 'dated before'),
  row(1, finished, without({ kind: 'registered' }), 'starts with operation_begun'),
  row(1, finished, changed({ kind: 'registered' }, { contract: 2 }), 'under version 2'),
  row(1, finished, changed(saved, { hash: 7 }), 'no entry of this version'),
  row(1, finished, changed(saved, { kind: 'constructor' }), 'no entry of this version'),
  row(1, finished, changed({ kind: 'registered' }, { recipients: -1 }), 'no entry of this version'),
  row(1, finished, changed({ kind: 'registered' }, { recipients: 1.5 }), 'no entry of this version'),
  row(1, finished, changed(claimed, { deadlineAt: 'soon' }), 'no entry of this version'),
  row(1, finished, changed(claimed, { authority: 'mine' }), 'no entry of this version'),
  row(1, finished, changed(begun, { step: 'dine' }), 'no entry of this version'),
  row(1, finished, changed(outcome, { outcome: 'sending' }), 'no entry of this version'),
  row(1, corrected, changed(correction, { emails: [1] }), 'no entry of this version'),
  row(1, halfSent, changed(concluded, { prevented: { save: false, emails: 2, furtherAttempts: '0' } }), 'no entry of this version'),
  row(1, halfSent, changed(concluded, { prevented: { save: 0, emails: 2, furtherAttempts: 0 } }), 'no entry of this version'),
  row(2, finished, twice({ kind: 'registered' }), 'more than one registered'),
  row(2, unsent, twice(cancelled), 'more than one cancel_accepted'),
  row(2, finished, twice(saved), 'more than one saved'),
  row(2, finished, twice(concluded), 'more than one concluded'),
  row(2, 'deleted', both(twice(deleted), changed(deleted, { request: 'another' })), 'more than one document_deleted'),
  row(2, 'superseded', twice({ kind: 'superseded' }), 'more than one superseded'),
  row(3, stoppedCollecting, movedBehind(begun, cancelled), 'began after the cancel'),
  row(3, unsent, movedBehind(saved, cancelled), 'saved after the cancel'),
  row(3, 'cancelled while an email is sent', movedBehind(claimed, cancelled), 'claimed after the cancel'),
  row(4, finished, movedBehind(begun, concluded), 'began after the report had ended'),
  row(4, finished, movedBehind(saved, concluded), 'saved after the report had ended'),
  row(4, finished, movedBehind(claimed, concluded), 'claimed after the report had ended'),
  row(4, spent, movedBehind(gaveUp, concluded), 'gave_up stands after the end'),
  row(4, 'failed before anything started', movedBehind({ kind: 'step_failed' }, concluded), 'step_failed stands after the end'),
  row(4, 'deleted', movedBehind(deleted, saved), 'document_deleted stands before the end'),
  row(4, 'superseded', movedBehind({ kind: 'superseded' }, saved), 'superseded stands before the end'),
  row(4, resent, movedBehind(claimed, saved), 'email_claimed stands before the end'),
  row(4, 'failed and superseded', addedLast(deletion), 'never been saved'),
  row(4, corrected, changed(laterCorrection, { request: 'correct' }), 'Request correct was carried out twice'),
  row(4, corrected, changed(deleted, { request: 'correct' }), 'Request correct was carried out twice'),
  row(4, resent, changed(laterResend, { request: 'resend' }), 'Request resend was carried out twice'),
];

const work: Row[] = [
  row(5, summarising, twice(begun), 'began twice'),
  row(5, sending, addedBehind(saved, oneMoreBegin), 'after the report was saved'),
  row(5, summarising, addedBehind(begun, oneMoreBegin), 'began summarise/1, which was done'),
  row(5, overtaken, without(lost), 'another execution of collect was open'),
  row(5, summarising, without(collected), 'before its turn'),
  row(5, summarising, without({ kind: 'operation_ended', step: 'summarise/2' }), 'began combine before its turn'),
  row(5, summarising, changed({ kind: 'operation_begun', step: 'summarise/2' }, { step: 'summarise/3' }), 'began summarise/3 before its turn'),
  row(5, summarising, changed({ kind: 'operation_begun', step: 'summarise/1' }, { step: 'summarise/0' }), 'began summarise/0 before its turn'),
  row(6, summarising, without({ kind: 'operation_begun', step: 'summarise/2' }), 'without having begun'),
  row(6, summarising, changed(ended, { step: 'collect' }), 'is over as collect'),
  row(6, finished, twice(ended), 'after it had ended'),
  row(6, finished, addedBehind(combined, oneMoreLoss), 'after it had ended'),
  row(6, overtaken, twice(lost), 'lost twice'),
  row(6, overdue, changed({ kind: 'operation_begun', operation: 'first' }, { deadlineAt: second(9000) }), 'lost before its deadline'),
  row(6, returnedCollecting, changed(ended, { state: 'done', documents: 2 }), 'counts as done after a cancel'),
  row(6, overtaken, changed({ kind: 'operation_ended', operation: 'first' }, { state: 'done', documents: 3 }), 'counts as done after a cancel, a loss'),
  row(6, finished, movedBehind(combined, saved), 'counts as done after a cancel, a loss or the save'),
  row(6, finished, changed(collected, { state: 'discarded', documents: null }), 'discarded without'),
  row(6, interrupted, changed({ kind: 'operation_ended', operation: 'first' }, { state: 'stopped' }), 'stopped without a cancel'),
  row(6, stoppedCollecting, changed(ended, { state: 'interrupted' }), 'interrupted after a cancel'),
  row(6, finished, changed(combined, { digest: null }), 'digest of operation combine does not fit'),
  row(6, stoppedCollecting, changed(ended, { digest: 'd' }), 'digest of operation collect does not fit'),
  row(6, 'failed without documents', changed(ended, { reason: null }), 'reason of operation collect does not fit'),
  row(6, finished, changed(collected, { documents: null }), 'documents of operation collect do not fit'),
  row(6, finished, changed(collected, { documents: 0 }), 'documents of operation collect do not fit'),
  row(6, finished, changed(combined, { documents: 1 }), 'documents of operation combine do not fit'),
  row(7, finished, changed(saved, { operation: 'collect' }), 'rests on collect'),
  row(7, finished, changed(saved, { operation: 'constructor' }), 'rests on constructor'),
  row(7, finished, changed(saved, { hash: '' }), 'carries no hash'),
  row(7, unsent, movedBehind(cancelled, combining), 'rests on combine'),
  row(7, finished, addedBehind(combining, oneMoreLoss), 'rests on combine'),
  row(7, finished, without(combined), 'rests on combine'),
];

const emails: Row[] = [
  row(8, finished, changed(claimed, { key: '' }), 'does not name its key'),
  row(8, finished, changed(claimed, { messageId: '' }), 'does not name its key'),
  row(8, finished, changed(claimed, { hash: '' }), 'does not name its key'),
  row(8, finished, changed(claimed, { provider: '' }), 'does not name its key'),
  row(8, finished, changed(claimed, { key: 'key of report-1 for report' }), 'key of another message'),
  row(8, resent, changed(claimed, { key: 'key of report-1 for report' }), 'key of another message'),
  row(8, finished, changed(claimed, { messageId: '<report-1 for report>' }), 'Message-ID of another message'),
  row(8, finished, changed(claimed, { hash: 'hash of report-1 for report' }), 'hash of another message'),
  row(8, retried, changed(claimed, { key: 'new' }), 'not the message of the attempts before'),
  row(8, retried, changed(claimed, { messageId: 'new' }), 'not the message of the attempts before'),
  row(8, retried, changed(claimed, { hash: 'new' }), 'not the message of the attempts before'),
  row(8, retried, changed(claimed, { provider: 'new' }), 'not the message of the attempts before'),
  row(8, replayed, changed(claimed, { replayUntilAt: second(9000) }), 'not the message of the attempts before'),
  row(9, finished, changed(claimed, { email: 'report-3' }), 'has no email report-3'),
  row(9, corrected, changed({ kind: 'email_claimed', attempt: 'correction-1-1#1' }, { email: 'correction-3-1' }), 'has no email correction-3-1'),
  row(9, retried, changed(claimed, { attempt: 'report-1#1' }), 'was claimed twice'),
  row(9, spent, movedBehind(claimed, gaveUp), 'after it had been given up'),
  row(9, corrected, changed({ kind: 'email_claimed', email: 'correction-1-1' }, { authority: 'report' }), 'without authority, as report'),
  row(9, corrected, changed({ kind: 'email_claimed', email: 'correction-1-1' }, { authority: 'correction-2' }), 'without authority, as correction-2'),
  row(9, resent, changed(claimed, { authority: 'resend-1' }), 'without authority, as resend-1'),
  row(9, resent, without(resend), 'without authority, as resend-1'),
  row(9, riskyResend, both(without(resend), changed(claimed, { authority: 'resend-0' })), 'without authority, as resend-0'),
  row(9, finished, without(saved), 'claimed without a document'),
  row(9, resent, addedBehind(laterResend, deletion), 'claimed without a document'),
  row(9, retried, without(firstOutcome), 'claimed while it was sending'),
  row(9, retried, changed(firstOutcome, { outcome: 'accepted' }), 'claimed while it was accepted'),
  row(9, retried, changed(firstOutcome, { outcome: 'unknown' }), 'sent again while it was unconfirmed'),
  row(9, replayed, changed(claimed, { at: second(300) }), 'sent again while it was unconfirmed'),
  row(9, 'unconfirmed twice, replayed and accepted', changed(firstClaim, { replayUntilAt: null }), 'sent again while it was unconfirmed'),
  row(9, retried, changed(firstOutcome, { permanent: true }), 'sent again after a final refusal'),
  row(9, unsent, addedLast(permission), 'by a cancelled report'),
  row(9, 'failed before anything started', addedLast(permission), 'sent again without a document'),
  row(9, resent, addedBehind(concluded, deletion), 'sent again without a document'),
  row(9, finished, addedLast(permission), 'sent again while it is accepted'),
  row(9, riskyResend, addedBehind(claimed, { ...permission, resend: 2 }), 'sent again while it is sending'),
  row(9, riskyResend, changed(resend, { acceptedDuplicateRisk: false }), 'nobody accepted the risk'),
  row(9, resent, changed(laterResend, { resend: 3 }), 'Resend 3 of email report-1 follows resend 1'),
  row(9, resent, changed(resend, { email: 'report-2' }), 'has no email report-2'),
  row(10, finished, without(claimed), 'never claimed'),
  row(10, finished, changed(outcome, { email: 'report-1' }), 'never claimed'),
  row(10, corrected, twice(firstOutcome), 'over after it had ended'),
  row(10, finished, addedBehind(outcome, { kind: 'claim_lost', email: 'report-2', attempt: 'report-2#1', because: 'given_up' }), 'over after it had ended'),
  row(10, late, twice(claimLost), 'lost twice'),
  row(10, late, changed(claimed, { deadlineAt: second(9000) }), 'lost before its deadline'),
  row(10, found, twice(evidence), 'no stronger than what was known'),
  row(10, 'refused, and found all the same, twice', changed({ ...evidence, copies: 2 }, { copies: 1 }), 'no stronger than what was known'),
  row(10, 'refused, and found all the same, twice', changed({ ...evidence, copies: 2 }, { outcome: 'refused' }), 'no stronger than what was known'),
  row(11, corrected, changed(correction, { correction: 2 }), 'out of its turn'),
  row(11, corrected, changed(correction, { emails: ['correction-1-1', 'correction-1-2', 'correction-1-3'] }), 'names correction-1-3'),
  row(11, corrected, changed(correction, { emails: ['correction-1-1', 'correction-1-2', 'report-4'] }), 'names report-4'),
  row(11, corrected, changed(correction, { emails: ['correction-1-1', 'correction-1-2', 'correction-2-4'] }), 'names correction-2-4'),
  row(11, corrected, changed(correction, { emails: ['correction-1-1', 'correction-1-2', 'correction-1-1'] }), 'names an email twice'),
  row(11, corrected, changed(correction, { emails: ['correction-1-1', 'correction-1-4'] }), 'leaves out emails'),
  row(11, corrected, changed(correction, { emails: [] }), 'names no email'),
  row(11, corrected, changed({ kind: 'attempt_ended', email: 'report-2' }, { outcome: 'refused' }), 'names correction-1-2'),
];

const ends: Row[] = [
  row(12, finished, without(concluded), 'had come to its end, finished'),
  row(12, 'deleted', without(concluded), 'had come to its end, finished'),
  row(12, found, movedBehind(concluded, evidence), 'had come to its end, finished'),
  row(12, stoppedCollecting, movedBehind(concluded, cancelled), 'where no end was due'),
  row(12, stoppedCollecting, changed(concluded, { phase: 'failed' }), 'where cancelled was due'),
  row(12, finished, without({ kind: 'operation_begun', step: 'combine' }), 'cannot be folded from here on'),
  row(13, stoppedCollecting, movedBehind(concluded, cancelled), 'while something was open'),
  row(13, 'cancelled while a second execution runs and the first returns late', movedBehind(concluded, cancelled), 'while something was open'),
  row(13, 'cancelled while an email is sent', movedBehind(concluded, cancelled), 'while something was open'),
  row(13, halfSent, without(cancelled), 'ended as cancelled, and the ledger makes it no end'),
  row(13, halfSent, changed(concluded, { phase: 'finished' }), 'makes it cancelled'),
  row(13, finished, changed(concluded, { phase: 'cancelled' }), 'makes it finished'),
  row(13, finished, both(without(outcome), without(claimed)), 'ended as finished, and the ledger makes it no end'),
  row(13, 'unconfirmed, its window over', without(gaveUp), 'makes it no end'),
  row(13, spent, without(gaveUp), 'makes it no end'),
  row(13, 'failed before anything started', without({ kind: 'step_failed' }), 'makes it no end'),
  row(13, 'failed and cancelled before it had ended', changed(concluded, { phase: 'failed' }), 'makes it cancelled'),
  row(13, 'failed while summarising', twice({ kind: 'step_failed' }), 'failed twice'),
  row(13, stoppedCollecting, addedBehind(ended, { ...oneMoreFailure, step: 'collect' }), 'after the cancel was accepted'),
  row(13, sending, addedBehind(saved, oneMoreFailure), 'failed after the report was saved'),
  row(13, 'failed while summarising', changed({ kind: 'step_failed' }, { step: 'collect' }), 'was not the latest'),
  row(13, 'failed while summarising', changed({ kind: 'step_failed' }, { owner: 'run' }), 'had been overtaken'),
  row(13, sending, addedLast(workflowLost), 'while something was open'),
  row(13, summarising, addedLast(workflowLost), 'while something was open'),
  row(13, spent, movedBehind(gaveUp, claimed), 'was not to be tried'),
  row(13, spent, changed(gaveUp, { email: 'report-2' }), 'was not to be tried'),
  row(13, 'given up before any attempt', movedBehind(gaveUp, combining), 'was not to be tried'),
  row(13, 'failed once nothing is open', addedBehind({ kind: 'step_failed' }, oneMoreBegin), 'operation_begun stands after the report had failed'),
  row(13, finished, addedBehind(combined, oneMoreFailure), 'saved stands after the report had failed'),
  row(13, finished, addedBehind(saved, workflowLost), 'claimed after the report had failed'),
  row(14, halfSent, changed(concluded, { prevented: null }), 'does not name what the cancel prevented'),
  row(14, finished, changed(concluded, { prevented: { save: false, emails: 0, furtherAttempts: 0 } }), 'names what a cancel prevented'),
  row(14, halfSent, changed(concluded, { prevented: { save: true, emails: 2, furtherAttempts: 0 } }), 'prevented no save, 2 emails'),
  row(14, halfSent, changed(concluded, { prevented: { save: false, emails: 3, furtherAttempts: 0 } }), 'ledger says no save, 3 emails'),
  row(14, halfSent, changed(concluded, { prevented: { save: false, emails: 2, furtherAttempts: 1 } }), 'further attempts at 1'),
  row(15, spent, twice(claimed), 'another state than the ledger for email report-1'),
  row(15, finished, both(changed(claimed, { email: 'report-9' }), changed(outcome, { email: 'report-9' })), 'counts 2 emails as accepted'),
  row(15, summarising, addedLast(registration), 'The fold says queued, the ledger summarising'),
];

test('point 1 objects to any field that is not what it should be', () => {
  const ledgers = Object.values(lives).flatMap(withOneOddFieldEach);
  expect(ledgers.length).toBeGreaterThan(2500);
  expect(ledgers.filter((entries) => check(entries).violations.every(({ rule }) => rule !== 1))).toEqual([]);
});

test.each([...order, ...work, ...emails, ...ends])('point $point objects where a ledger is corrupted: "$says" ($life)', ({ point, life, corruption, says }) => {
  const { violations } = check(corruption(lifeOf(life)));
  expect(violations).toContainEqual({ rule: point, sequence: expect.toSatisfy(isPlace), says: expect.stringContaining(says) });
});

function isPlace(sequence: unknown): boolean {
  return sequence === null || typeof sequence === 'number';
}

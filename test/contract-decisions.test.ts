import { describe, expect, test } from 'vitest';
import { emailState } from '../workflows/contract/email.ts';
import { answerTo, answerToRepeating } from './support/answers.ts';
import {
  begin, broke, cancel, carryOut, claim, correct, deleteDocument, fail, find, giveUp, losePastDeadline, loseRun, loseWorkflow, mail, makeReport,
  outcome, register, resend, returned, save, second, stopped, supersede, wait,
} from './support/deeds.ts';
import { inEachColumn, onceEnded, onceSaved, row, whileStopping, type Row } from './support/transitions.ts';

const one = 'report-1';
const two = 'report-2';
const stops = { ...whileStopping('– cancelled'), ...onceEnded('– ended') } as const;
const ofReportOne = { sending: 'attempt_ended', 'sending, stopping': 'attempt_ended → cancelled', finished: 'repeated', 'cancelled saved': 'repeated' } as const;

const transitions: readonly Row[] = [
  row('registering', register(2), 'repeated', { 'no row': 'registered → queued' }),
  row('registering with another input', { ...register(2), ...{ inputHash: 'other' } }, '– different_input', { 'no row': 'registered → queued' }),
  row('cancelling', cancel('mcp', 'again'), 'cancel_accepted', {
    ...whileStopping('repeated'), 'cancelled unsaved': 'repeated', 'cancelled saved': 'repeated',
    queued: 'cancel_accepted → cancelled', 'to be saved': 'cancel_accepted → cancelled', saved: 'cancel_accepted → cancelled',
  }),
  row('beginning to collect', begin('collect', 'new'), '– already_done', {
    ...stops, ...onceSaved('– already_saved'), queued: 'operation_begun → collecting', collecting: 'operation_lost + operation_begun',
  }),
  row('beginning a summary', begin('summarise/1', 'new'), '– already_done', {
    ...stops, ...onceSaved('– already_saved'), queued: '– not_its_turn', collecting: '– not_its_turn',
  }),
  row('beginning a summary of no document', begin('summarise/3', 'new'), '– not_its_turn', { ...stops, ...onceSaved('– already_saved') }),
  row('beginning to combine', begin('combine', 'new'), '– not_its_turn', {
    ...stops, ...onceSaved('– already_saved'), summarising: 'operation_lost + operation_begun', 'to be saved': '– already_done',
  }),
  row('keeping a draft', { kind: 'draft', operation: 'combine' }, '– not_open', { ...stops, summarising: 'allowed' }),
  row('collecting, returned', returned('collect', 2), 'repeated', { queued: '– unknown_operation', collecting: 'done', 'collecting, stopping': 'discarded → cancelled' }),
  row('collecting, returned with nothing', returned('collect', 0), 'repeated', { queued: '– unknown_operation', collecting: 'failed', 'collecting, stopping': 'discarded → cancelled' }),
  row('collecting, stopped', stopped('collect'), 'repeated', { queued: '– unknown_operation', collecting: 'interrupted', 'collecting, stopping': 'stopped → cancelled' }),
  row('collecting, failed', broke('collect', 'internal'), 'repeated', { queued: '– unknown_operation', collecting: 'failed', 'collecting, stopping': 'failed → cancelled' }),
  row('losing what is past its deadline', losePastDeadline, '– not_due', {
    collecting: 'operation_lost', summarising: 'operation_lost', sending: 'claim_lost',
    'collecting, stopping': 'operation_lost → cancelled', 'sending, stopping': 'claim_lost → cancelled',
  }, '– not_due'),
  row('losing what its run has given up', loseRun('run-1'), '– not_due', {
    collecting: 'operation_lost', summarising: 'operation_lost', sending: 'claim_lost',
    'collecting, stopping': 'operation_lost → cancelled', 'sending, stopping': 'claim_lost → cancelled',
  }, '– not_due'),
  row('losing what another run has given up', loseRun('run'), '– not_due'),
  row('failing a step', fail('internal'), 'operation_lost + step_failed → failed', {
    ...onceSaved('– already_saved'), ...onceEnded('– ended'), 'sending, stopping': '– already_saved', 'collecting, stopping': 'operation_lost → cancelled',
    queued: 'step_failed → failed', 'to be saved': 'step_failed → failed',
  }, '– ended'),
  row('failing a step of another run', fail('internal', 'run'), '– not_latest', {
    ...onceSaved('– already_saved'), ...onceEnded('– ended'), 'sending, stopping': '– already_saved', queued: 'step_failed → failed',
  }, '– ended'),
  row('losing the workflow', loseWorkflow, '– still_open', {
    ...onceEnded('– ended'), queued: 'workflow_lost → failed', 'to be saved': 'workflow_lost → failed', saved: 'workflow_lost → failed',
  }, '– ended'),
  row('saving', save, '– not_its_turn', {
    ...stops, ...onceSaved('repeated'), 'to be saved': 'saved → saved', 'sending, stopping': 'repeated', finished: 'repeated', 'cancelled saved': 'repeated',
  }),
  row('claiming an email', claim(two, 7), '– no_document', { ...stops, ...onceSaved('email_claimed') }),
  row('claiming an email of nobody', claim('report-3'), '– unknown_email'),
  row('claiming what is no email', claim('constructor'), '– unknown_email'),
  row('recording an accepted email', outcome(one, 'accepted'), '– unknown_attempt', ofReportOne),
  row('recording an unknown outcome', outcome(one, 'unknown'), '– unknown_attempt', ofReportOne),
  row('recording a refused email', outcome(one, 'refused'), '– unknown_attempt', ofReportOne),
  row('finding an email', find(one), '– unknown_attempt', { sending: 'evidence', 'sending, stopping': 'evidence', finished: 'repeated', 'cancelled saved': 'repeated' }),
  row('giving an email up', giveUp(two), '– not_owed', { ...onceSaved('gave_up'), ...onceEnded('– ended'), 'sending, stopping': 'gave_up' }),
  row('deleting the document', deleteDocument(), '– not_ended', { ...onceEnded('– no_document'), finished: 'document_deleted', 'cancelled saved': 'document_deleted' }),
  row('ordering a correction', correct(), '– not_ended', { ...onceEnded('– nobody_to_correct'), finished: 'correction_ordered', 'cancelled saved': 'correction_ordered' }),
  row('sending an unconfirmed email again', resend(two), '– not_ended', { ...onceEnded('– cancelled'), finished: '– risk_not_accepted', failed: '– no_document' }),
  row('sending an unconfirmed email again at the risk', resend(two, true), '– not_ended', { ...onceEnded('– cancelled'), finished: 'resend_authorised', failed: '– no_document' }),
  row('sending an accepted email again', resend(one, true), '– not_ended', { ...onceEnded('– cancelled'), finished: '– email_accepted', failed: '– no_document' }),
  row('superseding', supersede(), '– not_ended', onceEnded('superseded')),
];

describe('a transition of the contract', () => {
  test.each(transitions)('is answered the same way in every phase: $command', ({ deed, cells }) => {
    expect(inEachColumn((life) => answerTo(life, deed))).toEqual(cells);
  });

  test.each(transitions)('changes nothing when it is repeated, and is answered alike: $command', ({ deed, again }) => {
    const answers = Object.values(inEachColumn((life) => answerToRepeating(life, deed)));
    expect(answers.filter((answer) => answer !== null && answer !== again)).toEqual([]);
  });
});

describe('the turn of a step', () => {
  const collected = [register(1), begin('collect'), returned('collect', 2)];
  const halfway = [...collected, begin('summarise/1'), returned('summarise/1')];
  test.each([
    { what: 'a summary beside another one', life: [...collected, begin('summarise/1')], deed: begin('summarise/2'), answer: 'operation_begun' },
    { what: 'a summary of document 0', life: collected, deed: begin('summarise/0'), answer: '– not_its_turn' },
    { what: 'combining with a summary missing', life: halfway, deed: begin('combine'), answer: '– not_its_turn' },
    { what: 'combining with a summary running', life: [...halfway, begin('summarise/2')], deed: begin('combine'), answer: '– not_its_turn' },
    { what: 'combining with all summaries', life: [...halfway, begin('summarise/2'), returned('summarise/2')], deed: begin('combine'), answer: 'operation_begun' },
    { what: 'an execution begun once more', life: [register(1), begin('collect')], deed: begin('collect'), answer: 'repeated' },
    { what: 'an execution begun once more, stopping', life: [register(1), begin('collect'), cancel()], deed: begin('collect'), answer: 'repeated' },
    { what: 'an execution begun once more, lost meanwhile', life: [register(1), begin('collect'), loseRun('run-1')], deed: begin('collect'), answer: '– not_open' },
    { what: 'an execution begun once more, ended meanwhile', life: [register(1), begin('collect'), stopped('collect')], deed: begin('collect'), answer: '– not_open' },
    { what: 'a save with a summary running', life: [...halfway, begin('summarise/2')], deed: save, answer: '– not_its_turn' },
  ])('$what: $answer', ({ life, deed, answer }) => {
    expect(answerTo(life, deed)).toBe(answer);
  });
});

describe('a loss', () => {
  const collecting = [register(1), begin('collect')];
  test.each([
    { is: 'due at the deadline itself', deed: losePastDeadline, at: second(600), answer: 'operation_lost' },
    { is: 'not due a second before it', deed: losePastDeadline, at: second(599), answer: '– not_due' },
    { is: 'due at any time to the activity that began it', deed: loseRun('run-1/1'), at: second(10), answer: 'operation_lost' },
    { is: 'not due to another activity of its run', deed: loseRun('run-1/2'), at: second(10), answer: '– not_due' },
  ])('is $is', ({ deed, at, answer }) => {
    expect(answerTo(collecting, deed, at)).toBe(answer);
  });

  test.each([
    { by: 'a later execution', deeds: [begin('collect', 'later')], because: 'superseded' },
    { by: 'its run', deeds: [loseRun('run-1')], because: 'given_up' },
    { by: 'a failure of its run', deeds: [fail('internal')], because: 'given_up' },
    { by: 'its deadline', deeds: [wait(600), losePastDeadline], because: 'deadline' },
  ])('by $by says so: $because', ({ deeds, because }) => {
    const { entries } = carryOut([...collecting, ...deeds]);
    expect(entries.filter((entry) => entry.kind === 'operation_lost')).toMatchObject([{ because }]);
  });
});

test.each([
  { told: 'by a clock that runs ahead', toldAt: second(9999), kept: second(3) },
  { told: 'in time', toldAt: second(2), kept: second(2) },
  { told: 'never', toldAt: null, kept: null },
])('an execution told to stop $told is told so in the ledger', ({ toldAt, kept }) => {
  const { entries } = carryOut([register(1), begin('collect'), { ...stopped('collect'), ...{ toldAt } }]);
  expect(entries.at(-1)).toMatchObject({ toldAt: kept });
});

const saved = makeReport(1);
const replayed = { replayUntilAt: second(300) } as const;
const early = second(200);
const again = claim(one, 9);

describe('the next claim of an email', () => {
  test.each([
    { after: 'nothing', life: [], answer: 'email_claimed' },
    { after: 'a claim that is open', life: [claim(one)], answer: '– email_sending' },
    { after: 'a refusal that may pass', life: [claim(one), outcome(one, 'refused')], answer: 'email_claimed' },
    { after: 'a final refusal, which ends the report', life: [claim(one), outcome(one, 'refused', 1, true)], answer: '– ended' },
    { after: 'an unknown outcome, which ends the report', life: [claim(one), outcome(one, 'unknown')], answer: '– ended' },
    { after: 'an accepted one whose sender has not answered', life: [claim(one), find(one)], answer: '– email_accepted' },
    { after: 'being given up', life: [giveUp(one)], answer: '– ended' },
  ])('after $after: $answer', ({ life, answer }) => {
    expect(answerTo([...saved, ...life], again)).toBe(answer);
  });

  const replay = claim(one, 9, replayed);
  test.each([
    { after: 'an unknown outcome', life: [outcome(one, 'unknown')], at: early, answer: 'email_claimed' },
    { after: 'a lost claim', life: [loseRun('run-1')], at: early, answer: 'email_claimed' },
    { after: 'a lost claim and a refusal that may pass', life: [loseRun('run-1'), outcome(one, 'refused')], at: early, answer: 'email_claimed' },
    { after: 'a final refusal of a lost one', life: [loseRun('run-1'), outcome(one, 'refused', 1, true)], at: early, answer: '– ended' },
    { after: 'an unknown outcome, at the end of the window', life: [outcome(one, 'unknown')], at: second(300), answer: '– email_unconfirmed' },
    { after: 'a refusal that may pass, after the window', life: [outcome(one, 'refused')], at: second(301), answer: 'email_claimed' },
    { after: 'being given up', life: [outcome(one, 'unknown'), giveUp(one, 'key_window')], at: early, answer: '– ended' },
  ])('by a provider that replays keys, after $after: $answer', ({ life, at, answer }) => {
    expect(answerTo([...saved, claim(one, 1, replayed), ...life], replay, at)).toBe(answer);
  });

  test('is not given where the email was given up while another one is owed', () => {
    expect(answerTo([...makeReport(2), giveUp(one)], again)).toBe('– email_given_up');
  });

  test('is not given where a permanent refusal came while another email is owed', () => {
    expect(answerTo([...makeReport(2), claim(one), outcome(one, 'refused', 1, true)], again)).toBe('– email_refused');
  });

  test('is not given where a lost one turned out to be refused for good', () => {
    expect(answerTo([...makeReport(2), claim(one), outcome(one, 'unknown'), outcome(one, 'refused', 1, true)], again)).toBe('– email_refused');
  });

  test('is not given after an unknown outcome while another email is owed', () => {
    expect(answerTo([...makeReport(2), claim(one), outcome(one, 'unknown')], again)).toBe('– email_unconfirmed');
  });

  test.each(['key', 'messageId', 'hash', 'provider'] as const)('is not given with another %s', (field) => {
    expect(answerTo([...saved, claim(one), outcome(one, 'refused')], { ...again, ...{ [field]: 'other' } })).toBe('– different_message');
  });

  test.each([
    { ancestor: 'accepted', answer: '– already_mailed' },
    { ancestor: 'unconfirmed', answer: '– already_mailed' },
    { ancestor: 'sending', answer: '– already_mailed' },
    { ancestor: 'refused', answer: 'email_claimed' },
    { ancestor: 'not_started', answer: 'email_claimed' },
  ] as const)('where an ancestor of the report is $ancestor: $answer', ({ ancestor, answer }) => {
    expect(answerTo(saved, { ...again, ...{ ancestor } })).toBe(answer);
  });

  test('is given where the start accepted the risk of a second email', () => {
    expect(answerTo(makeReport(1, { acceptedDuplicateRisk: true }), { ...again, ...{ ancestor: 'accepted' } })).toBe('email_claimed');
  });

  test('is the same claim when it is repeated, until it has ended', () => {
    expect([answerTo([...saved, claim(one)], claim(one)), answerTo([...makeReport(2), claim(one), loseRun('run-1')], claim(one))]).toEqual(['repeated', '– not_open']);
  });
});

describe('what is said of an attempt only ever gets stronger', () => {
  test.each([
    { said: [outcome(one, 'accepted'), outcome(one, 'unknown')], is: 'accepted', answer: 'repeated' },
    { said: [outcome(one, 'accepted'), outcome(one, 'refused')], is: 'accepted', answer: 'repeated' },
    { said: [outcome(one, 'refused'), outcome(one, 'unknown')], is: 'refused', answer: 'repeated' },
    { said: [outcome(one, 'refused'), outcome(one, 'accepted')], is: 'accepted', answer: 'evidence', alert: 'accepted_after_refusal' },
    { said: [outcome(one, 'unknown'), outcome(one, 'refused')], is: 'refused', answer: 'evidence' },
    { said: [outcome(one, 'unknown'), outcome(one, 'accepted')], is: 'accepted', answer: 'evidence' },
    { said: [loseRun('run-1'), outcome(one, 'unknown')], is: 'unconfirmed', answer: 'attempt_ended' },
    { said: [loseRun('run-1'), outcome(one, 'refused')], is: 'refused', answer: 'attempt_ended' },
    { said: [loseRun('run-1'), outcome(one, 'accepted')], is: 'accepted', answer: 'attempt_ended' },
    { said: [find(one), outcome(one, 'unknown')], is: 'accepted', answer: 'attempt_ended' },
    { said: [find(one), outcome(one, 'refused')], is: 'accepted', answer: 'attempt_ended' },
    { said: [outcome(one, 'unknown'), find(one)], is: 'accepted', answer: 'evidence' },
    { said: [outcome(one, 'refused'), find(one)], is: 'accepted', answer: 'evidence', alert: 'accepted_after_refusal' },
    { said: [outcome(one, 'accepted'), find(one)], is: 'accepted', answer: 'repeated' },
    { said: [outcome(one, 'accepted'), find(one, 1, 2)], is: 'accepted', answer: 'evidence', alert: 'found_twice' },
    { said: [outcome(one, 'unknown'), find(one, 1, 2), find(one, 1, 2)], is: 'accepted', answer: 'repeated', alert: 'found_twice' },
  ])('$said.0.kind $said.0.outcome, then $said.1.kind $said.1.outcome: $is', ({ said, is, answer, alert = null }) => {
    const life = [...makeReport(2), claim(one), ...said];
    const email = carryOut(life).state?.emails[one];
    expect({ is: emailState(email?.attempts ?? []), alert: email?.alert }).toEqual({ is, alert });
    expect(answerTo(life.slice(0, -1), said.at(-1) ?? find(one)).replace(/ → .*/, '')).toBe(answer);
  });
});

const unstarted = { save: true, emails: 2, furtherAttempts: 0 } as const;

describe('the end of a report', () => {
  test.each([
    { of: 'a report on which nothing runs', life: [register(2), cancel()], phase: 'cancelled', prevented: unstarted },
    { of: 'a report whose step runs', life: [register(2), begin('collect'), cancel()], phase: 'collecting', prevented: null },
    { of: 'a report with one email accepted', life: [...makeReport(2), ...mail(1), cancel()], phase: 'cancelled', prevented: { save: false, emails: 1, furtherAttempts: 0 } },
    { of: 'a report with one email refused for now', life: [...makeReport(2), claim(one), outcome(one, 'refused'), cancel()], phase: 'cancelled', prevented: { save: false, emails: 1, furtherAttempts: 1 } },
    { of: 'a report with one email given up', life: [...makeReport(2), giveUp(one, 'cannot_be_prepared'), cancel()], phase: 'cancelled', prevented: { save: false, emails: 1, furtherAttempts: 0 } },
    { of: 'a report with a replay allowed', life: [...saved, claim(one, 1, replayed), outcome(one, 'unknown'), cancel()], phase: 'cancelled', prevented: { save: false, emails: 0, furtherAttempts: 1 } },
    { of: 'a report whose only send is accepted after the cancel', life: [...saved, claim(one), cancel(), outcome(one, 'accepted')], phase: 'finished', prevented: null },
    { of: 'a report whose only send is refused for good after the cancel', life: [...saved, claim(one), cancel(), outcome(one, 'refused', 1, true)], phase: 'finished', prevented: null },
    { of: 'a report whose only send is refused for now after the cancel', life: [...saved, claim(one), cancel(), outcome(one, 'refused')], phase: 'cancelled', prevented: { save: false, emails: 0, furtherAttempts: 1 } },
    { of: 'a report whose step fails after the cancel', life: [register(2), begin('collect'), cancel(), broke('collect', 'internal')], phase: 'cancelled', prevented: unstarted },
    { of: 'a report cancelled after its step failed while another runs', life: [register(2), begin('collect'), returned('collect', 2), begin('summarise/1', 'a', 'run-0/1'), begin('summarise/2'), fail('internal'), cancel(), returned('a')], phase: 'cancelled', prevented: unstarted },
    { of: 'a report whose replay is given up', life: [...saved, claim(one, 1, replayed), outcome(one, 'unknown'), giveUp(one, 'key_window')], phase: 'finished', prevented: null },
    { of: 'a report whose email is unconfirmed', life: [...saved, claim(one), outcome(one, 'unknown')], phase: 'finished', prevented: null },
    { of: 'a report whose email may be replayed', life: [...saved, claim(one, 1, replayed), outcome(one, 'unknown')], phase: 'saved', prevented: null },
    { of: 'a saved report whose workflow is lost', life: [...saved, loseWorkflow], phase: 'failed', prevented: null },
    { of: 'a failed report cancelled too late', life: [register(2), fail('internal'), cancel()], phase: 'failed', prevented: null },
  ])('of $of: $phase', ({ life, phase, prevented }) => {
    expect(carryOut(life).state?.report).toMatchObject({ phase, prevented });
  });
});

const finished = [...saved, ...mail(1)];
const unconfirmed = [...saved, claim(one), outcome(one, 'unknown')];
const resent = [...unconfirmed, resend(one, true), claim(one, 2, { authority: 'resend-1' })];
const anew = claim(one, 9, { authority: 'resend-1' });
const corrected = 'correction-1-1';
const correcting = claim(corrected, 1, { authority: 'correction-1' });

describe('after the end', () => {
  test.each([
    { what: 'a resend that nobody authorised', life: unconfirmed, deed: anew, answer: '– not_authorised' },
    { what: 'an authorised resend', life: [...unconfirmed, resend(one, true)], deed: anew, answer: 'email_claimed' },
    { what: 'an authorised resend under the same key', life: [...unconfirmed, resend(one, true)], deed: { ...anew, ...{ key: `key of ${one} for report` } }, answer: '– different_message' },
    { what: 'an authorised resend of what was found meanwhile', life: [...unconfirmed, resend(one, true), find(one)], deed: anew, answer: '– email_accepted' },
    { what: 'an authorised resend of a report superseded meanwhile', life: [...unconfirmed, resend(one, true), supersede()], deed: anew, answer: '– already_superseded' },
    { what: 'an authorised resend after one refused for now', life: [...resent, outcome(one, 'refused', 2)], deed: anew, answer: 'email_claimed' },
    { what: 'an authorised resend after one refused for good', life: [...resent, outcome(one, 'refused', 2), claim(one, 3, { authority: 'resend-1' }), outcome(one, 'refused', 3, true)], deed: anew, answer: '– email_refused' },
    { what: 'an authorised resend after an unknown one', life: [...resent, outcome(one, 'unknown', 2)], deed: anew, answer: '– email_unconfirmed' },
    { what: 'an authorised resend of a deleted document', life: [...unconfirmed, resend(one, true), deleteDocument()], deed: anew, answer: '– document_deleted' },
    { what: 'asking for a resend of a deleted document', life: [...unconfirmed, deleteDocument()], deed: resend(one, true), answer: '– document_deleted' },
    { what: 'asking for a resend while one is on its way', life: [...unconfirmed, resend(one, true), anew], deed: resend(one, true, 'again'), answer: '– email_sending' },
    { what: 'asking for a resend of a superseded report', life: [...unconfirmed, supersede()], deed: resend(one, true), answer: '– already_superseded' },
    { what: 'asking for a resend of nobody', life: unconfirmed, deed: resend(two, true), answer: '– unknown_email' },
    { what: 'a correction that nobody ordered', life: finished, deed: correcting, answer: '– unknown_email' },
    { what: 'a correction, of a deleted document too', life: [...finished, correct(), deleteDocument()], deed: correcting, answer: 'email_claimed' },
    { what: 'a correction under the authority of another', life: [...finished, correct()], deed: claim(corrected, 1, { authority: 'correction-2' }), answer: '– not_authorised' },
    { what: 'a correction under the authority of a resend', life: [...finished, correct()], deed: claim(corrected, 1, { authority: 'resend-1' }), answer: '– not_authorised' },
    { what: 'a correction before the end of another report', life: saved, deed: correcting, answer: '– unknown_email' },
    { what: 'a second correction', life: [...finished, correct()], deed: correct('second'), answer: 'correction_ordered' },
    { what: 'a correction while a resend is on its way', life: [...unconfirmed, resend(one, true), anew], deed: correct(), answer: '– email_sending' },
    { what: 'a second deletion', life: [...finished, deleteDocument()], deed: deleteDocument('second'), answer: 'repeated' },
    { what: 'another successor', life: [...finished, supersede()], deed: supersede('september'), answer: '– already_superseded' },
    { what: 'the key of a deletion used for a correction', life: [...finished, deleteDocument('key')], deed: correct('key'), answer: '– request_reused' },
    { what: 'a key that every object has', life: finished, deed: deleteDocument('constructor'), answer: 'document_deleted' },
  ])('$what: $answer', ({ life, deed, answer }) => {
    expect(answerTo(life, deed)).toBe(answer);
  });

  test('a correction goes to exactly the emails that are accepted or unconfirmed', () => {
    const life = [...makeReport(4), ...mail(1), claim(two), outcome(two, 'unknown'), claim('report-3'), outcome('report-3', 'refused'), cancel(), correct()];
    expect(carryOut(life).entries.at(-1)).toMatchObject({ emails: [corrected, 'correction-1-2'] });
  });
});

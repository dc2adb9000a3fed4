import {
  begin,
  broke,
  cancel,
  claim,
  correct,
  deleteDocument,
  fail,
  find,
  giveUp,
  live,
  losePastDeadline,
  loseRun,
  loseWorkflow,
  mail,
  makeReport,
  outcome,
  register,
  resend,
  returned,
  save,
  second,
  stopped,
  summarise,
  supersede,
  wait,
} from './deeds.ts';
import type { Entry } from '../../workflows/contract/entry.ts';

const one = 'report-1';
const two = 'report-2';
const replayed = { replayUntilAt: second(300) } as const;

const working: Record<string, Entry[]> = {
  'finished, every email accepted': live(makeReport(2), mail(1, 2)),
  'still queued': live(register(2)),
  'still summarising': live(register(2), summarise(2), begin('combine')),
  'still sending': live(makeReport(2), mail(1), claim(two)),
  'interrupted by a shutdown and begun again': live(
    [register(1), begin('collect', 'first'), stopped('first', 'shutdown')],
    [begin('collect', 'second', 'run-1/2'), returned('second', 1), begin('summarise/1'), returned('summarise/1')],
    [begin('combine'), returned('combine'), save, ...mail(1)],
  ),
  'an execution overtaken by the next, and returning late': live(
    [register(1), begin('collect', 'first'), begin('collect', 'second', 'run-1/2')],
    [returned('first', 3), returned('second', 1)],
  ),
  'an execution lost past its deadline, and returning late': live(
    [register(1), begin('collect', 'first'), wait(600), losePastDeadline, begin('collect', 'second', 'run-2/1', second(2000))],
    [returned('second', 1), returned('first', 1), begin('summarise/1', 'summary', 'run-2/2', second(2000)), returned('summary')],
  ),
  'an execution lost at its very deadline': live(register(1), begin('collect', 'first', 'run-1/1', second(3)), losePastDeadline),
  'an execution lost that its run gave up': live(register(1), begin('collect', 'first'), loseRun('run-1'), begin('collect', 'second')),
};

const cancelled: Record<string, Entry[]> = {
  'cancelled while queued': live(register(2), cancel()),
  'cancelled between steps': live(register(2), summarise(2), cancel('cli')),
  'cancelled while collecting, which stops': live(register(2), begin('collect'), cancel(), stopped('collect')),
  'cancelled while collecting, which returns all the same': live(register(2), begin('collect'), cancel(), returned('collect', 2)),
  'cancelled while summarising, which fails': live(register(2), summarise(2), begin('combine'), cancel(), broke('combine', 'model_refused')),
  'cancelled by two people': live(register(2), begin('collect'), cancel(), cancel('mcp', 'stop too'), stopped('collect')),
  'cancelled, and what ran is lost and returns after the end': live(
    [register(2), begin('collect'), cancel(), wait(600), losePastDeadline, returned('collect', 2)],
  ),
  'cancelled while a second execution runs and the first returns late': live(
    [register(2), begin('collect', 'first'), begin('collect', 'second'), returned('first', 2), cancel(), stopped('second')],
  ),
  'cancelled before any email': live(makeReport(2), cancel('signal')),
  'cancelled with one email sent': live(makeReport(3), mail(1), cancel('page')),
  'cancelled while an email is sent': live(makeReport(2), claim(one), cancel(), outcome(one, 'accepted')),
  'cancelled with an email refused for now and one to replay': live(
    makeReport(4),
    mail(1),
    [claim(two, 1, replayed), outcome(two, 'unknown'), claim('report-3'), outcome('report-3', 'refused'), cancel()],
  ),
  'cancelled, with a claim lost and found after the end': live(
    [...makeReport(2), claim(one), cancel(), wait(600), losePastDeadline, outcome(one, 'unknown'), find(one), supersede()],
  ),
  'cancelled too late, the last email being accepted': live(makeReport(1), claim(one), cancel('update'), outcome(one, 'accepted')),
  'cancelled after the end': live(makeReport(1), mail(1), cancel()),
  'cancelled with one email given up untried and one refused for now': live(
    [...makeReport(3), giveUp(one, 'cannot_be_prepared'), claim(two), outcome(two, 'refused'), cancel()],
  ),
  'cancelled with an email given up before': live(makeReport(3), [claim(one), outcome(one, 'refused'), giveUp(one), cancel()]),
};

const failed: Record<string, Entry[]> = {
  'failed before anything started': live(register(1), fail('workflow_refused')),
  'failed without documents': live(register(1), begin('collect'), returned('collect', 0), fail('no_documents')),
  'failed while summarising': live(register(1), summarise(1), begin('combine'), broke('combine', 'model_refused'), fail('model_refused')),
  'failed, giving up what still ran': live(
    [register(1), begin('collect'), returned('collect', 2), begin('summarise/1'), begin('summarise/2'), fail('took_too_long'), returned('summarise/1')],
  ),
  'failed once nothing is open': live(
    [register(1), begin('collect'), returned('collect', 2), begin('summarise/1', 'old', 'run-1/2'), begin('summarise/2', 'new', 'run-2/2')],
    [fail('model_empty', 'run-2'), returned('old')],
  ),
  'failed and cancelled before it had ended': live(
    [register(1), begin('collect'), returned('collect', 2), begin('summarise/1', 'old', 'run-1/2'), begin('summarise/2', 'new', 'run-2/2')],
    [fail('model_empty', 'run-2'), cancel(), stopped('old')],
  ),
  'failed and superseded': live(register(1), fail('source_not_found'), supersede(), supersede()),
  'failed for a vanished workflow, saved': live(makeReport(2), mail(1), loseWorkflow),
};

const emailed: Record<string, Entry[]> = {
  'refused for now, then accepted': live(makeReport(1), claim(one), outcome(one, 'refused'), claim(one, 2), outcome(one, 'accepted', 2)),
  'refused for good': live(makeReport(2), mail(1), claim(two), outcome(two, 'refused', 1, true)),
  'refused until the budget was spent': live(makeReport(1), claim(one), outcome(one, 'refused'), giveUp(one)),
  'given up before any attempt': live(makeReport(2), giveUp(one, 'cannot_be_prepared'), mail(2)),
  'unconfirmed, with nothing more to try': live(makeReport(1), claim(one), outcome(one, 'unknown')),
  'unconfirmed, replayed and accepted': live(makeReport(1), claim(one, 1, replayed), outcome(one, 'unknown'), claim(one, 2), outcome(one, 'accepted', 2)),
  'unconfirmed, its window over': live(makeReport(1), claim(one, 1, replayed), outcome(one, 'unknown'), wait(400), giveUp(one, 'key_window')),
  'unconfirmed, then found': live(makeReport(1), claim(one), outcome(one, 'unknown'), find(one), find(one)),
  'unconfirmed, then answered late': live(makeReport(1), claim(one), outcome(one, 'unknown'), outcome(one, 'refused'), outcome(one, 'accepted')),
  'unconfirmed twice, replayed and accepted': live(
    [...makeReport(1), claim(one, 1, replayed), outcome(one, 'unknown'), claim(one, 2), outcome(one, 'unknown', 2)],
    [claim(one, 3), outcome(one, 'accepted', 3)],
  ),
  'lost at its very deadline': live(makeReport(1), claim(one, 1, { deadlineAt: second(12) }), losePastDeadline),
  'lost, then answered late': live(makeReport(1), claim(one), wait(600), losePastDeadline, outcome(one, 'accepted')),
  'found while it is sent': live(makeReport(1), claim(one), find(one), outcome(one, 'unknown')),
  'refused, and found all the same, twice': live(makeReport(1), claim(one), outcome(one, 'refused', 1, true), find(one), find(one, 1, 2)),
};

const afterwards: Record<string, Entry[]> = {
  deleted: live(makeReport(1), mail(1), deleteDocument(), deleteDocument()),
  'corrected twice': live(
    [...makeReport(4), ...mail(1), claim(two), outcome(two, 'unknown'), claim('report-3'), outcome('report-3', 'refused', 1, true)],
    [...mail(4), correct(), correct(), deleteDocument()],
    [claim('correction-1-1', 1, { authority: 'correction-1' }), outcome('correction-1-1', 'refused')],
    [claim('correction-1-1', 2, { authority: 'correction-1' }), outcome('correction-1-1', 'accepted', 2), find(two), correct('correct again')],
  ),
  'cancelled, then corrected': live(
    [...makeReport(2), ...mail(1), cancel(), correct()],
    [claim('correction-1-1', 1, { authority: 'correction-1' }), outcome('correction-1-1', 'accepted')],
  ),
  'sent again after a final refusal': live(
    [...makeReport(1), claim(one), outcome(one, 'refused', 1, true), resend(one), claim(one, 2, { authority: 'resend-1' })],
    [outcome(one, 'refused', 2, true), resend(one, false, 'resend again'), claim(one, 3, { authority: 'resend-2' }), outcome(one, 'accepted', 3)],
  ),
  'sent again at a risk, a claim lost': live(
    [...makeReport(1), claim(one), outcome(one, 'unknown'), resend(one, true), claim(one, 2, { authority: 'resend-1' }), wait(600)],
    [losePastDeadline, find(one, 2)],
  ),
  superseded: live(makeReport(1), mail(1), supersede()),
};

/** Ledgers of many kinds of lives, each named after what happened in it. */
export const lives: Record<string, Entry[]> = { ...working, ...cancelled, ...failed, ...emailed, ...afterwards };

export function lifeOf(name: string): Entry[] {
  const entries = lives[name];
  if (entries === undefined) throw new Error(`nobody has lived this life: ${name}`);
  return entries;
}

import type { Command } from '../../workflows/contract/command.ts';
import type { AttemptOutcome } from '../../workflows/contract/vocabulary.ts';
import { answered, isRefused, named, updated, why } from './executions.ts';
import { fenced } from './fence.ts';
import { withLetter } from './mail-server.ts';
import { times } from './times.ts';
import { ownerOf, spend, type Execution, type Model, type Move, type Place, type World } from './world.ts';

type Send = Extract<Place, { kind: 'send' }>;

/** What a sender may do next: claim, transmit, and record what it has learnt. */
export function sends(model: Model, world: World, execution: Execution, place: Send): Move[] {
  switch (execution.stage) {
    case 'scheduled':
      return model.rules.sendersClaimFirst ? claims(model, world, execution, place) : [transmitsUnclaimed(world, execution, place)];
    case 'working':
      return onItsWay(model, world, execution, place);
    case 'transmitted':
      return learns(model, world, execution, place);
    case 'hung':
      return [];
  }
}

/** Every try of an email asks for a claim; where the system's own means have ended, it gives the email up. */
function claims(model: Model, world: World, execution: Execution, place: Send): Move[] {
  const { world: after, decision } = fenced(model, world, claimOf(model, execution, place));
  const label = `${named(execution)} of ${execution.owner} claims ${place.email} under ${place.authority}`;
  const means = meansLeft(model, world, place);
  const giving = means === 'all' ? cannotPrepare(model, world, execution, place) : [givesUp(model, world, execution, place)];
  if (means === 'no attempts') return giving;
  if (decision.kind === 'accepted') return [...giving, { label, fault: false, world: claimed(after, execution, place) }];
  if (isRefused(decision, 'different_message')) return [givesUp(model, world, execution, place)];
  const goOn = isRefused(decision, 'email_sending', 'email_accepted', 'email_refused', 'email_unconfirmed', 'email_given_up');
  const answer = !goOn ? 'rest' : model.rules.emailsDoNotWaitForAnother ? 'next' : 'again';
  return [...giving, { label: `${label}: ${why(decision)}`, fault: false, world: answered(model, after, execution, answer) }];
}

function claimOf(model: Model, execution: Execution, place: Send): Command {
  const { email, authority } = place;
  const one = `${email} under ${authority}`;
  const key = model.rules.replaysCarryOneKey ? one : `${one}, ${execution.id}`;
  const message = { key, messageId: one, hash: one, provider: 'provider', replayUntilAt: model.configuration.keyed ? times.lastReplay : null };
  const attempt = `a${execution.id}`;
  return { kind: 'claim', email, attempt, authority, owner: ownerOf(execution), ...message, deadlineAt: times.deadline, ancestor: null };
}

function claimed(world: World, execution: Execution, place: Send): World {
  const box = world.mail[place.email] ?? '';
  const after = { ...world, mail: { ...world.mail, [place.email]: `${box}-` } };
  return updated(after, { ...execution, stage: 'working', slot: box.length });
}

/** What the run may still do about an email that is owed: anything, no further attempt, or no replay any more. */
function meansLeft(model: Model, world: World, place: Send): 'all' | 'no attempts' | 'no replay' {
  const attempts = world.state?.emails[place.email]?.attempts ?? [];
  const own = attempts.filter((attempt) => attempt.authority === place.authority);
  if (place.authority !== 'report' || own.some((attempt) => attempt.open || attempt.outcome === 'accepted' || attempt.permanent)) return 'all';
  const isUnconfirmed = own.some((attempt) => attempt.outcome === 'unknown' || attempt.outcome === 'lost');
  if (isUnconfirmed && !model.configuration.keyed) return 'all';
  if (own.length >= model.configuration.attempts) return 'no attempts';
  return isUnconfirmed && world.window > 0 ? 'no replay' : 'all';
}

function cannotPrepare(model: Model, world: World, execution: Execution, place: Send): Move[] {
  if (world.left.unprepared === 0 || place.authority !== 'report' || world.state?.emails[place.email] !== undefined) return [];
  return [{ ...givesUp(model, { ...world, left: spend(world.left, 'unprepared') }, execution, place), fault: true }];
}

function givesUp(model: Model, world: World, execution: Execution, place: Send): Move {
  const { world: after } = fenced(model, world, { kind: 'give_up', email: place.email, because: world.window > 0 ? 'key_window' : 'retry_budget' });
  return { label: `${named(execution)} of ${execution.owner} gives up ${place.email}`, fault: false, world: answered(model, after, execution, 'next') };
}

/** With the claim in hand: the bytes go out, unless the sender's own clocks say that it woke too late. */
function onItsWay(model: Model, world: World, execution: Execution, place: Send): Move[] {
  const wakesLate = learning(model, world, execution, place)('refused', 'woke past its send limit and did not transmit');
  if (execution.late && model.rules.sendersCheckTheirClocks) return [wakesLate];
  return [transmits(world, execution, place), { ...wakesLate, fault: true }];
}

function transmits(world: World, execution: Execution, place: Send): Move {
  const mail = { ...world.mail, [place.email]: withLetter(world.mail[place.email] ?? '', execution.slot, 'f') };
  const label = `${named(execution)} transmits ${place.email}${execution.late ? ', long after its send limit' : ''}`;
  return { label, fault: false, world: updated({ ...world, mail }, { ...execution, stage: 'transmitted', late: false }) };
}

function transmitsUnclaimed(world: World, execution: Execution, place: Send): Move {
  const box = world.mail[place.email] ?? '';
  return transmits({ ...world, mail: { ...world.mail, [place.email]: `${box}-` } }, { ...execution, slot: box.length }, place);
}

/** A claimed send waits for the server's answer; without one it knows nothing. */
function learns(model: Model, world: World, execution: Execution, place: Send): Move[] {
  const letter = world.mail[place.email]?.[execution.slot];
  const learn = learning(model, world, execution, place);
  const moves = [learn('unknown', 'learns nothing')];
  if (letter === 't' || letter === 'y') moves.push(learn('accepted', 'learns that it was taken'));
  if (letter === 'd') moves.push(learn('refused', 'learns that it was refused'));
  if (letter === 'd' && model.configuration.permanentRefusals) moves.push(learn('refused', 'learns that it was refused for good', true));
  const isCutOff = letter === 'f' && !model.rules.claimedSendsGoOn && world.state?.report.cancel !== null;
  return isCutOff ? [...moves, learn('refused', 'is stopped, and says that it sent nothing')] : moves;
}

type Outcome = Exclude<AttemptOutcome, 'sending' | 'lost'>;

function learning(model: Model, world: World, execution: Execution, { email }: Send) {
  return (outcome: Outcome, how: string, permanent = false): Move => {
    const command: Command = { kind: 'outcome', email, attempt: `a${execution.id}`, outcome, permanent, phase: null, code: null };
    const { world: after } = fenced(model, world, command);
    return { label: `${named(execution)} ${how} (${email})`, fault: false, world: answered(model, after, execution, outcome === 'accepted' ? 'next' : 'again') };
  };
}

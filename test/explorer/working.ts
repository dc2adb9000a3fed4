import type { Account, Command } from '../../workflows/contract/command.ts';
import type { Decision } from '../../workflows/contract/decision.ts';
import { answered, isRefused, named, updated, why, type Answer } from './executions.ts';
import { fenced } from './fence.ts';
import { times } from './times.ts';
import { ownerOf, spend, type Execution, type Model, type Move, type Place, type World } from './world.ts';

type Work = Extract<Place, { kind: 'work' }>;

export function begins(model: Model, world: World, execution: Execution, place: Work): Move {
  const step = place.steps[execution.lane] ?? 'collect';
  const { operation, owner } = execution;
  const command: Command = { kind: 'begin', operation, step, owner: ownerOf(execution), holder: named(execution), deadlineAt: times.deadline };
  const { world: after, decision } = fenced(model, world, command);
  const told = `${named(execution)} of ${owner} begins ${step}`;
  if (decision.kind === 'accepted') return { label: told, fault: false, world: updated(after, { ...execution, stage: 'working' }) };
  return { label: `${told}: ${why(decision)}`, fault: false, world: answered(model, after, execution, answerTo(decision)) };
}

/** What is done already is gone past; a run that comes too early, after a restored database, goes through its steps again. */
function answerTo(decision: Decision): Answer {
  if (isRefused(decision, 'already_done', 'already_saved')) return 'next';
  return isRefused(decision, 'not_its_turn') ? 'from the start' : 'rest';
}

/** Told or not, an execution returns, stops or fails; what that counts as is the store's answer alone. */
export function works(model: Model, world: World, execution: Execution, place: Work): Move[] {
  const cancelled = world.state?.report.cancel !== null;
  const documents = place.steps[0] === 'collect' ? model.configuration.documents : null;
  const moves = [
    ended(model, world, execution, { kind: 'returned', digest: 'digest', documents }, false),
    ended(model, world, execution, { kind: 'stopped' }, !cancelled),
  ];
  const { failures, hangs } = world.left;
  if (failures > 0) {
    moves.push(ended(model, { ...world, left: spend(world.left, 'failures') }, execution, { kind: 'failed', reason: 'model_refused' }, true));
  }
  if (hangs > 0) {
    const after = { ...updated(world, { ...execution, stage: 'hung' }), left: spend(world.left, 'hangs') };
    moves.push({ label: `${named(execution)} hangs for ever`, fault: true, world: after });
  }
  return moves;
}

function ended(model: Model, world: World, execution: Execution, account: Account, fault: boolean): Move {
  const command: Command = { kind: 'end', operation: execution.operation, account, toldAt: null, toldBy: null };
  const { world: after } = fenced(model, world, command);
  const how = after.state?.operations[execution.operation]?.state ?? 'unknown';
  const answer = after.state?.report.cancel !== null ? 'rest' : how === 'done' ? 'next' : how === 'failed' ? 'fail' : 'again';
  return { label: `${named(execution)} ${account.kind}: recorded as ${how}`, fault, world: answered(model, after, execution, answer) };
}

export function fails(model: Model, world: World, execution: Execution): Move {
  const { world: after, decision } = fenced(model, world, { kind: 'fail', owner: execution.owner, reason: 'model_refused' });
  const label = `${execution.owner} records that its step failed for good: ${why(decision)}`;
  const isOvertaken = isRefused(decision, 'not_latest') && model.rules.overtakenFailuresAreTriedAgain;
  return { label, fault: false, world: answered(model, after, execution, isOvertaken ? 'from the start' : 'rest') };
}

export function saves(model: Model, world: World, execution: Execution): Move[] {
  const { world: after, decision } = fenced(model, world, { kind: 'save', hash: `hash of ${named(execution)}` });
  const label = `${named(execution)} of ${execution.owner} saves: ${why(decision)}`;
  if (decision.kind === 'refused') return [{ label, fault: false, world: answered(model, after, execution, answerTo(decision)) }];
  const move = { label, fault: false, world: answered(model, after, execution, 'next') };
  if (world.left.kills === 0 || decision.kind === 'repeated') return [move];
  const unheard = { ...answered(model, after, execution, 'again'), left: spend(world.left, 'kills') };
  return [move, { label: `${label}, and is killed before it can say so`, fault: true, world: unheard }];
}

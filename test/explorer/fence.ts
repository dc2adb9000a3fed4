import type { Command } from '../../workflows/contract/command.ts';
import type { Decision } from '../../workflows/contract/decision.ts';
import type { Transaction } from '../../workflows/contract/transact.ts';
import type { Concluded } from '../../workflows/contract/entry.ts';
import type { State } from '../../workflows/contract/state.ts';
import { faultOfEntries } from './entries.ts';
import { miscount, recounted } from './recount.ts';
import { times } from './times.ts';
import type { Model, Move, World } from './world.ts';

export interface Fenced {
  readonly world: World;
  readonly decision: Decision;
}

/** One fence transaction of the code under exploration, with everything that must hold of what it wrote. */
export function fenced(model: Model, world: World, command: Command): Fenced {
  const now = world.window === 0 ? times.inside : times.outside;
  const transaction = model.rules.transact(world.state, command, now);
  const { decision, entries, state } = transaction;
  if (entries.length === 0 || state === null) {
    const broken = world.broken ?? faultOfRefusal(world.state, command, decision);
    return { world: broken === world.broken ? world : { ...world, broken }, decision };
  }
  const broken = world.broken ?? faultOf(world, transaction) ?? faultOfRepeating(model, state, command, now);
  const standby = command.kind === 'cancel' ? world.standby : null;
  return { world: { ...world, state, standby, broken }, decision };
}

/** The move of a command that is accepted; none where it is not. */
export function taken(model: Model, world: World, command: Command, label: string, fault = false): Move[] {
  const { world: after, decision } = fenced(model, world, command);
  return decision.kind === 'accepted' ? [{ label, fault, world: after }] : [];
}

function faultOf(world: World, transaction: Transaction): string | null {
  const { state } = transaction;
  const fault = faultOfEntries(world, transaction.entries);
  if (fault !== null || state === null) return fault;
  const wrong = miscount(state);
  if (wrong !== null) return `the counter ${wrong} is not what a recount says`;
  const concluded = transaction.entries.find((entry) => entry.kind === 'concluded');
  return (concluded === undefined ? null : faultOfConcluding(state, concluded)) ?? faultOfFolding(world.state, state);
}

/** An end tells what its cancel prevented: what was still to be done, and that is something. */
function faultOfConcluding(state: State, { phase, prevented }: Concluded): string | null {
  const { owed, untried } = recounted(state);
  if (phase === 'finished' && owed > 0) return 'a report is finished while an email is still to be tried';
  if (phase !== 'cancelled') return prevented === null ? null : 'an end by no cancel is said to have prevented something';
  const save = state.report.document.state === 'not_saved';
  if (!save && owed === 0) return 'a cancel that prevented nothing is said to have prevented something';
  const isTold = prevented?.save === save && prevented.emails === untried && prevented.furtherAttempts === owed - untried;
  return isTold ? null : 'a cancel is said to have prevented something else than it did';
}

function faultOfFolding(before: State | null, after: State): string | null {
  if (before === null || before.emails === after.emails) return null;
  const wasAccepted = Object.values(before.emails).filter((email) => email.attempts.some((attempt) => attempt.outcome === 'accepted'));
  const isAccepted = (id: string): boolean => after.emails[id]?.attempts.some((attempt) => attempt.outcome === 'accepted') ?? false;
  return wasAccepted.every((email) => isAccepted(email.id)) ? null : 'an accepted email is forgotten';
}

/** A commit whose answer was lost is settled by repeating it, which writes nothing and is answered alike. */
function faultOfRepeating(model: Model, state: State, command: Command, now: string): string | null {
  const { decision, entries } = model.rules.transact(state, command, now);
  if (entries.length > 0) return 'a repeated command writes again';
  const isLoss = command.kind === 'lose' || command.kind === 'fail' || command.kind === 'lose_workflow';
  return decision.kind === 'refused' && !isLoss ? 'a repeated command is answered otherwise' : null;
}

function faultOfRefusal(state: State | null, command: Command, decision: Decision): string | null {
  if (state === null || decision.kind !== 'refused' || (command.kind !== 'outcome' && command.kind !== 'find_evidence')) return null;
  const isKnown = state.emails[command.email]?.attempts.some((attempt) => attempt.id === command.attempt) ?? false;
  return isKnown ? 'evidence is turned away' : null;
}

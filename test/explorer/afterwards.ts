import type { Command } from '../../workflows/contract/command.ts';
import type { State } from '../../workflows/contract/state.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import { taken } from './fence.ts';
import { movesOfAnExecution } from './moves-of-an-execution.ts';
import { scheduled } from './scheduling.ts';
import { spend, type Model, type Move, type World } from './world.ts';

/** What a person may do with an ended report, and what follows from it. */
export function afterwards(model: Model, world: World, state: State): Move[] {
  const { left } = world;
  const moves: Move[] = [];
  if (left.deletions > 0) {
    moves.push(...taken(model, { ...world, left: spend(left, 'deletions') }, { kind: 'delete_document', request: 'delete' }, 'a person deletes the document', true));
  }
  if (left.corrections > 0) {
    moves.push(...taken(model, { ...world, left: spend(left, 'corrections') }, { kind: 'order_correction', request: 'correct' }, 'a person orders a correction', true));
  }
  if (left.resends > 0) moves.push(...resends(model, world, state));
  return [...moves, ...ofTheirOwnWorkflows(model, world, state)];
}

function resends(model: Model, world: World, state: State): Move[] {
  const numbers = Array.from({ length: state.report.recipients }, (_, index) => index + 1);
  return numbers.flatMap((number) => {
    const email = `report-${number}`;
    const base = { ...world, left: spend(world.left, 'resends') };
    const ask = (acceptDuplicateRisk: boolean): Command => ({ kind: 'authorise_resend', request: `resend ${email}`, email, acceptDuplicateRisk });
    const plainly = taken(model, base, ask(false), `a person has ${email} sent again`, true);
    if (plainly.length > 0) return plainly;
    return taken(model, { ...base, risk: true }, ask(true), `a person has ${email} sent again and accepts a second message`, true);
  });
}

/** Corrections and resends are sent by workflows of their own, one sender at a time. */
function ofTheirOwnWorkflows(model: Model, world: World, state: State): Move[] {
  const { budget, attempts } = model.configuration;
  if (!isEnd(state.report.phase) || budget.corrections + budget.resends === 0) return [];
  return model.program.flatMap((place, at): Move[] => {
    if (place.kind !== 'send' || place.authority === 'report' || world.executions.some((execution) => execution.place === at)) return [];
    const own = state.emails[place.email]?.attempts.filter((attempt) => attempt.authority === place.authority) ?? [];
    if (own.length >= attempts) return [];
    const execution = scheduled(model, world.next, { at, id: 'afterwards' });
    const moves = movesOfAnExecution(model, { ...world, executions: [...world.executions, execution], next: world.next + 1 }, execution);
    return moves.filter((move) => move.world.executions.length > world.executions.length);
  });
}

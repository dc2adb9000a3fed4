import { taken } from './fence.ts';
import { openClaims } from './open-claims.ts';
import { times } from './times.ts';
import type { State } from '../../workflows/contract/state.ts';
import type { Execution, Model, Move, World } from './world.ts';

/** What any process of the product records, with or without Temporal: passed deadlines, and a workflow that has vanished. */
export function sweeps(model: Model, world: World, state: State): Move[] {
  const operations = state.report.openOperations === 0 ? [] : Object.values(state.operations);
  const ofOperations = operations
    .filter((operation) => operation.state === 'running')
    .flatMap((operation) => passes(model, world, withPastOperation(state, operation.id), executionOf(world, operation.id), operation.id));
  const ofClaims = openClaims(state).flatMap(({ email, attempt }) => {
    const execution = world.executions.find((candidate) => `a${candidate.id}` === attempt.id);
    return passes(model, world, withPastClaim(state, email, attempt.id), execution, attempt.id);
  });
  return [...ofOperations, ...ofClaims, ...vanished(model, world)];
}

function executionOf(world: World, operation: string): Execution | undefined {
  return world.executions.find((execution) => execution.operation === operation && execution.stage === 'working');
}

/** One deadline passes, and any process records the loss; a sender that sleeps through it is past its send limit. */
function passes(model: Model, world: World, due: State, execution: Execution | undefined, name: string): Move[] {
  const isAlive = execution !== undefined && execution.stage !== 'hung';
  if (isAlive && !model.configuration.lateDeadlines) return [];
  const moves = taken(model, { ...world, state: due }, { kind: 'lose', because: 'deadline' }, `the deadline of ${name} passes: lost`, isAlive);
  return moves.map((move) => (isAlive ? { ...move, world: { ...move.world, executions: grownLate(move.world, execution) } } : move));
}

function grownLate(world: World, late: Execution): readonly Execution[] {
  return world.executions.map((execution) => (execution.id === late.id ? lateIfSending(execution) : execution));
}

/** Only a sender that has not transmitted looks at its clocks once more. */
export function lateIfSending(execution: Execution): Execution {
  return execution.stage === 'working' ? { ...execution, late: true } : execution;
}

function withPastOperation(state: State, id: string): State {
  const operation = state.operations[id];
  if (operation === undefined) return state;
  return { ...state, operations: { ...state.operations, [id]: { ...operation, deadlineAt: times.past } } };
}

function withPastClaim(state: State, id: string, due: string): State {
  const email = state.emails[id];
  if (email === undefined) return state;
  const attempts = email.attempts.map((attempt) => (attempt.id === due ? { ...attempt, deadlineAt: times.past } : attempt));
  return { ...state, emails: { ...state.emails, [id]: { ...email, attempts } } };
}

function vanished(model: Model, world: World): Move[] {
  if (world.runs.length > 0 && model.rules.onlyClosedRunsHaveVanished) return [];
  return taken(model, world, { kind: 'lose_workflow', reason: 'workflow_lost' }, 'the sweeper finds that the workflow has vanished');
}

import { isOver, quietened } from './after-the-end.ts';
import { afterwards } from './afterwards.ts';
import { cancels, cancelsByTemporal, forwards } from './cancelling.ts';
import { disasters } from './disasters.ts';
import { looksUp, mailServer, window } from './mail-server.ts';
import { movesOfRuns } from './moves-of-a-run.ts';
import { movesOfExecutions } from './moves-of-an-execution.ts';
import { sweeps } from './sweeping.ts';
import type { Model, Move, World } from './world.ts';

/** Everything that may happen next in a world. */
export function movesOf(model: Model, world: World): Move[] {
  const moves = [...movesOfRuns(model, world), ...movesOfExecutions(model, world), ...movesOutside(model, world)];
  if (isOver(world)) return moves;
  return moves.map((move) => (isOver(move.world) ? { ...move, world: quietened(model, move.world) } : move));
}

/** What happens around runs and executions: people, forwarding, the sweeper, the mail server, the clock, and disasters. */
function movesOutside(model: Model, world: World): Move[] {
  const { state } = world;
  const always = [...cancelsByTemporal(model, world), ...forwards(model, world), ...disasters(world), ...window(model, world), ...mailServer(world)];
  if (state === null) return always;
  return [...always, ...cancels(model, world, state), ...sweeps(model, world, state), ...looksUp(model, world, state), ...afterwards(model, world, state)];
}

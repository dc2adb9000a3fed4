import { isAwaitedBy, named, others, without } from './executions.ts';
import { sends } from './sending.ts';
import { begins, fails, saves, works } from './working.ts';
import { spend, type Execution, type Model, type Move, type World } from './world.ts';

export function movesOfExecutions(model: Model, world: World): Move[] {
  return world.executions.flatMap((execution) => [...movesOfAnExecution(model, world, execution), ...killed(world, execution)]);
}

/** What the process of one attempt may do next: one transaction, or one step outside. */
export function movesOfAnExecution(model: Model, world: World, execution: Execution): Move[] {
  const place = model.program[execution.place];
  if (place === undefined || execution.stage === 'hung') return [];
  switch (place.kind) {
    case 'work':
      return execution.stage === 'scheduled' ? [begins(model, world, execution, place)] : works(model, world, execution, place);
    case 'save':
      return saves(model, world, execution);
    case 'fail':
      return [fails(model, world, execution)];
    case 'send':
      return sends(model, world, execution, place);
    case 'rest':
      return [];
  }
}

function killed(world: World, execution: Execution): Move[] {
  if (world.left.kills === 0 || execution.stage === 'scheduled' || execution.stage === 'hung') return [];
  const after = { ...without(world, execution), left: spend(world.left, 'kills') };
  const runs = after.runs.map((run) => (isAwaitedBy(run, execution) ? { ...run, waitsFor: others(run, execution) } : run));
  return [{ label: `${named(execution)} is killed`, fault: true, world: { ...after, runs } }];
}

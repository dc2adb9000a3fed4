import { replaceAt, type Execution, type Model, type Run, type World } from './world.ts';

/** The steps of the run's place that are neither done nor being executed for it. */
export function freeLanes(model: Model, world: World, run: Run): number[] {
  if (run.at === model.rest) return [];
  const place = model.program[run.at];
  const lanes = place?.kind === 'work' ? [...place.steps.keys()] : [0];
  const isTaken = (lane: number): boolean => world.executions.some((execution) => execution.lane === lane && run.waitsFor.includes(execution.id));
  return lanes.filter((lane) => !run.done.includes(lane) && !isTaken(lane));
}

export function withAwaited(world: World, run: Run, index: number, execution: Execution): World {
  const runs = replaceAt(world.runs, index, { ...run, waitsFor: [...run.waitsFor, execution.id] });
  return { ...world, runs, executions: [...world.executions, execution], next: world.next + 1 };
}

export function scheduled(model: Model, id: number, { at: place, id: owner }: Pick<Run, 'at' | 'id'>, lane = 0): Execution {
  const operation = model.rules.operationsAreExecutions ? `o${id}` : `the only one of ${place}/${lane}`;
  return { id, place, lane, owner, stage: 'scheduled', operation, slot: 0, late: false };
}

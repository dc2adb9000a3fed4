import type { Decision } from '../../workflows/contract/decision.ts';
import type { Execution, Model, Run, World } from './world.ts';

/** How a run goes on after an execution's answer. */
export type Answer = 'next' | 'again' | 'rest' | 'fail' | 'from the start';

export function updated(world: World, execution: Execution): World {
  return { ...world, executions: world.executions.map((other) => (other.id === execution.id ? execution : other)) };
}

export function without(world: World, execution: Execution): World {
  return { ...world, executions: world.executions.filter((other) => other.id !== execution.id) };
}

/** The execution is over; if a run still waits for it, it goes on. */
export function answered(model: Model, world: World, execution: Execution, answer: Answer): World {
  const goOn = (run: Run): Run => (isAwaitedBy(run, execution) ? afterAnswer(model, run, execution, answer) : run);
  return { ...without(world, execution), runs: world.runs.map(goOn) };
}

/** A run stays at a place until all its steps are done; one that fails does not wait for the others. */
function afterAnswer(model: Model, run: Run, execution: Execution, answer: Answer): Run {
  const waitsFor = others(run, execution);
  if (run.at !== execution.place) return { ...run, waitsFor };
  if (answer === 'again') return { ...run, waitsFor };
  if (answer === 'fail') return { ...run, at: model.fail, waitsFor: [], done: [] };
  const place = model.program[run.at];
  const done = [...run.done, execution.lane].toSorted((one, other) => one - other);
  if (answer === 'next' && place?.kind === 'work' && done.length < place.steps.length) return { ...run, waitsFor, done };
  const places = { next: run.at + 1, rest: model.rest, 'from the start': 0 } as const satisfies Record<typeof answer, number>;
  return { ...run, at: places[answer], waitsFor, done: [] };
}

export function isAwaitedBy(run: Run, execution: Execution): boolean {
  return run.waitsFor.includes(execution.id);
}

export function others(run: Run, execution: Execution): readonly number[] {
  return run.waitsFor.filter((id) => id !== execution.id);
}

export function isRefused(decision: Decision, ...reasons: readonly string[]): boolean {
  return decision.kind === 'refused' && reasons.includes(decision.reason);
}

export function why(decision: Decision): string {
  return decision.kind === 'refused' ? decision.reason : decision.kind;
}

export function named(execution: Execution): string {
  return `p${execution.id}`;
}

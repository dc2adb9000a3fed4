import { faultOfAnything, isOver } from './after-the-end.ts';
import { faultOfWorld } from './invariants.ts';
import { keyOf } from './key.ts';
import { firstStuck, type Graph } from './liveness.ts';
import { movesOf } from './moves.ts';
import type { Rules } from './rules.ts';
import { firstWorld, modelOf, type Configuration, type Model, type World } from './world.ts';

export interface Counterexample {
  readonly violation: string;
  /** The shortest way there. */
  readonly steps: readonly string[];
}

export interface Exploration {
  readonly states: number;
  /** Whether the limit ended it before every state had been seen. */
  readonly cut: boolean;
  readonly counterexample: Counterexample | null;
}

interface Seen {
  readonly model: Model;
  readonly numbers: Map<string, number>;
  readonly parents: number[];
  /** The worlds still to be gone on from, by their numbers. */
  readonly ahead: (World | null)[];
  readonly graph: Graph;
}

/** Breadth first over every state of the world, to the first broken invariant or the limit of states. */
export function explore(configuration: Configuration, rules: Rules, limit: number): Exploration {
  const numbers = new Map<string, number>();
  const graph: Graph = { from: [], to: [], ended: [], mustEnd: [] };
  const seen: Seen = { model: modelOf(configuration, rules), numbers, parents: [], ahead: [], graph };
  const first = firstWorld(configuration);
  add(seen, keyOf(seen.model, first), first, -1);
  for (let number = 0; number < seen.ahead.length; number++) {
    if (seen.ahead.length > limit) return { states: limit, cut: true, counterexample: null };
    const broken = goOnFrom(seen, number);
    if (broken !== null) return { states: seen.ahead.length, cut: false, counterexample: { ...broken, steps: [...stepsTo(seen, number, first), ...broken.steps] } };
  }
  const stuck = firstStuck(graph);
  const counterexample = stuck === null ? null : { violation: 'no end is within reach any more', steps: stepsTo(seen, stuck, first) };
  return { states: seen.ahead.length, cut: false, counterexample };
}

function goOnFrom(seen: Seen, number: number): Counterexample | null {
  const world = seen.ahead[number];
  if (world === null || world === undefined) return null;
  seen.ahead[number] = null;
  for (const move of movesOf(seen.model, world)) {
    const key = keyOf(seen.model, move.world);
    let known = seen.numbers.get(key);
    if (known === undefined || move.world.broken !== null) {
      const violation = faultOfWorld(seen.model, move.world);
      if (violation !== null) return { violation, steps: [move.label] };
      const probe = faultOfAnything(seen.model, move.world);
      if (probe !== null) return { violation: probe.violation, steps: [move.label, probe.label] };
      known = add(seen, key, move.world, number);
    }
    if (!move.fault) {
      seen.graph.from.push(number);
      seen.graph.to.push(known);
    }
  }
  return null;
}

function add(seen: Seen, key: string, world: World, parent: number): number {
  const number = seen.parents.push(parent) - 1;
  seen.numbers.set(key, number);
  seen.ahead.push(world);
  seen.graph.ended.push(isOver(world));
  seen.graph.mustEnd.push(world.state !== null);
  return number;
}

/** The labels of the way to a state, found again by going it: worlds are not kept once they have been gone on from. */
function stepsTo(seen: Seen, number: number, first: World): string[] {
  const path: number[] = [];
  for (let at = number; at > 0; at = seen.parents[at] ?? 0) path.unshift(at);
  const steps: string[] = [];
  let world = first;
  for (const next of path) {
    const move = movesOf(seen.model, world).find((candidate) => seen.numbers.get(keyOf(seen.model, candidate.world)) === next);
    if (move === undefined) throw new Error('the explorer does not find its own way again');
    steps.push(move.label);
    world = move.world;
  }
  return steps;
}

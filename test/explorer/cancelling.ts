import type { Command } from '../../workflows/contract/command.ts';
import type { State } from '../../workflows/contract/state.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import { taken } from './fence.ts';
import { freeLanes, scheduled, withAwaited } from './scheduling.ts';
import { replaceAt, type Model, type Move, type World } from './world.ts';

export function cancelBy(door: 'http' | 'workflow'): Command {
  return { kind: 'cancel', receipt: `receipt by ${door}`, request: `request by ${door}`, door };
}

export function cancels(model: Model, world: World, state: State): Move[] {
  const { doors } = model.configuration;
  if (doors === 'none' || doors === 'temporal' || isEnd(state.report.phase)) return [];
  const promised = true;
  const standby = world.left.failovers > 0 ? state : null;
  return taken(model, { ...world, promised, standby }, cancelBy('http'), 'a person cancels', true);
}

/** Any process forwards an accepted cancel to a run, sooner, later or never. */
export function forwards(model: Model, world: World): Move[] {
  const accepted = world.state !== null && world.state.report.cancel !== null;
  const mayTell = accepted ? model.rules.cancelsAreForwarded : !model.rules.onlyAcceptedCancelsAreTold;
  if (!mayTell) return [];
  return world.runs.flatMap((run, index): Move[] => {
    if (run.request !== 'none') return [];
    const runs = replaceAt(world.runs, index, { ...run, request: 'told' as const });
    const broken = accepted ? world.broken : 'a run is told of a cancel that nobody accepted';
    return [{ label: `the cancel is forwarded to ${run.id}`, fault: false, world: { ...world, runs, broken } }];
  });
}

/** A signal, an update or a plain cancel reaches a run, between two executions or with one already scheduled. */
export function cancelsByTemporal(model: Model, world: World): Move[] {
  const { doors } = model.configuration;
  const accepted = world.state !== null && world.state.report.cancel !== null;
  if (doors === 'none' || doors === 'store' || accepted) return [];
  if (world.runs.some((run) => run.request === 'unrecorded')) return [];
  return world.runs.flatMap((run, index): Move[] => {
    if (run.request !== 'none') return [];
    const reached = { ...run, request: 'unrecorded' as const };
    const label = `a cancel reaches ${run.id} by Temporal's door`;
    const plain: Move = { label, fault: true, world: { ...world, runs: replaceAt(world.runs, index, reached) } };
    if (world.state === null) return [plain];
    const lanes = freeLanes(model, world, run).map((lane) => scheduled(model, world.next, run, lane));
    const meanwhile = lanes.map((execution): Move => ({
      label: `${label} while an attempt is about to begin`,
      fault: true,
      world: withAwaited(world, reached, index, execution),
    }));
    return [plain, ...meanwhile];
  });
}

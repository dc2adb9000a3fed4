import type { State } from '../../workflows/contract/state.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import { cancelBy } from './cancelling.ts';
import { fenced } from './fence.ts';
import { movesOfAnExecution } from './moves-of-an-execution.ts';
import { registerCommand } from './initial-state.ts';
import { openClaims } from './open-claims.ts';
import { freeLanes, scheduled, withAwaited } from './scheduling.ts';
import { freshRun, replaceAt, runOf, spend, type Model, type Move, type Run, type World } from './world.ts';

/** What a workflow run, and Temporal with it, may do next. */
export function movesOfRuns(model: Model, world: World): Move[] {
  return world.runs.flatMap((run, index) => [
    ...recording(model, world, run, index),
    ...waiting(world, run, index),
    ...goingOn(model, world, run, index),
    ...interventions(model, world, run, index),
  ]);
}

/** A request that came by Temporal's door is recorded first and told second, whatever else the run is doing. */
function recording(model: Model, world: World, run: Run, index: number): Move[] {
  if (run.request !== 'unrecorded') return [];
  const base = registered(model, world, run);
  if (base === null) return [];
  const { state } = base;
  const promised = base.promised || (state !== null && state.report.cancel === null && !isEnd(state.report.phase));
  const { world: after } = fenced(model, { ...base, promised }, cancelBy('workflow'));
  const runs = replaceAt(after.runs, index, { ...run, request: 'told' as const });
  return [{ label: `${run.id} records the cancel from Temporal's door`, fault: false, world: { ...after, runs } }];
}

/** A run started straight through a Temporal client registers itself in its first transaction; no other run adopts a report. */
function registered(model: Model, world: World, run: Run): World | null {
  if (world.state !== null) return world;
  if (model.rules.missingReportsAreNotAdopted && !isFirstTransaction(model, world, run)) return null;
  return fenced(model, world, registerCommand(model.configuration.recipients)).world;
}

function isFirstTransaction(model: Model, world: World, run: Run): boolean {
  return model.configuration.direct && run.at === 0 && world.left.restores === model.configuration.budget.restores;
}

function waiting(world: World, run: Run, index: number): Move[] {
  return run.waitsFor.flatMap((id): Move[] => {
    const execution = world.executions.find((candidate) => candidate.id === id);
    const runs = replaceAt(world.runs, index, { ...run, waitsFor: run.waitsFor.filter((other) => other !== id) });
    if (execution?.stage === 'hung') return [{ label: `Temporal gives up the hung p${id}`, fault: false, world: { ...world, runs } }];
    if (world.left.timeouts === 0) return [];
    return [{ label: `Temporal gives up p${id}, which lives on`, fault: true, world: { ...world, runs, left: spend(world.left, 'timeouts') } }];
  });
}

/** A run goes on with its program, or, where it waits for nothing any more, with what it has to record first. */
function goingOn(model: Model, world: World, run: Run, index: number): Move[] {
  const isIdle = run.waitsFor.length === 0;
  if (run.request === 'unrecorded' && model.rules.requestsAreRecordedBeforeClosing) return [];
  const isOver = world.state !== null && isEnd(world.state.report.phase);
  const at = isOver || (run.request === 'told' && run.at < model.rest) ? model.rest : run.at;
  const losses = isIdle ? givingUp(model, world, run) : [];
  if (at === model.rest) return isIdle ? [...losses, ...resting(model, world, run, index)] : [];
  if (run.request === 'unrecorded') return losses;
  return [...losses, ...freeLanes(model, world, run).flatMap((lane) => [...scheduling(model, world, run, index, lane), ...leavingBehind(model, world, run, lane)])];
}

function scheduling(model: Model, world: World, run: Run, index: number, lane: number): Move[] {
  const base = registered(model, world, run);
  if (base === null) return [{ label: `${run.id} fails as an unknown report`, fault: false, world: { ...world, runs: replaceAt(world.runs, index) } }];
  const execution = scheduled(model, world.next, run, lane);
  return movesOfAnExecution(model, withAwaited(base, run, index, execution), execution);
}

/** An attempt that was scheduled, and that Temporal gives up before it has done anything: it does it later. */
function leavingBehind(model: Model, world: World, run: Run, lane: number): Move[] {
  if (world.left.timeouts === 0) return [];
  const after = { ...withStray(model, world, run, lane), left: spend(world.left, 'timeouts') };
  return [{ label: `Temporal gives up an attempt of ${run.id} that has not begun`, fault: true, world: after }];
}

function withStray(model: Model, world: World, run: Run, lane: number): World {
  const stray = scheduled(model, world.next, run, lane);
  return { ...world, executions: [...world.executions, stray], next: world.next + 1 };
}

/** What the run began, and Temporal has given up, is recorded as lost on its behalf. */
function givingUp(model: Model, world: World, run: Run): Move[] {
  if (world.state === null || !hasOpen(world.state, run.id)) return [];
  const { world: after, decision } = fenced(model, world, { kind: 'lose', because: 'given_up', owner: run.id });
  return decision.kind === 'accepted' ? [{ label: `${run.id} records what it has given up as lost`, fault: false, world: after }] : [];
}

function hasOpen(state: State, owner: string): boolean {
  if (state.report.openOperations + state.report.openClaims === 0) return false;
  const operations = Object.values(state.operations).some((operation) => operation.state === 'running' && runOf(operation.owner) === owner);
  return operations || openClaims(state).some(({ attempt }) => runOf(attempt.owner) === owner);
}

/** With nothing left to schedule, a run closes once the report has ended, and goes back to an email that is still owed. */
function resting(model: Model, world: World, run: Run, index: number): Move[] {
  const { state } = world;
  if (state === null || isEnd(state.report.phase)) return [closing(world, run, index)];
  const { report } = state;
  if (run.request !== 'none' || report.cancel !== null || report.failure !== null || report.document.state !== 'saved') return [];
  return model.program.slice(0, model.rest).flatMap((place, at): Move[] => {
    if (place.kind !== 'send' || !isUnsettled(state, place.email)) return [];
    return [{ label: `${run.id} turns to ${place.email} again`, fault: false, world: { ...world, runs: replaceAt(world.runs, index, { ...run, at }) } }];
  });
}

function isUnsettled(state: State, id: string): boolean {
  const email = state.emails[id];
  return email === undefined || !email.attempts.some((attempt) => attempt.open || attempt.outcome === 'accepted');
}

function closing(world: World, run: Run, index: number): Move {
  const broken = run.request === 'unrecorded' ? 'a run closes with a cancel request that nobody recorded' : world.broken;
  return { label: `${run.id} closes`, fault: false, world: { ...world, runs: replaceAt(world.runs, index), broken } };
}

/** Resetting and terminating leave the processes of the run behind, also one that was just about to begin. */
function interventions(model: Model, world: World, run: Run, index: number): Move[] {
  const { left } = world;
  if (left.resets + left.terminations === 0) return [];
  const lanes = run.request === 'none' ? freeLanes(model, world, run) : [];
  const bases = [{ base: world, stray: '' }, ...lanes.map((lane) => ({ base: withStray(model, world, run, lane), stray: ', an attempt of it is about to begin' }))];
  return bases.flatMap(({ base, stray }) => [...resetting(base, run, index, stray), ...terminating(base, run, index, stray)]);
}

function resetting(base: World, run: Run, index: number, stray: string): Move[] {
  const isFresh = run.request === 'none' && run.at === 0 && run.waitsFor.length === 0 && stray === '';
  if (base.left.resets === 0 || isFresh) return [];
  const runs = replaceAt(base.runs, index, freshRun(`r${base.next}`));
  return [{ label: `${run.id} is reset${stray}`, fault: true, world: { ...base, runs, next: base.next + 1, left: spend(base.left, 'resets') } }];
}

function terminating(base: World, run: Run, index: number, stray: string): Move[] {
  if (base.left.terminations === 0) return [];
  const after = { ...base, runs: replaceAt(base.runs, index), left: spend(base.left, 'terminations') };
  return [{ label: `${run.id} is terminated${stray}`, fault: true, world: after }];
}

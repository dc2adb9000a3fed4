import type { Report, State } from '../../workflows/contract/state.ts';
import { isEnd, type Phase } from '../../workflows/contract/vocabulary.ts';
import { runOf, type Execution, type Model, type Run, type World } from './world.ts';

type Names = Readonly<Record<string, string>>;

/**
 * A name that two worlds share exactly if nothing that happens later can tell them apart. Ids, sequence numbers, times and
 * what has ended for good are left out; runs and executions are named by what they are doing, so that a permutation of
 * equal ones is the same world.
 */
export function keyOf(model: Model, world: World): string {
  const runs = inOrder(world.runs, (run) => runKey(world, run));
  const owners: Record<string, string> = {};
  for (const run of runs) owners[run.id] = String(Object.keys(owners).length);
  const executions = inOrder(world.executions, (execution) => strayKey(world, execution, owners));
  for (const execution of executions) owners[execution.owner] ??= `z${Object.keys(owners).length}`;
  let key = historyKey(world);
  for (const run of runs) key += `|${isResting(world, run, model.rest) ? model.rest : run.at}${run.request[0] ?? ''}${run.done.join('')}${awaited(run, executions)}`;
  for (const execution of executions) key += `;${executionKey(world, execution)}${owners[execution.owner] ?? ''}`;
  if (world.state !== null) key += stateKey(world, world.state, owners);
  for (const email of model.emails) key += emailKey(world, email, owners);
  return key;
}

function historyKey({ left, window, promised, risk, standby }: World): string {
  return `${left.code}${window}${promised ? 'p' : ''}${risk ? 'r' : ''}${standby === null ? '' : 's'}`;
}

function inOrder<T>(list: readonly T[], keyed: (item: T) => string): readonly T[] {
  if (list.length < 2) return list;
  const named = list.map((item) => ({ item, key: keyed(item) }));
  return named.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ item }) => item);
}

/** A run that knows of an accepted cancel or an end, and waits for nothing, goes nowhere any more, wherever it is. */
function isResting({ state }: World, run: Run, rest: number): boolean {
  if (state !== null && isEnd(state.report.phase)) return true;
  return run.request === 'told' && run.waitsFor.length === 0 && run.at < rest;
}

function runKey(world: World, run: Run): string {
  const own = world.executions.filter((execution) => run.waitsFor.includes(execution.id)).map((execution) => executionKey(world, execution));
  const began = isLatest(world.state, run) ? 'l' : '';
  return `${run.at}${run.request}${own.sort().join()}${began}`;
}

function isLatest(state: State | null, run: Run): boolean {
  const latest = state?.report.lastBegun ?? null;
  return latest !== null && runOf(latest.owner) === run.id;
}

function awaited(run: Run, executions: readonly Execution[]): string {
  if (run.waitsFor.length === 0) return '';
  return executions.map((execution) => (run.waitsFor.includes(execution.id) ? 'w' : '-')).join('');
}

function strayKey(world: World, execution: Execution, owners: Names): string {
  const isAwaited = world.runs.some((run) => run.waitsFor.includes(execution.id));
  return `${executionKey(world, execution)}${owners[execution.owner] ?? 'z'}${isAwaited ? 'w' : ''}`;
}

function executionKey({ state }: World, { place, lane, stage, late, slot, operation }: Execution): string {
  return `${place}.${lane}${stage[0] ?? ''}${late ? 'l' : ''}${slot}${state?.operations[operation]?.state[0] ?? ''}`;
}

function stateKey(world: World, state: State, owners: Names): string {
  const { cancel, failure, document, lastBegun, documents, summarised, openOperations } = state.report;
  let key = `#${countersKey(state.report)}${cancel === null ? '' : 'c'}${failure === null ? '' : 'f'}`;
  if (lastBegun !== null && document.state === 'not_saved') key += owners[runOf(lastBegun.owner)] ?? 'x';
  if (summarised > 0 && summarised !== documents) key += doneSteps(state);
  if (openOperations > 0) key += orphans(world, state, owners);
  return key;
}

function countersKey({ phase, document, documents, summarised, summary, openOperations, openClaims, owed, corrections }: Report): string {
  const work = `${documents ?? '-'}${summarised}${summary === null ? '' : 's'}`;
  return `${numbers[phase]}${document.state[0] ?? ''}${work}${openOperations}${openClaims}${owed}${corrections}`;
}

function doneSteps(state: State): string {
  return Object.values(state.operations).flatMap((operation) => (operation.state === 'done' ? [operation.step] : [])).sort().join();
}

/** Whose open operations no process is working on any more. */
function orphans(world: World, state: State, owners: Names): string {
  const found: string[] = [];
  for (const id in state.operations) {
    const operation = state.operations[id];
    if (operation?.state !== 'running' || world.executions.some((execution) => execution.operation === id)) continue;
    found.push(`${operation.step}${owners[runOf(operation.owner)] ?? 'x'}`);
  }
  return found.length < 2 ? (found[0] ?? '') : found.sort().join();
}

/** What is told of an email and what has become of it, and for whom its open claims are. */
function emailKey({ state, mail }: World, id: string, owners: Names): string {
  const email = state?.emails[id];
  let key = `/${mail[id] ?? ''}`;
  if (email === undefined) return key;
  for (const { outcome, open, permanent, endedAt, authority, owner } of email.attempts) {
    key += `${outcome[0] ?? ''}${permanent ? 'p' : ''}${endedAt === null ? '' : 'e'}${authority === 'report' ? '' : authority}`;
    if (open) key += `o${owners[runOf(owner)] ?? 'x'}`;
  }
  return `${key}${email.gaveUp === null ? '' : 'g'}${email.resends}`;
}

const numbers = { queued: 0, collecting: 1, summarising: 2, saved: 3, finished: 4, cancelled: 5, failed: 6 } as const satisfies Record<Phase, number>;

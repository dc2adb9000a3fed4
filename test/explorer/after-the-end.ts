import type { Command } from '../../workflows/contract/command.ts';
import type { State } from '../../workflows/contract/state.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import { fenced } from './fence.ts';
import { cancelBy } from './cancelling.ts';
import { times } from './times.ts';
import { withoutFaultsOfRuns, type Execution, type Model, type World } from './world.ts';

export interface Probe {
  readonly label: string;
  readonly violation: string;
}

export function isOver({ state }: World): boolean {
  return state !== null && isEnd(state.report.phase);
}

/**
 * An ended report, to be gone on from: only what was under way goes on, since `faultOfAnything` has everything else tried
 * in every such state. So executions that have not begun, and what might still go wrong with a run, are left out.
 */
export function quietened(model: Model, world: World): World {
  const executions = world.executions.filter((execution) => execution.stage !== 'scheduled' || isAfterwards(model, execution));
  const runs = world.runs.map((run) => ({ ...run, done: [], waitsFor: run.waitsFor.filter((id) => executions.some((execution) => execution.id === id)) }));
  const isSendingOn = world.left.resends + world.left.corrections > 0;
  return { ...world, executions, runs, left: withoutFaultsOfRuns(world.left, isSendingOn ? world.left.kills : 0) };
}

function isAfterwards(model: Model, execution: Execution): boolean {
  const place = model.program[execution.place];
  return place?.kind === 'send' && place.authority !== 'report';
}

/** After an accepted cancel or an end, nobody begins, saves or claims anything, whoever asks; and a late cancel changes nothing. */
export function faultOfAnything(model: Model, world: World): Probe | null {
  const { state } = world;
  if (state === null || (!isEnd(state.report.phase) && state.report.cancel === null)) return null;
  for (const command of anything(model)) {
    const { world: after } = fenced(model, world, command);
    if (after.broken !== null) return { label: `a stranger asks to ${command.kind}`, violation: after.broken };
  }
  return isOver(world) && state.report.cancel === null ? faultOfLateCancel(model, world, state) : null;
}

function faultOfLateCancel(model: Model, world: World, state: State): Probe | null {
  const { world: after } = fenced(model, world, cancelBy('http'));
  const label = 'a person cancels too late';
  if (after.broken !== null) return { label, violation: after.broken };
  const { phase, openOperations, openClaims, owed, document } = state.report;
  const then = after.state?.report;
  const isSame = then?.phase === phase && then.openOperations === openOperations && then.openClaims === openClaims && then.owed === owed;
  return isSame && then.document === document && after.state?.emails === state.emails ? null : { label, violation: 'a cancel that comes too late changes something' };
}

const asked = new WeakMap<Model, readonly Command[]>();

/** Every way to start something, on behalf of a run that nobody knows. */
function anything(model: Model): readonly Command[] {
  const known = asked.get(model);
  if (known !== undefined) return known;
  const owner = 'stranger';
  const commands = model.program.flatMap((place): Command[] => {
    if (place.kind === 'work') {
      return place.steps.map((step) => ({ kind: 'begin', operation: `stranger's ${step}`, step, owner, holder: 'worker', deadlineAt: times.deadline }));
    }
    if (place.kind === 'save') return [{ kind: 'save', hash: "stranger's" }];
    if (place.kind !== 'send' || place.authority !== 'report') return [];
    const { email, authority } = place;
    const message = { key: `${email} under report`, messageId: `${email} under report`, hash: `${email} under report`, provider: 'provider' };
    const window = model.configuration.keyed ? times.lastReplay : null;
    return [{ kind: 'claim', email, attempt: "stranger's", authority, owner, ...message, replayUntilAt: window, deadlineAt: times.deadline, ancestor: null }];
  });
  asked.set(model, commands);
  return commands;
}

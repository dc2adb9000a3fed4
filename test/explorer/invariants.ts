import type { Report, State } from '../../workflows/contract/state.ts';
import { isEnd } from '../../workflows/contract/vocabulary.ts';
import { foldOf } from './recount.ts';
import { times } from './times.ts';
import type { Model, World } from './world.ts';

/** What a state of the world breaks of what must hold at every moment; null where it breaks nothing. */
export function faultOfWorld(model: Model, world: World): string | null {
  const { state } = world;
  if (world.broken !== null) return world.broken;
  if (acceptedTwice(world)) return 'the mail server accepts an email twice';
  if (state === null) return null;
  return faultOfEmails(world, state) ?? (isEnd(state.report.phase) ? faultOfEnd(world, state) : faultOfWaiting(model, state));
}

function acceptedTwice(world: World): boolean {
  return !world.risk && Object.values(world.mail).some((box) => box.indexOf('t') !== box.lastIndexOf('t'));
}

/** What the report says of an email is never false of the mail server, now or by what is still on its way. */
function faultOfEmails(world: World, state: State): string | null {
  for (const [id, box] of Object.entries(world.mail)) {
    const fold = foldOf(state.emails[id]?.attempts ?? []);
    if (fold === 'accepted' && !box.includes('t')) return 'an email is called accepted that the mail server never took';
    if (fold !== 'refused' && fold !== 'not_started') continue;
    if (box.includes('t') || box.includes('f')) return 'an email is called refused or not started that the mail server took or may take';
  }
  return null;
}

function faultOfEnd(world: World, state: State): string | null {
  const { phase } = state.report;
  for (const execution of world.executions) {
    const isWorking = execution.stage === 'working' || execution.stage === 'hung';
    if (isWorking && isUnaccounted(state, execution.operation)) return 'a report ends while an operation runs unaccounted';
  }
  const isOpen = Object.values(state.emails).some((email) => email.attempts.some((attempt) => attempt.open && attempt.authority === 'report'));
  if (isOpen) return 'a report ends while a send is open';
  return phase === 'failed' && world.promised ? 'an accepted cancel ends as a failure' : null;
}

/** Only of operations that the ledger knows: a send has none. */
function isUnaccounted(state: State, operation: string): boolean {
  const known = state.operations[operation];
  return known !== undefined && known.state !== 'lost';
}

function faultOfWaiting(model: Model, state: State): string | null {
  const { report } = state;
  if (!hasOpen(state) && isSettled(report)) return 'a report waits for nothing and does not end';
  if (report.cancel === null) return null;
  const { state: later } = model.rules.transact(state, { kind: 'lose', because: 'deadline' }, times.afterAllDeadlines);
  return later !== null && isEnd(later.report.phase) ? null : 'deadlines alone do not end an accepted cancel';
}

function hasOpen(state: State): boolean {
  if (Object.values(state.operations).some((operation) => operation.state === 'running')) return true;
  return Object.values(state.emails).some((email) => email.attempts.some((attempt) => attempt.open));
}

function isSettled(report: Report): boolean {
  return report.cancel !== null || report.failure !== null || (report.document.state === 'saved' && report.owed === 0);
}

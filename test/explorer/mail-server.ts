import type { Command } from '../../workflows/contract/command.ts';
import type { Email, State } from '../../workflows/contract/state.ts';
import { taken } from './fence.ts';
import { foldOf } from './recount.ts';
import { lateIfSending } from './sweeping.ts';
import type { Execution, Model, Move, World } from './world.ts';

/** What is in flight is taken, refused, or (within the window of its key) recognised as a replay; at any time, or never. */
export function mailServer(world: World): Move[] {
  return Object.entries(world.mail).flatMap(([email, box]) =>
    [...box].flatMap((letter, slot): Move[] => {
      if (letter !== 'f') return [];
      const isReplay = world.window < 2 && [...box].some((other, index) => other === 't' && hasSameKey(world, email, index, slot));
      return [isReplay ? 'y' : 't', 'd'].map((next) => {
        const mail = { ...world.mail, [email]: withLetter(box, slot, next) };
        return { label: `the mail server ${whatItDoes[next] ?? ''} attempt ${slot + 1} of ${email}`, fault: false, world: { ...world, mail } };
      });
    }),
  );
}

const whatItDoes: Readonly<Record<string, string>> = { t: 'takes', y: 'recognises the key of', d: 'refuses' };

function hasSameKey(world: World, id: string, one: number, other: number): boolean {
  const attempts = world.state?.emails[id]?.attempts ?? [];
  const [first, second] = [attempts[one], attempts[other]];
  return first !== undefined && second !== undefined && first.replayUntilAt !== null && first.key === second.key;
}

/** A look-up finds a message by its Message-ID, which all attempts of it share; finding nothing is no evidence. */
export function looksUp(model: Model, world: World, state: State): Move[] {
  if (!model.configuration.lookUp) return [];
  return Object.values(state.emails).flatMap((email): Move[] => {
    const fold = foldOf(email.attempts);
    const newest = email.attempts.at(-1);
    if (newest === undefined || (fold !== 'unconfirmed' && fold !== 'sending')) return [];
    const copies = [...(world.mail[email.id] ?? '')].filter((letter) => letter === 't').length;
    if (copies === 0) return absent(model, world, email);
    const command: Command = { kind: 'find_evidence', email: email.id, attempt: newest.id, source: 'look-up', copies };
    return taken(model, world, command, `a look-up finds ${email.id}`);
  });
}

function absent(model: Model, world: World, email: Email): Move[] {
  if (model.rules.absenceProvesNothing) return [];
  const open = email.attempts.find((attempt) => attempt.outcome !== 'refused');
  if (open === undefined) return [];
  const command: Command = { kind: 'outcome', email: email.id, attempt: open.id, outcome: 'refused', permanent: false, phase: null, code: null };
  return taken(model, world, command, `a look-up does not find ${email.id}, so it counts as refused`);
}

export function withLetter(box: string, slot: number, letter: string): string {
  return box.slice(0, slot) + letter + box.slice(slot + 1);
}

/** The window of a key ends in two moments: first nobody may claim a replay any more, and the send limit and a margin later the provider forgets the key. */
export function window(model: Model, world: World): Move[] {
  if (!model.configuration.keyed || world.window === 2) return [];
  if (world.window === 0) return [{ label: 'the last moment for a replay passes', fault: true, world: { ...world, window: 1 } }];
  const isInFlight = Object.values(world.mail).some((box) => box.includes('f'));
  if (isInFlight && model.rules.windowsKeepAMargin) return [];
  const executions = world.executions.map((execution) => (isSend(model, execution) ? lateIfSending(execution) : execution));
  return [{ label: 'the provider forgets the key', fault: true, world: { ...world, window: 2, executions } }];
}

function isSend(model: Model, execution: Execution): boolean {
  return model.program[execution.place]?.kind === 'send';
}

import { transact, type Transaction } from '../../workflows/contract/transact.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { State } from '../../workflows/contract/state.ts';
import { carryOut, second, type Deed } from './deeds.ts';

const muchLater = second(1000);

/** What a command comes to after a life: refused (with the reason), repeated, or what is written and which phase it leads to. */
export function answerTo(life: readonly Deed[], deed: Deed, at = muchLater): string {
  return answer(carryOut(life).state, deed, at).words;
}

/** What the same command comes to when it is carried out twice; null where it changes nothing the first time. */
export function answerToRepeating(life: readonly Deed[], deed: Deed): string | null {
  const before = carryOut(life).state;
  const { state } = answer(before, deed, muchLater);
  return state === before ? null : answer(state, deed, muchLater).words;
}

function answer(before: State | null, deed: Deed, at: string): { words: string; state: State | null } {
  if (deed.kind === 'wait') throw new Error('waiting has no answer');
  const transaction = transact(before, deed, at);
  return { words: inWords(transaction, before?.report.phase ?? 'none'), state: transaction.state };
}

function inWords({ decision, entries, state }: Transaction, before: string): string {
  if (decision.kind === 'refused') return `– ${decision.reason}`;
  if (decision.kind === 'repeated') return 'repeated';
  const phase = state?.report.phase ?? 'none';
  const written = entries.filter((entry) => entry.kind !== 'concluded').map(word).join(' + ');
  return `${written === '' ? 'allowed' : written}${phase === before ? '' : ` → ${phase}`}`;
}

/** An end is told by what it counts as, everything else by its kind. */
function word(entry: Entry): string {
  return entry.kind === 'operation_ended' ? entry.state : entry.kind;
}

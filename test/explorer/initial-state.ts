import type { Command } from '../../workflows/contract/command.ts';
import { transact } from '../../workflows/contract/transact.ts';
import type { State } from '../../workflows/contract/state.ts';
import type { Step } from '../../workflows/contract/vocabulary.ts';
import { times } from './times.ts';
import type { Configuration } from './world.ts';

export function registerCommand(recipients: number): Command {
  const input = { month: '2025-07', recipients, inputHash: 'input', supersedes: null, acceptedDuplicateRisk: false } as const;
  return { kind: 'register', report: 'report', ...input };
}

/** The state in which the exploration starts, made by the product's own transactions. */
export function initialState({ from, recipients, documents }: Configuration): State | null {
  const summaries = (['summarise/1', 'summarise/2'] as const).slice(0, documents).flatMap((step) => executed(step, null));
  const summarised: readonly Command[] = [...executed('collect', documents), ...summaries];
  const saved: readonly Command[] = [...summarised, ...executed('combine', null), { kind: 'save', hash: 'first' }];
  const commands = [registerCommand(recipients), ...{ registered: [], summarised, saved }[from]];
  return commands.reduce<State | null>((state, command) => transact(state, command, times.inside).state, null);
}

function executed(step: Step, documents: number | null): readonly Command[] {
  const operation = `before/${step}`;
  return [
    { kind: 'begin', operation, step, owner: 'r0/0', holder: 'worker', deadlineAt: times.deadline },
    { kind: 'end', operation, account: { kind: 'returned', digest: 'digest', documents }, toldAt: null, toldBy: null },
  ];
}

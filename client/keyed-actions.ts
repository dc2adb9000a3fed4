import type { Ordering, Resending } from '../store/decisions.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import type { Status } from '../workflows/contract/status.ts';
import type { ActionAnswer, Reports } from './reports.ts';

/** Corrections and resends, refused where their key was used for other words or another email: a key repeats one request, and asks for no second one. */
export function keyedActions({ correct, resend, ledger }: Pick<Reports, 'correct' | 'resend' | 'ledger'>) {
  const heldAgainst = async (answer: ActionAnswer | null, isAsked: (entry: Entry, report: Status) => boolean): Promise<ActionAnswer | null> => {
    if (answer?.kind !== 'done') return answer;
    const { report } = answer;
    const entries = (await ledger(report.id)) ?? [];
    return entries.some((entry) => isAsked(entry, report)) ? answer : { kind: 'refused', reason: 'request_reused', report };
  };
  return {
    correct: async (id: string, ordering: Ordering): Promise<ActionAnswer | null> =>
      heldAgainst(await correct(id, ordering), (entry, report) => isOrder(entry, ordering, report)),

    resend: async (id: string, resending: Resending): Promise<ActionAnswer | null> =>
      heldAgainst(await resend(id, resending), (entry) => entry.kind === 'resend_authorised' && entry.request === resending.request && entry.email === resending.email),
  };
}

function isOrder(entry: Entry, { request, message }: Ordering, { corrections }: Status): boolean {
  if (entry.kind !== 'correction_ordered' || entry.request !== request) return false;
  const ordered = corrections.find(({ number }) => number === entry.correction)?.message ?? null;
  // Words that were erased cannot be compared.
  return ordered === null || ordered === message;
}

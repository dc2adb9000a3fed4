import { nothingAtLast, type LedgerPoint } from './check-point.ts';
import { count, has, type Past } from './check-past.ts';
import type { Entry } from './entry.ts';
import { contractVersion } from './vocabulary.ts';

const onceOnly = ['registered', 'cancel_accepted', 'saved', 'concluded', 'document_deleted', 'superseded'] as const;
const actionsAfterEnd = ['document_deleted', 'correction_ordered', 'resend_authorised', 'superseded'] as const;
const allowedAfterEnd = ['operation_ended', 'attempt_ended', 'claim_lost', 'evidence', 'cancel_accepted', ...actionsAfterEnd] as const;

/** Points 1 to 4: the order of a ledger, and what a cancel and an end shut out. */
export const orderPoints: readonly LedgerPoint[] = [
  {
    number: 1,
    sentence: "The entries are numbered from 1 without a gap, times never fall, and the first is registered under this contract's version.",
    objectsTo: outOfOrder,
    objectsAtLast: (past) => (past.sequence === 0 ? 'The ledger is empty.' : null),
  },
  {
    number: 2,
    sentence: 'At most one each of registered, cancel accepted, saved, concluded, document deleted and superseded.',
    objectsTo: repeated,
    objectsAtLast: nothingAtLast,
  },
  {
    number: 3,
    sentence: "After an accepted cancel no step begins, nothing is saved, and no email is claimed on the report's own authority.",
    objectsTo: (entry, past) => (has(past, 'cancel_accepted') ? stepOf(entry, 'after the cancel was accepted') : null),
    objectsAtLast: nothingAtLast,
  },
  {
    number: 4,
    sentence: 'After the end come only late ends, outcomes, evidence, and the actions of rule 16, and these never before it.',
    objectsTo: onTheWrongSideOfTheEnd,
    objectsAtLast: nothingAtLast,
  },
];

function outOfOrder(entry: Entry, past: Past): string | null {
  if (entry.sequence !== past.sequence + 1) return `Entry ${entry.sequence} follows entry ${past.sequence}.`;
  if (entry.at < past.at) return `Entry ${entry.sequence} is dated before the one it follows.`;
  if (past.sequence > 0) return null;
  if (entry.kind !== 'registered') return `The ledger starts with ${entry.kind}.`;
  return entry.contract === contractVersion ? null : `The ledger was written under version ${entry.contract} of the contract.`;
}

function repeated(entry: Entry, past: Past): string | null {
  return onceOnly.some((kind) => kind === entry.kind) && count(past, entry.kind) > 0 ? `There is more than one ${entry.kind}.` : null;
}

/** Says which step of the report an entry is; null where it is none. */
function stepOf(entry: Entry, when: string): string | null {
  if (entry.kind === 'operation_begun') return `Operation ${entry.operation} began ${when}.`;
  if (entry.kind === 'saved') return `The report was saved ${when}.`;
  return entry.kind === 'email_claimed' && entry.authority === 'report' ? `Email ${entry.email} was claimed ${when}.` : null;
}

function onTheWrongSideOfTheEnd(entry: Entry, past: Past): string | null {
  const isAction = actionsAfterEnd.some((kind) => kind === entry.kind);
  const isLaterClaim = entry.kind === 'email_claimed' && entry.authority !== 'report';
  if (!has(past, 'concluded')) return isAction || isLaterClaim ? `${entry.kind} stands before the end of the report.` : null;
  if (isLaterClaim || allowedAfterEnd.some((kind) => kind === entry.kind)) return refusedAction(entry, past);
  return stepOf(entry, 'after the report had ended') ?? `${entry.kind} stands after the end of the report.`;
}

/** Every action after the end has a key of its own, and only what was saved can be deleted. */
function refusedAction(entry: Entry, past: Past): string | null {
  if (entry.kind === 'document_deleted' && !has(past, 'saved')) return 'A document was deleted that had never been saved.';
  const isKeyed = entry.kind === 'document_deleted' || entry.kind === 'correction_ordered' || entry.kind === 'resend_authorised';
  return isKeyed && past.requests[entry.request] === true ? `Request ${entry.request} was carried out twice.` : null;
}

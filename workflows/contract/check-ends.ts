import { isStillOwed, mailOf } from './check-outbox.ts';
import { nothingAtLast, type LedgerPoint, type Told } from './check-point.ts';
import { has, hasFailed, hasNothingUndone, type Past } from './check-past.ts';
import type { Concluded, Entry, StepFailed } from './entry.ts';
import type { Prevented } from './vocabulary.ts';

/** Points 13 and 14: what an end rests on, and what the receipt of a cancel says of it. */
export const endPoints: readonly LedgerPoint[] = [
  {
    number: 13,
    sentence: 'Failed, cancelled and finished each rest on what the rules ask: nothing open, and a failure, a cancel, or nothing left undone.',
    objectsTo: badGround,
    objectsAtLast: nothingAtLast,
  },
  {
    number: 14,
    sentence: "The effect of the receipt follows from the report's phase, and it prevented what was still to be done.",
    objectsTo: (entry, past) => (entry.kind === 'concluded' ? badPrevented(entry, past) : null),
    objectsAtLast: (past, _folded, told) => badEffect(past, told),
  },
];

function badGround(entry: Entry, past: Past): string | null {
  switch (entry.kind) {
    case 'concluded':
      return badEnd(entry, past);
    case 'step_failed':
      return badFailure(past) ?? badFailedStep(entry, past);
    case 'workflow_lost':
      return badFailure(past) ?? (isOpen(past) ? 'The workflow counts as lost while something was open.' : null);
    case 'gave_up':
      return badGivingUp(entry.email, past);
    case 'operation_begun':
    case 'saved':
      return hasFailed(past) ? `${entry.kind} stands after the report had failed.` : null;
    case 'email_claimed':
      return hasFailed(past) && entry.authority === 'report' ? `Email ${entry.email} was claimed after the report had failed.` : null;
    default:
      return null;
  }
}

function isOpen(past: Past): boolean {
  return past.openOperations > 0 || past.outbox.total.openClaims > 0;
}

function badEnd(entry: Concluded, past: Past): string | null {
  if (isOpen(past)) return `The report ended as ${entry.phase} while something was open.`;
  const ground = groundOf(past);
  return entry.phase === ground ? null : `The report ended as ${entry.phase}, and the ledger makes it ${ground ?? 'no end'}.`;
}

/** A finished report wins over a cancel, and a cancel over a failure. */
function groundOf(past: Past): Concluded['phase'] | null {
  if (hasNothingUndone(past)) return 'finished';
  if (has(past, 'cancel_accepted')) return 'cancelled';
  return hasFailed(past) ? 'failed' : null;
}

/** A failure counts once, and only while no cancel is accepted. */
function badFailure(past: Past): string | null {
  if (hasFailed(past)) return 'The report failed twice.';
  return has(past, 'cancel_accepted') ? 'A failure counts after the cancel was accepted.' : null;
}

function badFailedStep(entry: StepFailed, past: Past): string | null {
  if (has(past, 'saved')) return 'A step failed after the report was saved.';
  if (entry.step !== (past.lastBegun?.step ?? null)) return `${entry.step ?? 'No step'} failed, which was not the latest.`;
  return past.lastBegun === null || isFor(past.lastBegun.owner, entry.owner) ? null : `${entry.step} failed for a run that had been overtaken.`;
}

/** Owners are runs, or their activities as `<run>/<activity>`; a run fails for all of its own. */
function isFor(owner: string, run: string): boolean {
  return `${owner}/`.startsWith(`${run}/`);
}

function badGivingUp(email: string, past: Past): string | null {
  const mail = mailOf(past.outbox, email);
  const isOwed = mail !== null && has(past, 'saved') && isStillOwed(mail);
  return isOwed ? null : `Email ${email} was given up, which was not to be tried.`;
}

function badPrevented(entry: Concluded, past: Past): string | null {
  if (entry.phase !== 'cancelled') return entry.prevented === null ? null : `A report that ended as ${entry.phase} names what a cancel prevented.`;
  if (entry.prevented === null) return 'A cancelled report does not name what the cancel prevented.';
  const { recipients, total } = past.outbox;
  const emails = recipients - total.settled - total.retriable;
  const expected: Prevented = { save: !has(past, 'saved'), emails, furtherAttempts: total.retriable };
  const truth = inWords(expected);
  const said = inWords(entry.prevented);
  return said === truth ? null : `The cancel prevented ${truth}, and the ledger says ${said}.`;
}

function inWords({ save, emails, furtherAttempts }: Prevented): string {
  return `${save ? 'the save' : 'no save'}, ${emails} emails and further attempts at ${furtherAttempts}`;
}

function badEffect(past: Past, told: Told | undefined): string | null {
  if (told === undefined) return null;
  const effect = effectOf(past);
  return told.effect === effect ? null : `The receipt's effect is ${effect ?? 'none'}, and ${told.effect ?? 'none'} was told.`;
}

function effectOf(past: Past): Told['effect'] {
  if (!has(past, 'cancel_accepted')) return null;
  if (!has(past, 'concluded')) return 'pending';
  return past.phase === 'cancelled' ? 'prevented' : 'too_late';
}

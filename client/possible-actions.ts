import type { EmailStatus, Status } from '../workflows/contract/status.ts';
import { isEnd } from '../workflows/contract/vocabulary.ts';

/** What can be asked for of a report that has ended, as its status tells; whether it is done, the store decides. */
export interface PossibleActions {
  readonly deleting: boolean;
  readonly correcting: boolean;
  readonly superseding: boolean;
}

export function possibleActions({ phase, document, emailCounts, supersededBy }: Status): PossibleActions {
  const hasEnded = isEnd(phase);
  const { accepted = 0, unconfirmed = 0 } = emailCounts;
  return {
    deleting: hasEnded && document.state === 'saved',
    correcting: hasEnded && accepted + unconfirmed > 0,
    superseding: hasEnded && supersededBy === null,
  };
}

/** Whether a person may have this email sent again, to an address that is still there. A correction's that is not started is still being brought on its way. */
export function canBeSentAgain({ phase, document, supersededBy }: Status, { purpose, state, recipient }: EmailStatus): boolean {
  if (recipient === null) return false;
  if (phase !== 'finished' && phase !== 'failed') return false;
  if (document.state !== 'saved' || supersededBy !== null) return false;
  return state === 'refused' || state === 'unconfirmed' || (state === 'not_started' && purpose === 'report');
}

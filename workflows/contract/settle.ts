import type { Report } from './state.ts';
import { isEnd, type End, type Prevented } from './vocabulary.ts';

/** The end that a report has reached, or null while something of it is open or still to be done. Nothing else ends one. */
export function settle(report: Report): End | null {
  if (isEnd(report.phase)) return null;
  if (report.openOperations > 0 || report.openClaims > 0) return null;
  if (report.document.state === 'saved' && report.owed === 0) return 'finished';
  if (report.cancel !== null) return 'cancelled';
  return report.failure === null ? null : 'failed';
}

/** What an accepted cancel keeps from happening, told when the report ends by it. */
export function prevented(report: Report): Prevented {
  return {
    save: report.document.state === 'not_saved',
    emails: report.untried,
    furtherAttempts: report.owed - report.untried,
  };
}

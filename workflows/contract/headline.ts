import type { EmailCounts, Report } from './state.ts';
import { isEnd, type EmailState } from './vocabulary.ts';

/** The one sentence that says where a report stands; every face shows exactly this. */
export function headline(report: Report): string {
  const sentence = isEnd(report.phase) ? endSentence(report) : workingSentence(report);
  return [sentence, ...lostPart(report), ...correctionPart(report)].join('; ');
}

function endSentence(report: Report): string {
  if (report.phase === 'cancelled' && report.lastBegun === null && report.document.state === 'not_saved') return 'Cancelled before anything started';
  return `${opening(report)}. ${effects(report)}`;
}

function opening(report: Report): string {
  if (report.phase === 'cancelled') return 'Cancelled';
  if (report.phase === 'failed') return `Failed ${whileDoing(report)}`;
  return report.cancel === null ? 'Finished' : `Finished before it could be cancelled`;
}

function whileDoing(report: Report): string {
  if (report.document.state !== 'not_saved') return 'while emailing';
  if (report.lastBegun === null) return 'before anything started';
  return report.lastBegun.step === 'collect' ? 'while collecting' : 'while summarising';
}

/** What exists: the document, then the emails. */
function effects(report: Report): string {
  if (report.document.state === 'not_saved') return 'No report was saved and no email was sent';
  const document = report.document.state === 'saved' ? 'Report saved' : 'Report saved and deleted since';
  return [document, emailsPart(report.emails)].join('; ');
}

function workingSentence(report: Report): string {
  if (report.cancel !== null) return stoppingSentence(report);
  switch (report.phase) {
    case 'queued':
      return 'Queued';
    case 'collecting':
      return 'Collecting documents';
    case 'summarising':
      return summarisingSentence(report);
    default:
      return effects(report);
  }
}

function summarisingSentence(report: Report): string {
  const total = report.documents ?? 0;
  if (report.summary !== null) return 'Saving the report';
  if (report.summarised >= total) return total === 1 ? 'Summarising the summary of 1 document' : `Summarising the summaries of ${total} documents`;
  return `Summarising ${report.summarised + 1} of ${total === 1 ? '1 document' : `${total} documents`}`;
}

function stoppingSentence(report: Report): string {
  const waiting = `Stopping… waiting for ${waitsFor(report)}`;
  return report.document.state === 'not_saved' ? waiting : `${waiting}. ${effects(report)}`;
}

function waitsFor(report: Report): string {
  if (report.openClaims > 0) return report.openClaims === 1 ? 'the mail service to answer' : `the mail service to answer for ${report.openClaims} emails`;
  if (report.openOperations > 1) return `${report.openOperations} operations to return`;
  return report.lastBegun?.step === 'collect' ? 'the collection to return' : 'the model call to return';
}

const order = ['accepted', 'unconfirmed', 'sending', 'refused', 'not_started'] as const satisfies readonly EmailState[];

const one = {
  accepted: 'email accepted by the mail service',
  unconfirmed: 'email outcome unconfirmed',
  sending: 'email being sent',
  refused: 'email refused by the mail service',
  not_started: 'email not started',
} as const satisfies Record<EmailState, string>;

const several = {
  accepted: 'accepted by the mail service',
  unconfirmed: 'unconfirmed',
  sending: 'being sent',
  refused: 'refused by the mail service',
  not_started: 'not started',
} as const satisfies Record<EmailState, string>;

function emailsPart(counts: EmailCounts): string {
  const groups = order.filter((state) => counts[state] > 0);
  const total = groups.reduce((sum, state) => sum + counts[state], 0);
  if (total === 1) return groups.map((state) => one[state]).join('');
  return groups.map((state, index) => `${counts[state]}${index === 0 ? emailsWord(counts[state]) : ''} ${several[state]}`).join(', ');
}

function emailsWord(count: number): string {
  return count === 1 ? ' email' : ' emails';
}

function lostPart(report: Report): string[] {
  if (report.lostOperations === 0) return [];
  const lost = report.lostOperations === 1 ? '1 operation was lost' : `${report.lostOperations} operations were lost`;
  return [`${lost} and may still be running unheard`];
}

function correctionPart(report: Report): string[] {
  if (report.corrections === 0) return [];
  const ordered = report.corrections === 1 ? '1 correction ordered' : `${report.corrections} corrections ordered`;
  return [`${ordered}: ${emailsPart(report.correctionEmails)}`];
}

import type { EmailStatus, Status } from '../../../workflows/contract/status.ts';
import type { Entry } from '../../../workflows/contract/entry.ts';
import { problemDocument } from '../problem.ts';

/** A report that was cancelled between saving and emailing: what the API's description shows. */
export const id = '2025-07-3f9c2a71b04d';

export const input = {
  month: '2025-07',
  sources: [{ kind: 'folder', path: 'minutes/{month}' }],
  recipients: ['a@example.com'],
  title: 'Minutes of July',
} as const;

export const problem = problemDocument('invalid_input', 'month must be a month like 2025-07. Nothing was recorded.', [
  { field: 'month', says: 'must be a month like 2025-07' },
]);

export const entry = { kind: 'saved', hash: '9b74c989…', operation: 'a31f7c52-8f7e-4f0e-9a53-0f2a7d1b6c11', sequence: 6, at: '2025-08-01T08:00:12.480Z' } as const satisfies Entry;

const prevented = { save: false, emails: 1, furtherAttempts: 0 } as const;

export const status: Status = {
  id,
  month: '2025-07',
  title: 'Minutes of July',
  createdAt: '2025-08-01T08:00:01.105Z',
  requestedBy: 'api',
  phase: 'cancelled',
  stopping: false,
  headline: 'Cancelled. Report saved; email not started',
  cancelRequest: {
    receiptId: '5a3d7b0e-3a53-4a5e-8a0c-5f6b9f6a2f10',
    requestId: '0b8f8b52-6a0f-4a37-9a0e-6f6e3a9a7b21',
    requestedAt: '2025-08-01T08:00:12.640Z',
    door: 'http',
    by: 'api',
    reason: 'wrong month',
    effect: 'prevented',
    prevented,
    sequence: 7,
  },
  sources: [{ kind: 'folder', path: 'minutes/{month}' }],
  skipped: [{ name: 'attendance.csv', why: 'it is neither Markdown nor text' }],
  progress: { done: 1, total: 1 },
  operations: [],
  document: { state: 'saved', savedAt: entry.at, url: `/reports/${id}/document` },
  emails: [
    { id: 'report-1', recipient: 'a@example.com', purpose: 'report', state: 'not_started', attempts: [], gaveUp: null, alert: null, checkByHand: null },
  ],
  emailCounts: { not_started: 1 },
  corrections: [],
  supersedes: null,
  supersededBy: null,
  lastCommitted: { kind: 'concluded', at: '2025-08-01T08:00:12.640Z', sequence: 8 },
  waitingFor: [],
  cancelWould: null,
  ifStartedAgain: 'A second report would stand beside the saved one. 1 recipient would be mailed, none of whom this report has mailed.',
  failure: null,
  sequence: 8,
  updatedAt: '2025-08-01T08:00:12.640Z',
};

const claim = { messageId: '<report-1.5f0c1e@standdown.localhost>', provider: 'smtp', claimedAt: '2025-08-01T08:00:12.640Z' } as const;
const outcome = { permanent: false, code: null, evidence: [], deadlineAt: '2025-08-01T08:01:12.640Z', endedAt: '2025-08-01T08:00:42.655Z' } as const;
const attempt = { ...claim, ...outcome, number: 1, id: '0d5a5f5e-4a46-4d0c-b0a3-3a1b8d6f7c20', outcome: 'unknown' } as const;
const unconfirmed: EmailStatus = {
  ...{ id: 'report-1', recipient: 'a@example.com', purpose: 'report', state: 'unconfirmed', gaveUp: null, alert: null },
  attempts: [attempt],
  checkByHand: { ...claim, recipient: 'a@example.com' },
};

/** A finished report whose email is unconfirmed: what the actions after the end are shown with. */
const finished: Status = {
  ...status,
  ...{ phase: 'finished', headline: 'Finished. Report saved; email outcome unconfirmed', cancelRequest: null, emails: [unconfirmed], emailCounts: { unconfirmed: 1 } },
  ifStartedAgain: "A second report would stand beside the saved one. The one recipient may have this report's email already: a report that supersedes this one mails nobody; any other new one mails that one again.",
  ...{ lastCommitted: { kind: 'concluded', at: '2025-08-01T08:00:42.655Z', sequence: 9 }, sequence: 9, updatedAt: '2025-08-01T08:00:42.655Z' },
};

const committed = (kind: Entry['kind']): Pick<Status, 'lastCommitted' | 'sequence' | 'updatedAt'> => {
  const at = '2025-08-01T09:12:30.004Z';
  return { lastCommitted: { kind, at, sequence: 10 }, sequence: 10, updatedAt: at };
};

export const correctionInput = { message: 'The budget on page 2 is 12,000, not 21,000.' } as const;
export const resendInput = { acceptDuplicateRisk: true } as const;

export const deleted: Status = {
  ...{ ...finished, ...committed('document_deleted'), headline: 'Finished. Report saved and deleted since; email outcome unconfirmed' },
  document: { ...finished.document, state: 'deleted', url: null },
  ifStartedAgain: "Nothing of this report would stand in the way. The one recipient may have this report's email already: a report that supersedes this one mails nobody; any other new one mails that one again.",
};

export const corrected: Status = {
  ...{ ...finished, ...committed('correction_ordered'), headline: `${finished.headline}; 1 correction ordered: email not started` },
  emails: [unconfirmed, { ...unconfirmed, id: 'correction-1-1', purpose: 'correction:1', state: 'not_started', attempts: [], checkByHand: null }],
  corrections: [{ number: 1, orderedAt: '2025-08-01T09:12:30.004Z', message: correctionInput.message }],
};

export const resent: Status = { ...finished, ...committed('resend_authorised') };

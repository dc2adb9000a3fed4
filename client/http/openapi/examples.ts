import type { Status } from '../../../workflows/contract/status.ts';
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
  document: { state: 'saved', savedAt: entry.at, url: `/api/reports/${id}/document` },
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

import { reduceEmail } from './reduce-email.ts';
import { reduceWork } from './reduce-work.ts';
import type { Entry, Registered } from './entry.ts';
import type { EmailCounts, Report, State } from './state.ts';

const noEmails = { accepted: 0, unconfirmed: 0, sending: 0, refused: 0, not_started: 0 } as const satisfies EmailCounts;

/** Folds one entry into the state; total, and the only writer of it. */
export function reduce(state: State | null, entry: Entry): State {
  if (entry.kind === 'registered') return register(entry);
  if (state === null) throw new Error('a ledger starts with registered');
  const { report, ...rest } = reduceKind(state, entry);
  const last = { kind: entry.kind, at: entry.at, sequence: entry.sequence };
  return { ...rest, report: { ...report, sequence: entry.sequence, updatedAt: entry.at, last } };
}

type AnyButRegistered = Exclude<Entry, { kind: 'registered' }>;

function reduceKind(state: State, entry: AnyButRegistered): State {
  switch (entry.kind) {
    case 'operation_begun':
    case 'operation_ended':
    case 'operation_lost':
    case 'saved':
      return reduceWork(state, entry);
    case 'email_claimed':
    case 'attempt_ended':
    case 'claim_lost':
    case 'evidence':
    case 'gave_up':
    case 'correction_ordered':
    case 'resend_authorised':
      return reduceEmail(state, entry);
    case 'step_failed':
      return withReport(state, { failure: { step: entry.step, reason: entry.reason } });
    case 'workflow_lost':
      return withReport(state, { failure: { step: state.report.lastBegun?.step ?? null, reason: entry.reason } });
    case 'cancel_accepted': {
      const { receipt: receiptId, request: requestId, door, at, sequence } = entry;
      return withReport(state, { cancel: { receiptId, requestId, door, at, sequence } });
    }
    case 'concluded':
      return withReport(state, { phase: entry.phase, prevented: entry.prevented });
    case 'document_deleted':
      return withRequest(withReport(state, { document: { ...state.report.document, state: 'deleted' } }), entry.request, entry.kind);
    case 'superseded':
      return withReport(state, { supersededBy: entry.by });
  }
}

function register(entry: Registered & { sequence: number; at: string }): State {
  const { report: id, recipients, inputHash, supersedes, acceptedDuplicateRisk, sequence, at } = entry;
  const report: Report = {
    id,
    phase: 'queued',
    sequence,
    updatedAt: at,
    recipients,
    inputHash,
    supersedes,
    acceptedDuplicateRisk,
    cancel: null,
    prevented: null,
    failure: null,
    lastBegun: null,
    documents: null,
    summarised: 0,
    summary: null,
    document: { state: 'not_saved', hash: null, savedAt: null },
    openOperations: 0,
    openClaims: 0,
    lostOperations: 0,
    owed: recipients,
    untried: recipients,
    emails: { ...noEmails, not_started: recipients },
    corrections: 0,
    correctionEmails: noEmails,
    supersededBy: null,
    last: { kind: entry.kind, at, sequence },
  };
  return { report, operations: {}, emails: {}, requests: {} };
}

function withReport(state: State, change: Partial<Report>): State {
  return { ...state, report: { ...state.report, ...change } };
}

function withRequest(state: State, request: string, kind: Entry['kind']): State {
  return { ...state, requests: { ...state.requests, [request]: kind } };
}

import type { Effect } from '../../workflows/contract/status.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type {
  AttemptOutcome,
  Door,
  EmailAlert,
  EmailState,
  FailureReason,
  GaveUpBecause,
  OperationState,
  Phase,
  ToldBy,
} from '../../workflows/contract/vocabulary.ts';

/** The contract's words as people read them; their names are what the API's description lists. */
export const phaseWords = {
  queued: 'Queued',
  collecting: 'Collecting',
  summarising: 'Summarising',
  saved: 'Saved',
  finished: 'Finished',
  cancelled: 'Cancelled',
  failed: 'Failed',
} as const satisfies Record<Phase, string>;

export const operationWords = {
  running: 'running',
  done: 'done',
  discarded: 'returned too late, discarded',
  stopped: 'stopped',
  interrupted: 'interrupted, to be repeated',
  failed: 'failed',
  lost: 'lost, may still be running unheard',
} as const satisfies Record<OperationState, string>;

export const emailWords = {
  accepted: 'accepted by the mail service',
  unconfirmed: 'outcome unconfirmed',
  sending: 'being sent',
  refused: 'refused by the mail service',
  not_started: 'not started',
} as const satisfies Record<EmailState, string>;

export const outcomeWords = {
  sending: 'being sent',
  unknown: 'outcome unknown',
  lost: 'lost sight of',
  refused: 'refused',
  accepted: 'accepted',
} as const satisfies Record<AttemptOutcome, string>;

export const effectWords = {
  pending: 'pending: what still runs is being stopped',
  prevented: 'prevented what had not happened yet',
  too_late: 'too late: everything had happened already',
} as const satisfies Record<Effect, string>;

export const doorWords = {
  http: 'the API',
  page: 'the page',
  cli: 'the command line',
  mcp: 'MCP',
  signal: 'a signal in Temporal',
  update: 'an update in Temporal',
  workflow: 'a workflow cancel in Temporal',
} as const satisfies Record<Door, string>;

export const toldByWords = {
  push: 'a notification',
  temporal: 'Temporal',
  shutdown: 'the shutdown of its process',
  pause: 'a pause in Temporal',
  deadline: 'its deadline',
  begin: 'the refusal to begin',
} as const satisfies Record<ToldBy, string>;

export const gaveUpWords = {
  retry_budget: 'given up: it was tried for as long as planned',
  key_window: 'given up: the mail service no longer tells repeats apart',
  cannot_be_prepared: 'given up: it cannot be prepared',
  already_mailed: 'given up: the report that this one supersedes may have mailed it already',
} as const satisfies Record<GaveUpBecause, string>;

export const alertWords = {
  accepted_after_refusal: 'it was accepted after it had been refused',
  found_twice: 'it was found more than once',
} as const satisfies Record<EmailAlert, string>;

export const failureWords = {
  source_not_found: 'A folder of documents does not exist.',
  source_unreadable: 'A folder of documents cannot be read.',
  no_documents: 'There is no document to summarise.',
  too_many_documents: 'There are too many documents.',
  model_refused: 'The model refused.',
  model_unreachable: 'The model could not be reached.',
  model_incomplete: "The model's answer was cut short.",
  model_empty: 'The model answered nothing.',
  took_too_long: 'A step took too long.',
  workflow_refused: 'Temporal refused to start the run.',
  workflow_lost: 'The run has vanished from Temporal.',
  invalid_input: 'The input was not right.',
  internal: 'Something went wrong that should not have.',
} as const satisfies Record<FailureReason, string>;

export const entryWords = {
  registered: 'report registered',
  operation_begun: 'operation begun',
  operation_ended: 'operation ended',
  operation_lost: 'operation lost',
  step_failed: 'step failed',
  workflow_lost: 'workflow lost',
  cancel_accepted: 'cancel accepted',
  saved: 'report saved',
  email_claimed: 'email about to be sent',
  attempt_ended: 'attempt to send ended',
  claim_lost: 'attempt to send lost',
  evidence: 'evidence of an email found',
  gave_up: 'email given up',
  concluded: 'report ended',
  document_deleted: 'saved report deleted',
  correction_ordered: 'correction ordered',
  resend_authorised: 'resend authorised',
  superseded: 'superseded',
} as const satisfies Record<Entry['kind'], string>;

/** A step by its name in the record: `collect`, `summarise/3`, `combine`. */
export function stepWords(name: string): string {
  if (name === 'collect') return 'Collecting the documents';
  if (name === 'combine') return 'Summarising the summaries';
  return name.replace(/^summarise\//, 'Summarising document ');
}

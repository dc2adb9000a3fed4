import type { Context } from 'hono';
import type { Refusal } from '../../workflows/contract/command.ts';
import type { InputProblem } from '../../workflows/contract/input.ts';

interface Kind {
  readonly status: 400 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 500 | 503;
  readonly title: string;
}

/** What the store refuses, as callers over HTTP are told it. */
const refusals = {
  unknown_report: { status: 404, title: 'There is no such report' },
  different_input: { status: 409, title: 'This Idempotency-Key was used with other input' },
  cancelled: { status: 409, title: 'The report is cancelled' },
  ended: { status: 409, title: 'The report has ended' },
  not_ended: { status: 409, title: 'The report has not ended: cancel it first' },
  failing: { status: 409, title: 'The report is failing' },
  already_done: { status: 409, title: 'The step is done already' },
  already_saved: { status: 409, title: 'The report is saved already' },
  not_its_turn: { status: 409, title: "It is not the step's turn" },
  not_latest: { status: 409, title: 'A later execution has begun' },
  not_open: { status: 409, title: 'The operation is not open' },
  not_due: { status: 409, title: 'Nothing is due' },
  still_open: { status: 409, title: 'Something of the report is still open' },
  no_document: { status: 409, title: 'No report was saved' },
  document_deleted: { status: 409, title: 'The saved report was deleted' },
  unknown_operation: { status: 404, title: 'There is no such operation' },
  unknown_email: { status: 404, title: 'There is no such email' },
  unknown_attempt: { status: 404, title: 'There is no such attempt' },
  not_authorised: { status: 409, title: 'Nobody has authorised this send' },
  email_sending: { status: 409, title: 'The email is being sent' },
  email_accepted: { status: 409, title: 'The mail service has accepted the email' },
  email_refused: { status: 409, title: 'The mail service has refused the email for good' },
  email_unconfirmed: { status: 409, title: "The email's outcome is unconfirmed" },
  email_given_up: { status: 409, title: 'The email was given up' },
  not_owed: { status: 409, title: 'The email is not owed' },
  different_message: { status: 409, title: 'The email was made of other bytes' },
  already_mailed: { status: 409, title: 'The recipient may have this email already' },
  nobody_to_correct: { status: 409, title: 'Nobody has the email that would be corrected' },
  risk_not_accepted: { status: 409, title: 'The risk of a second email was not accepted' },
  already_superseded: { status: 409, title: 'Another report supersedes this one already' },
  request_reused: { status: 409, title: 'This Idempotency-Key was used for another request' },
} as const satisfies Record<Refusal, Kind>;

/** Every kind of problem: its name is the `type`, and its title never varies. */
const kinds = {
  ...refusals,
  malformed_body: { status: 400, title: 'The body is not JSON' },
  invalid_input: { status: 400, title: 'The input is not right' },
  malformed_request: { status: 400, title: 'The request is not HTTP as it should be' },
  foreign_origin: { status: 403, title: 'Another site may not ask for this' },
  not_found: { status: 404, title: 'There is nothing here' },
  not_saved: { status: 404, title: 'There is no saved report' },
  deleted: { status: 410, title: 'The saved report is not there any more' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  nothing_to_supersede: { status: 409, title: 'There is no report to supersede' },
  body_too_large: { status: 413, title: 'The body is too large' },
  wrong_content_type: { status: 415, title: 'The body has to be application/json' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The database cannot be reached' },
} as const satisfies Record<string, Kind>;

export type ProblemKind = keyof typeof kinds;

/** A problem document (RFC 9457). */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: Kind['status'];
  readonly detail: string;
  readonly errors: readonly InputProblem[];
}

/** Why a request is not done: thrown wherever that turns out, answered in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly document: ProblemDocument;

  constructor(kind: ProblemKind, detail: string, errors: readonly InputProblem[] = []) {
    super(detail);
    this.document = problemDocument(kind, detail, errors);
  }
}

/** More would only repeat what a caller has understood by then. */
const namedErrors = 100;

export function problemDocument(kind: ProblemKind, detail: string, errors: readonly InputProblem[] = []): ProblemDocument {
  const { status, title } = kinds[kind];
  return { type: `urn:standdown:problem:${kind.replaceAll('_', '-')}`, title, status, detail, errors: errors.slice(0, namedErrors) };
}

export function invalidInput(errors: readonly InputProblem[]): Problem {
  const named = errors.map(({ field, says }) => (field === '' ? `The body ${says}` : `${field} ${says}`));
  const more = named.length > 1 ? ` (and ${named.length - 1} more)` : '';
  return new Problem('invalid_input', `${named[0] ?? 'Something'}${more}. Nothing was recorded.`, errors);
}

export function unknownReport(id: string): Problem {
  return new Problem('unknown_report', `No report has the id ${printable(id)}.`);
}

function printable(id: string): string {
  return id.replace(/[^\x20-\x7e]/g, '?').slice(0, 128);
}

export function answerProblem(c: Context, document: ProblemDocument): Response {
  c.header('Content-Type', 'application/problem+json');
  if (document.status === 503) c.header('Retry-After', '5');
  return c.body(JSON.stringify(document), document.status);
}

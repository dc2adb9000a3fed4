import type { AuthoriseResend, DeleteDocument, OrderCorrection, Refusal, Supersede } from './command.ts';
import { findEmail } from './decide-email.ts';
import { accept, refuse, repeat, type Decision } from './decision.ts';
import { emailId, emailState } from './email.ts';
import type { Event } from './entry.ts';
import type { Email, State } from './state.ts';
import { isEnd } from './vocabulary.ts';

type ActionAfterEnd = DeleteDocument | OrderCorrection | AuthoriseResend | Supersede;

/** Decides on what a person may do with a report that has ended; none of it is a step of the report. */
export function decideAfterEnd(state: State, command: ActionAfterEnd): Decision {
  if (command.kind !== 'supersede') {
    const earlier = Object.hasOwn(state.requests, command.request) ? state.requests[command.request] : undefined;
    if (earlier !== undefined) return earlier === writes[command.kind] ? repeat() : refuse('request_reused');
  }
  if (!isEnd(state.report.phase)) return refuse('not_ended');
  switch (command.kind) {
    case 'delete_document':
      return decideDelete(state, command);
    case 'order_correction':
      return decideCorrection(state, command);
    case 'authorise_resend':
      return decideResend(state, command);
    case 'supersede':
      return decideSupersede(state, command);
  }
}

const writes = {
  delete_document: 'document_deleted',
  order_correction: 'correction_ordered',
  authorise_resend: 'resend_authorised',
} as const satisfies Record<Exclude<ActionAfterEnd['kind'], 'supersede'>, Event['kind']>;

function decideDelete(state: State, command: DeleteDocument): Decision {
  if (state.report.document.state === 'deleted') return repeat();
  if (state.report.document.state === 'not_saved') return refuse('no_document');
  return accept([{ kind: 'document_deleted', request: command.request }]);
}

/** A correction goes to everybody who has, or may have, the email of the report. */
function decideCorrection(state: State, command: OrderCorrection): Decision {
  if (state.report.emails.sending > 0) return refuse('email_sending');
  const correction = state.report.corrections + 1;
  const emails = mailed(state).map((number) => emailId(number, correction));
  if (emails.length === 0) return refuse('nobody_to_correct');
  return accept([{ kind: 'correction_ordered', request: command.request, correction, emails }]);
}

function mailed(state: State): number[] {
  const numbers = Array.from({ length: state.report.recipients }, (_, index) => index + 1);
  return numbers.filter((number) => {
    const fold = emailState(state.emails[emailId(number)]?.attempts ?? []);
    return fold === 'accepted' || fold === 'unconfirmed';
  });
}

function decideResend(state: State, command: AuthoriseResend): Decision {
  const email = findEmail(state, command.email);
  if (email === null) return refuse('unknown_email');
  const refusal = refusalToResend(state, email, command.acceptDuplicateRisk);
  if (refusal !== null) return refuse(refusal);
  const { request, acceptDuplicateRisk: acceptedDuplicateRisk } = command;
  return accept([{ kind: 'resend_authorised', request, email: email.id, resend: email.resends + 1, acceptedDuplicateRisk }]);
}

function refusalToResend(state: State, email: Email, acceptDuplicateRisk: boolean): Refusal | null {
  if (state.report.phase === 'cancelled') return 'cancelled';
  if (state.report.supersededBy !== null) return 'already_superseded';
  if (state.report.document.state === 'deleted') return 'document_deleted';
  if (state.report.document.state === 'not_saved') return 'no_document';
  switch (emailState(email.attempts)) {
    case 'accepted':
      return 'email_accepted';
    case 'sending':
      return 'email_sending';
    case 'unconfirmed':
      return acceptDuplicateRisk ? null : 'risk_not_accepted';
    case 'refused':
    case 'not_started':
      return null;
  }
}

function decideSupersede(state: State, command: Supersede): Decision {
  if (state.report.supersededBy === command.by) return repeat();
  if (state.report.supersededBy !== null) return refuse('already_superseded');
  return accept([{ kind: 'superseded', by: command.by }]);
}

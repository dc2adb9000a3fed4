import type { Email } from '../workflows/contract/state.ts';
import { emailState } from '../workflows/contract/email.ts';
import { Context } from '@temporalio/activity';
import type { Dependencies } from './dependencies.ts';
import type { MailLookup } from './mail/mail.ts';

export interface Looked {
  /** Emails whose outcome nobody has confirmed yet. */
  readonly unconfirmed: number;
  /** Whether there is a place to look at all. */
  readonly canLook: boolean;
}

/**
 * Looks, by reading only, for emails whose outcome is unknown, and records what is found as evidence. What is not found
 * proves nothing and is not recorded. Idempotent.
 */
export function lookForEmails(dependencies: Dependencies) {
  return async (reportId: string): Promise<Looked> => {
    const { store, mail } = dependencies;
    const doubtful = (await store.contents.unconfirmed(reportId)).filter(({ email }) => emailState(email.attempts) === 'unconfirmed');
    if (mail.lookup === null) return { unconfirmed: doubtful.length, canLook: false };
    let unconfirmed = 0;
    for (const { email } of doubtful) {
      if (!(await look(dependencies, mail.lookup, reportId, email))) unconfirmed += 1;
    }
    return { unconfirmed, canLook: true };
  };
}

async function look({ store }: Dependencies, lookup: MailLookup, reportId: string, email: Email): Promise<boolean> {
  const attempts = email.attempts.filter(({ outcome }) => outcome === 'unknown' || outcome === 'lost');
  for (const { id, messageId } of attempts) {
    const found = await lookup.find(messageId, Context.current().cancellationSignal);
    if (found.kind !== 'found') continue;
    await store.decisions.findEvidence(reportId, { email: email.id, attempt: id, source: lookup.name, copies: found.copies });
    return true;
  }
  return false;
}

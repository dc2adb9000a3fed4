import type { MailLookup } from './mail.ts';
import { addressUnder, bareMessageId, fetchJson, listAt, resultOf, valueAt } from './mailbox.ts';
import type { MailboxOptions } from './mailbox.ts';

/** Looks into a MailDev inbox. Its filter finds parts of an id as well, in any case, so the exact id is compared here. */
export function createMaildevLookup({ url, timeoutMs = 5000 }: MailboxOptions): MailLookup {
  return {
    name: 'maildev',
    find: (messageId, signal) => resultOf(() => copiesOf(url, `<${bareMessageId(messageId)}>`, timeoutMs, signal)),
  };
}

async function copiesOf(url: string, messageId: string, timeoutMs: number, signal: AbortSignal): Promise<number> {
  const address = addressUnder(url, 'api/email');
  address.searchParams.set('headers.message-id', messageId);
  const emails = listAt(await fetchJson(address, timeoutMs, signal));
  return emails.filter((email) => valueAt(email, 'headers', 'message-id') === messageId).length;
}

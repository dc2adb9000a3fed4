import type { MailLookup } from './mail.ts';
import { addressUnder, bareMessageId, fetchJson, listAt, resultOf, valueAt } from './mailbox.ts';
import type { MailboxOptions } from './mailbox.ts';

const PAGE = 200;
/** Of hits that only contain the id. Past these the answer is no answer. */
const MAX_PAGES = 20;

/** Looks into a Mailpit inbox. Its search finds parts of an id as well (`…-1` in `…-10`), so the exact id is compared here. */
export function createMailpitLookup({ url, timeoutMs = 5000 }: MailboxOptions): MailLookup {
  return {
    name: 'mailpit',
    find: (messageId, signal) => resultOf(() => copiesOf(url, bareMessageId(messageId), timeoutMs, signal)),
  };
}

async function copiesOf(url: string, messageId: string, timeoutMs: number, signal: AbortSignal): Promise<number> {
  let copies = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const messages = listAt(await fetchJson(searchFor(url, messageId, page), timeoutMs, signal), 'messages');
    copies += messages.filter((message) => valueAt(message, 'MessageID') === messageId).length;
    if (messages.length < PAGE) return copies;
  }
  throw new Error('answered with too many hits');
}

function searchFor(url: string, messageId: string, page: number): URL {
  const address = addressUnder(url, 'api/v1/search');
  address.searchParams.set('query', `message-id:${messageId}`);
  address.searchParams.set('start', String(page * PAGE));
  address.searchParams.set('limit', String(PAGE));
  return address;
}

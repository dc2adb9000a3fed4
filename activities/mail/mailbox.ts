import type { LookupResult } from './mail.ts';

export interface MailboxOptions {
  /** Where the mailbox's pages are, with the path under which it lives. */
  readonly url: string;
  readonly timeoutMs?: number;
}

/** What a count of copies means; a look-up that failed in whatever way has no answer, which is an answer of its own. */
export async function resultOf(count: () => Promise<number>): Promise<LookupResult> {
  try {
    const copies = await count();
    return copies === 0 ? { kind: 'absent' } : { kind: 'found', copies };
  } catch {
    return { kind: 'unavailable' };
  }
}

export function addressUnder(url: string, path: string): URL {
  return new URL(path, url.endsWith('/') ? url : `${url}/`);
}

/**
 * The JSON that a mailbox answers with; a name and password in the address are sent as basic authentication.
 * Rejects for every fault: no answer in time, another status than 2xx, no JSON.
 */
export async function fetchJson(address: URL, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
  const { url, headers } = withoutCredentials(address);
  const response = await fetch(url, {
    headers: { ...headers, accept: 'application/json' },
    // A mailbox has no reason to send us elsewhere.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`answered ${response.status}`);
}

function withoutCredentials(address: URL): { url: URL; headers: Record<string, string> } {
  const url = new URL(address);
  if (url.username === '') return { url, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/** A value somewhere inside of JSON that nobody promised the shape of. */
export function valueAt(json: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined), json);
}

/** A list inside of JSON; rejects anything else, since no list is no answer. */
export function listAt(json: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = valueAt(json, ...keys);
  if (!Array.isArray(list)) throw new Error('answered without a list');
  return list;
}

export function bareMessageId(messageId: string): string {
  return messageId.replace(/^<(.*)>$/, '$1');
}

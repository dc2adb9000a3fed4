// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** @typedef {{ title?: string, detail?: string, errors?: { field: string, says: string }[] }} Problem */

const answerMs = 15_000;

/** @template {HTMLElement} Kind @param {string} id @param {new () => Kind} kind @returns {Kind} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id @param {string} text */
export function say(id, text) {
  element(id, HTMLElement).textContent = text;
}

/** Not `randomUUID`, which a page served without TLS does not have. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A JSON content type is one that no other site's form can send. @param {'POST' | 'DELETE'} method @param {string} path @param {string} key @param {object} [body] */
export function ask(method, path, key, body) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'X-Standdown-Door': 'page' };
  return fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: AbortSignal.timeout(answerMs) });
}

/** @param {Response} response @returns {Promise<Problem>} */
export async function problemOf(response) {
  return response.json().catch(() => ({ detail: `The server answered ${response.status}.` }));
}

/** Why the server refused: what is wrong with a field says itself what it is. @param {Problem} problem */
export function sayingOf({ title = 'The server refused', detail = '', errors = [] }) {
  return errors.length > 0 ? detail : `${title}. ${detail}`;
}

export const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Shows times of the record in the reader's own time zone, the UTC one on hovering. @param {ParentNode} root */
export function localise(root) {
  for (const time of root.querySelectorAll('time:not([data-age])')) {
    if (!(time instanceof HTMLTimeElement) || time.title !== '') continue;
    time.title = time.textContent;
    time.textContent = clock.format(new Date(time.dateTime));
  }
}

// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { ask, element, newKey, problemOf, say, sayingOf } from './page.js';

/** @typedef {{ method: 'DELETE' | 'POST', path: string, body?: object, done: string }} Request */

/** What each dialog asks for; a text where something is still missing. @type {Record<string, (opener: HTMLElement) => Request | string>} */
const requests = {
  delete: () => ({ method: 'DELETE', path: '/document', done: 'The saved report is deleted.' }),
  correct: () => {
    const message = element('message', HTMLTextAreaElement).value.trim();
    if (message === '') return 'Write what recipients are to know.';
    return { method: 'POST', path: '/corrections', body: { message }, done: 'The correction is ordered; its emails are listed below.' };
  },
  resend: ({ dataset }) => {
    const acceptDuplicateRisk = element('accept-risk', HTMLInputElement).checked;
    if (dataset['risk'] && !acceptDuplicateRisk) return 'Tick the box to have it sent all the same.';
    return { method: 'POST', path: `/emails/${dataset['email']}/resend`, body: { acceptDuplicateRisk }, done: 'The send is ordered; its attempt will be listed below.' };
  },
};

/** The dialogs of what is possible after the end, opened by buttons that come and go. @param {string} id @param {() => Promise<void>} refresh */
export function offerAfterEnd(id, refresh) {
  /** One that got no answer is sent again under the same key. @type {Map<string, string>} */
  const keys = new Map();
  /** @type {HTMLElement | null} */
  let opener = null;
  let isSending = false;

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const opens = target.closest('[data-opens]');
    if (opens instanceof HTMLElement) open(opens);
    const closes = target.closest('[data-closes]');
    if (closes instanceof HTMLElement) dialogOf(closes.dataset['closes'] ?? '').close();
  });
  for (const [name, requestOf] of Object.entries(requests)) {
    element(`${name}-form`, HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      if (!isSending && opener !== null) void send(name, requestOf(opener));
    });
  }

  /** @param {HTMLElement} button */
  function open(button) {
    opener = button;
    const name = button.dataset['opens'] ?? '';
    say(`${name}-says`, button.dataset['says'] ?? '');
    say(`${name}-problem`, '');
    element('accept-risk', HTMLInputElement).checked = false;
    element('risk', HTMLElement).hidden = !button.dataset['risk'];
    dialogOf(name).showModal();
  }

  /** @param {string} name @param {Request | string} request */
  async function send(name, request) {
    if (typeof request === 'string') return say(`${name}-problem`, request);
    const { method, path, body, done } = request;
    const what = JSON.stringify([method, path, body]);
    const key = keys.get(what) ?? newKey();
    keys.set(what, key);
    isSending = true;
    say(`${name}-problem`, 'Sending…');
    const response = await ask(method, `/api/reports/${id}${path}`, key, body).catch(() => null);
    isSending = false;
    if (response === null || response.status === 503) return say(`${name}-problem`, 'No answer came. Send it again: it is done once at most.');
    keys.delete(what);
    if (!response.ok) return say(`${name}-problem`, sayingOf(await problemOf(response)));
    element(`${name}-form`, HTMLFormElement).reset();
    dialogOf(name).close();
    say('done', done);
    await refresh();
    element('done', HTMLElement).focus();
  }
}

/** @param {string} name */
function dialogOf(name) {
  return element(`${name}-dialog`, HTMLDialogElement);
}

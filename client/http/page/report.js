// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { offerAfterEnd } from './after-end.js';
import { ask, clock, element, localise, newKey, problemOf, say, sayingOf } from './page.js';

const again = { cancelMs: 2000, connectMs: 3000, lookMs: 30_000 };
const answerMs = 15_000;
let serverIsAheadMs = 0;

/** @param {number} ms */
function duration(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function keepAgesGoing() {
  const now = Date.now() + serverIsAheadMs;
  for (const time of document.querySelectorAll('time[data-age]')) {
    if (time instanceof HTMLTimeElement) time.textContent = duration(Math.abs(now - Date.parse(time.dateTime)));
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param {string} id */
function followReport(id) {
  const connection = element('connection', HTMLElement);
  /** What the server last sent of each section: what is shown differs from it, by local times. @type {Map<string, string>} */
  const sent = new Map();
  const look = { isBusy: false, isWanted: false };
  let seenAt = new Date();
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;

  /** @param {Document} page */
  function show(page) {
    for (const section of page.querySelectorAll('[data-live]')) {
      const shown = document.getElementById(section.id);
      if (shown === null || sent.get(section.id) === section.outerHTML) continue;
      sent.set(section.id, section.outerHTML);
      if (page === document) continue;
      const focused = shown.contains(document.activeElement) ? document.activeElement?.id : undefined;
      shown.className = section.className;
      shown.replaceChildren(...document.importNode(section, true).childNodes);
      if (focused) document.getElementById(focused)?.focus();
    }
    serverIsAheadMs = Date.parse(page.querySelector('main')?.dataset['now'] ?? '') - Date.now();
    document.title = page.title;
    localise(document);
    keepAgesGoing();
    seenAt = new Date();
  }

  /** @param {'live' | 'lost' | 'paused'} state @param {string} text */
  function tell(state, text) {
    if (connection.dataset['state'] === state && state === 'lost') return;
    connection.dataset['state'] = state;
    connection.textContent = text;
  }

  function lose() {
    tell('lost', `Not connected: this is as of ${clock.format(seenAt)}. Trying again…`);
    if (source?.readyState === EventSource.CONNECTING) return;
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(connect, again.connectMs);
  }

  /** Fetches this very page and shows what has changed in it, so that all of it is made in one place: on the server. */
  async function refresh() {
    look.isWanted = true;
    if (look.isBusy) return;
    look.isBusy = true;
    try {
      while (look.isWanted) {
        look.isWanted = false;
        const response = await fetch(`/reports/${id}`, { headers: { Accept: 'text/html' }, cache: 'no-store', signal: AbortSignal.timeout(answerMs) });
        if (!response.ok) throw new Error(`the page cannot be had: ${response.status}`);
        show(new DOMParser().parseFromString(await response.text(), 'text/html'));
      }
      if (source?.readyState === EventSource.OPEN) tell('live', 'Live');
    } catch {
      source?.close();
      lose();
    } finally {
      look.isBusy = false;
    }
  }

  function connect() {
    source?.close();
    clearTimeout(timer);
    if (document.hidden) return;
    source = new EventSource(`/api/reports/${id}/events`);
    source.addEventListener('open', () => void refresh());
    source.addEventListener('status', () => void refresh());
    source.addEventListener('error', lose);
  }

  function disconnect() {
    source?.close();
    clearTimeout(timer);
    tell('paused', 'Paused');
  }

  show(document);
  connect();
  // A browser keeps few connections to one server: a page that nobody looks at leaves its own to the others.
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
  window.addEventListener('pageshow', (event) => event.persisted && connect());
  window.addEventListener('offline', lose);
  setInterval(keepAgesGoing, 1000);
  // A connection that died silently shows no error: what is called live has been seen to be.
  setInterval(() => document.hidden || refresh(), again.lookMs);
  offerCancel(id, refresh);
  offerAfterEnd(id, refresh);
}

/** @param {string} id @param {() => Promise<void>} refresh */
function offerCancel(id, refresh) {
  const dialog = element('cancel-dialog', HTMLDialogElement);
  const key = newKey();
  let isSending = false;

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('#cancel-button') === null) return;
    say('cancel-problem', '');
    dialog.showModal();
  });
  // What a cancel would come to changes while somebody thinks it over.
  new MutationObserver(() => {
    const would = document.getElementById('cancel-would')?.textContent ?? null;
    if (would === null) dialog.close();
    else say('cancel-says', would);
  }).observe(element('cancel', HTMLElement), { childList: true });
  element('keep-button', HTMLButtonElement).addEventListener('click', () => dialog.close());
  element('cancel-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isSending) void send();
  });

  /** Repeats the cancel until it is answered: everybody who asks gets the one receipt. */
  async function send() {
    isSending = true;
    const reason = element('reason', HTMLInputElement).value.trim();
    say('cancel-problem', 'Sending…');
    while (dialog.open) {
      const response = await ask('POST', `/api/reports/${id}/cancel`, key, reason === '' ? {} : { reason }).catch(() => null);
      if (response?.ok) {
        dialog.close();
        await refresh();
      } else if (response !== null && response.status !== 503) {
        say('cancel-problem', sayingOf(await problemOf(response)));
        break;
      } else {
        say('cancel-problem', 'Not delivered yet: the server cannot be reached. Trying again…');
        await pause(again.cancelMs);
      }
    }
    isSending = false;
  }
}

const report = document.querySelector('main')?.dataset['report'];
if (report !== undefined) followReport(report);

// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { ask, element, localise, newKey, problemOf, say, sayingOf } from './page.js';

/** @typedef {{ key: string, started: string | null, fields: Record<string, string> }} Draft */
/** @typedef {import('./page.js').Problem} Problem */

const fieldNames = ['month', 'path', 'recipients', 'title', 'supersedes', 'acceptDuplicateRisk'].filter((name) => document.getElementById(name) !== null);
const draftName = ['standdown-start', ...fieldNames.filter((name) => name === 'supersedes').map(read)].join('/');

/** @param {string} name */
function control(name) {
  const found = document.getElementById(name);
  if (found instanceof HTMLTextAreaElement || found instanceof HTMLInputElement) return found;
  throw new Error(`the form has no ${name}`);
}

/** @param {string} name */
function read(name) {
  const found = control(name);
  return found.type === 'checkbox' && found instanceof HTMLInputElement ? String(found.checked) : found.value;
}

/** @param {string} name @param {string} value */
function fill(name, value) {
  const found = control(name);
  if (found.type === 'checkbox' && found instanceof HTMLInputElement) found.checked = value === 'true';
  else found.value = value;
}

function readFields() {
  return Object.fromEntries(fieldNames.map((name) => [name, read(name)]));
}

/** @returns {Draft | null} */
function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(draftName) ?? 'null');
  } catch {
    return null; // No storage, no draft: the form begins with the key that the server made.
  }
}

/** @param {Draft} draft */
function keepDraft(draft) {
  try {
    sessionStorage.setItem(draftName, JSON.stringify(draft));
  } catch {
    // Without storage, a reload begins a new form, under a key of its own that it shows.
  }
}

/** The key and the fields outlive a reload, so that sending them once more starts no second report. */
function offerStart() {
  const shownKey = element('key', HTMLOutputElement);
  /** @type {Draft} */
  const draft = readDraft() ?? { key: shownKey.value, started: null, fields: { ...readFields(), month: read('month') || lastMonth() } };
  for (const [name, value] of Object.entries(draft.fields)) fill(name, value);
  shownKey.value = draft.key;

  const collect = () => {
    draft.fields = readFields();
    keepDraft(draft);
  };
  const renew = () => {
    Object.assign(draft, { key: newKey(), started: null });
    shownKey.value = draft.key;
    showProblem({});
    keepDraft(draft);
  };
  const form = element('start-form', HTMLFormElement);
  form.addEventListener('input', () => {
    // After a start, other input is another report.
    if (draft.started !== null) renew();
    collect();
  });
  element('new-key', HTMLButtonElement).addEventListener('click', renew);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    collect();
    void start(draft);
  });
}

/** @param {Draft} draft */
async function start(draft) {
  showProblem({ detail: 'Sending…' });
  const response = await ask('POST', '/api/reports', draft.key, bodyOf(draft.fields)).catch(() => null);
  if (response === null) return showProblem({ detail: 'The server could not be reached. Send it again: under this key it starts one report at most.' });
  if (!response.ok) {
    const problem = await problemOf(response);
    return showProblem({ ...problem, detail: sayingOf(problem) });
  }
  const { id } = await response.json();
  draft.started = id;
  keepDraft(draft);
  location.assign(`/reports/${id}`);
}

/** @param {Record<string, string>} fields */
function bodyOf({ month = '', path = '', recipients = '', title = '', supersedes = '', acceptDuplicateRisk }) {
  const sources = linesOf(path).map((line) => ({ kind: 'folder', path: line }));
  const wanted = { month, sources, recipients: linesOf(recipients), title: title.trim() === '' ? null : title.trim() };
  return supersedes === '' ? wanted : { ...wanted, supersedes, acceptDuplicateRisk: acceptDuplicateRisk === 'true' };
}

/** @param {string} text */
function linesOf(text) {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/** Each field at fault says so itself; what belongs to none is said below them. @param {Problem} problem */
function showProblem({ detail = '', errors = [] }) {
  for (const name of fieldNames) {
    const own = errors.filter(({ field }) => fieldOf(field) === name).map(({ field, says }) => `${placeOf(field)}${says}`);
    control(name).setAttribute('aria-invalid', String(own.length > 0));
    say(`${name}-problem`, own.join('; '));
  }
  const first = errors.map(({ field }) => fieldOf(field)).find((name) => fieldNames.includes(name));
  say('start-problem', first ? 'Nothing was started: see the fields above.' : detail);
  if (first) control(first).focus();
}

/** @param {string} field */
function fieldOf(field) {
  const name = field.replace(/[[.].*/, '');
  return name === 'sources' ? 'path' : name;
}

/** @param {string} field */
function placeOf(field) {
  const number = /^(?:recipients|sources)\[(\d+)\]/.exec(field)?.[1];
  return number === undefined || control(fieldOf(field)) instanceof HTMLInputElement ? '' : `line ${Number(number) + 1} `;
}

function lastMonth() {
  const now = new Date();
  const last = new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1));
  return last.toISOString().slice(0, 7);
}

localise(document);
offerStart();

import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning, startOf } from './process-start.js';

/**
 * Who holds a lock. `started` tells a process from a later one with the same pid.
 * @typedef {{ pid: number, started: string, host: string, note: string }} Holder
 */

const REFRESH_MS = 5_000;
const SILENT_MS = 20_000;
const TAKEOVER_MS = 10_000;

/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => error instanceof Error && 'code' in error && error.code === code;

/** @param {string} file @param {string} content */
function createFile(file, content) {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** @param {string} file @returns {Holder | null} */
function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // Gone, or not written to its end yet.
  }
}

/** @param {string} file @param {number} ms */
function isOlderThan(file, ms) {
  try {
    return Date.now() - statSync(file).mtimeMs > ms;
  } catch {
    return true; // Gone.
  }
}

/**
 * Whether the holder is dead. A pid says nothing about a process of another host or container that
 * shares the folder; there the lock file's time, which a living holder refreshes, decides.
 * @param {string} file @param {Holder | null} holder
 */
function isAbandoned(file, holder) {
  if (holder === null || holder.host !== hostname()) return isOlderThan(file, SILENT_MS);
  return !isRunning(holder.pid) || startOf(holder.pid) !== holder.started;
}

/** Removes an abandoned lock; only one process at a time may, or it would remove its successor's. @param {string} file */
function removeAbandoned(file) {
  const guard = `${file}.takeover`;
  if (isOlderThan(guard, TAKEOVER_MS)) rmSync(guard, { force: true });
  if (!createFile(guard, String(process.pid))) return;
  try {
    if (isAbandoned(file, readHolder(file))) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/**
 * Takes a lock file, also from a holder that died; answers the living holder where there is one.
 * @param {string} file
 * @param {string} [note] what others should learn about the holder
 * @returns {{ taken: true, tell: (note: string) => void, release: () => void } | { taken: false, holder: Holder | null }}
 */
export function takeLock(file, note = '') {
  const own = { pid: process.pid, started: startOf(process.pid), host: hostname(), note };
  if (isAbandoned(file, readHolder(file))) removeAbandoned(file);
  if (!createFile(file, JSON.stringify(own))) return { taken: false, holder: readHolder(file) };
  const refresh = setInterval(() => utimesSync(file, new Date(), new Date()), REFRESH_MS);
  refresh.unref();
  return {
    taken: true,
    tell: (text) => writeFileSync(file, JSON.stringify({ ...own, note: text })),
    release: () => {
      clearInterval(refresh);
      rmSync(file, { force: true });
    },
  };
}

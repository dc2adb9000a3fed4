import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, say } from './command.js';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} Packages
 */

/** Whether an optional package names this very platform; one that names none, or a C library, may rightly be absent. @param {LockedPackage} entry */
function isForThisPlatform({ os, cpu, libc }) {
  return libc === undefined && (os?.includes(process.platform) ?? false) && (cpu?.includes(process.arch) ?? false);
}

/** @param {LockedPackage} entry @param {boolean} withDev */
function mayBeAbsent(entry, withDev) {
  if (!withDev && (entry.dev || entry.devOptional)) return true;
  return entry.optional === true && !isForThisPlatform(entry);
}

/**
 * Whether the installed packages are those of the lockfile.
 * @param {Packages} locked @param {Packages} installed @param {boolean} withDev whether the development tools count
 */
export function isInstalled(locked, installed, withDev) {
  const names = Object.keys(locked).filter((name) => name !== '');
  if (Object.keys(installed).some((name) => !(name in locked))) return false;
  return names.every((name) => {
    const [wanted, found] = [locked[name] ?? {}, installed[name]];
    if (!found) return mayBeAbsent(wanted, withDev);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** @param {string} file @returns {Packages | null} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null; // Absent before the first installation and after one that was interrupted.
  }
}

/** Whether `node_modules` is what the lockfile says. @param {string} root @param {boolean} withDev */
export function hasPackages(root, withDev) {
  const locked = readPackages(join(root, 'package-lock.json'));
  if (locked === null) throw new Error('package-lock.json cannot be read');
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  return installed !== null && isInstalled(locked, installed, withDev);
}

/**
 * Installs the packages of the lockfile, with the Node that will run them: another would warn about every engine.
 * @param {string} root @param {string} node @param {string} npm @param {boolean} withDev
 */
export async function installPackages(root, node, npm, withDev) {
  say('installing the packages of package-lock.json (npm ci)');
  const include = withDev ? ['--include=optional', '--include=dev'] : ['--include=optional'];
  const status = await runCommand(node, [npm, 'ci', ...include, '--loglevel=error'], { cwd: root });
  if (status !== 0) throw new Error(`npm ci failed${status === null ? ' to start' : ` (exit status ${status})`}; its own message is above`);
}

import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from '../lock.js';
import { say } from './command.js';
import { findNode, findNpm, installNode } from './node.js';
import { hasPackages, installPackages } from './packages.js';
import { runProgram } from './run-program.js';
import { findBinary, installBinary, variableOf } from './temporal-binaries.js';

/**
 * @typedef {import('./temporal-binaries.js').BinaryName} BinaryName
 * @typedef {{ dev: boolean, binaries: BinaryName[], existingServer: boolean }} Needs
 */

const SET_UP_IMPOSSIBLE = 4;
const LOCK_CHECK_MS = 250;
const EXISTING_SERVER = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'];
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a program needs beyond Node and its packages. @type {Record<string, Needs>} */
const NEEDS = {
  'stack/main.ts': { dev: false, binaries: ['temporal'], existingServer: true },
  'stack/check.ts': { dev: true, binaries: [], existingServer: false },
  'test/run.ts': { dev: true, binaries: ['temporal', 'temporal-test-server'], existingServer: false },
  'bench/main.ts': { dev: true, binaries: ['temporal'], existingServer: false },
};
const NO_NEEDS = { dev: false, binaries: [], existingServer: false };

/** @param {Needs} needs @param {NodeJS.ProcessEnv} env */
function neededBinaries({ binaries, existingServer }, env) {
  return existingServer && EXISTING_SERVER.some((name) => env[name]) ? [] : binaries;
}

/** Gathers what is there; null where something is missing. @param {Needs} needs @param {NodeJS.ProcessEnv} env */
function find(needs, env) {
  const node = findNode(root);
  if (node === null || !hasPackages(root, needs.dev)) return null;
  /** @type {Record<string, string>} */
  const variables = {};
  for (const name of neededBinaries(needs, env)) {
    const path = findBinary(root, name, env);
    if (path === null) return null;
    variables[variableOf(name)] = path;
  }
  return { node, variables };
}

/** @param {Needs} needs @param {NodeJS.ProcessEnv} env */
async function install(needs, env) {
  const node = findNode(root) ?? (await installNode(root, findNpm(env)));
  if (!hasPackages(root, needs.dev)) await installPackages(root, node, findNpm(env), needs.dev);
  for (const name of neededBinaries(needs, env)) {
    if (findBinary(root, name, env) === null) await installBinary(root, name, node);
  }
}

/** Takes the lock that lets one process at a time install. @param {string} file */
async function waitForLock(file) {
  let told = false;
  for (;;) {
    const lock = takeLock(file);
    if (lock.taken) return lock;
    if (!told) say(`waiting for process ${lock.holder?.pid ?? 'of another user'}, which is setting up`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, LOCK_CHECK_MS));
  }
}

/** Installs what is missing, once, however many programs start together. @param {Needs} needs @param {NodeJS.ProcessEnv} env */
async function setUp(needs, env) {
  const found = find(needs, env);
  if (found) return found;
  mkdirSync(join(root, '.tools'), { recursive: true });
  const lock = await waitForLock(join(root, '.tools', 'set-up.lock'));
  try {
    await install(needs, env);
  } finally {
    lock.release();
  }
  const installed = find(needs, env);
  if (!installed) throw new Error('npm ci ended well, but node_modules is not what package-lock.json says');
  return installed;
}

/** The environment of the program: where the binaries are, and its Node before any other. @param {NodeJS.ProcessEnv} env @param {{ node: string, variables: Record<string, string> }} found */
function environmentFor(env, { node, variables }) {
  const path = node === process.execPath ? env['PATH'] : [dirname(node), env['PATH']].join(delimiter);
  return { ...env, ...variables, PATH: path };
}

/**
 * Sets up and runs one program of the project, then leaves with its exit status; 4 where the set-up is impossible.
 * @param {string} program path below the project's root @param {string[]} args
 */
export async function setUpAndRun(program, args) {
  const { env } = process;
  try {
    const found = await setUp(NEEDS[program] ?? NO_NEEDS, env);
    process.exitCode = await runProgram(found.node, [join(root, program), ...args], environmentFor(env, found));
  } catch (error) {
    say(`set-up is impossible: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = SET_UP_IMPOSSIBLE;
  }
}

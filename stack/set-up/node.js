import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, say } from './command.js';

const NODE_VERSION = '24.21.0';
const PLATFORMS_WITH_PACKAGE = ['linux-x64', 'linux-arm64', 'win-x64'];

/** Whether a Node runs TypeScript as it is and is one that the test tools support. @param {string} version */
export function isGoodNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 18) || major === 24 || major >= 26;
}

/** @param {string} root */
function fetchedNode(root) {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, '.tools', `node-${NODE_VERSION}`);
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return { platform, folder, path: join(folder, 'node_modules', `node-${platform}`, 'bin', executable) };
}

/** The Node to run everything with, or null where one has to be fetched. @param {string} root */
export function findNode(root) {
  if (isGoodNode(process.versions.node)) return process.execPath;
  const { path } = fetchedNode(root);
  return existsSync(path) ? path : null;
}

/**
 * Fetches Node as the platform package that the npm package `node` wraps: the wrapper itself needs
 * an install script, which newer npm versions refuse to run.
 * @param {string} root @param {string} npm path of npm-cli.js
 */
export async function installNode(root, npm) {
  const { platform, folder, path } = fetchedNode(root);
  const wanted = `this is Node ${process.versions.node}; Standdown needs 22.18 or later, 24, or 26 or later`;
  if (!PLATFORMS_WITH_PACKAGE.includes(platform)) throw new Error(`${wanted}. Install Node 24: there is no package of it for ${platform}`);
  say(`fetching Node ${NODE_VERSION} into .tools (this is Node ${process.versions.node})`);
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const name = `node-${platform}@${NODE_VERSION}`;
  const status = await runCommand(process.execPath, [npm, 'install', '--prefix', folder, ...flags, name]);
  if (status !== 0) throw new Error(`${wanted}, and npm could not fetch ${name}`);
  if ((await runCommand(path, ['--version'], { silent: true })) !== 0) throw new Error(`${wanted}, and the Node of ${name} does not run here`);
  return path;
}

/** @param {string} path */
const asNpmCli = (path) => (/np[mx]-cli\.js$/.test(path) ? join(dirname(path), 'npm-cli.js') : null);

/** @param {string} path */
function resolved(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The npm that started us, or the one beside Node or on the PATH. Under npx, `npm_execpath` names npx.
 * @param {NodeJS.ProcessEnv} env
 */
export function findNpm(env) {
  const nodeFolder = dirname(process.execPath);
  const candidates = [
    asNpmCli(env['npm_execpath'] ?? ''),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...(env['PATH'] ?? '').split(delimiter).map((folder) => asNpmCli(resolved(join(folder, 'npm')))),
  ];
  const npm = candidates.find((path) => path !== null && existsSync(path));
  if (!npm) throw new Error('npm was not found; it comes with Node');
  return npm;
}

import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_CHECK_MS = 500;

/**
 * Runs the program with this terminal and answers its exit status.
 *
 * SIGINT is swallowed: a terminal sends it to the program too, and a second one would count as "stop at once".
 * When npm is killed it tells nobody, so a program that npm started is stopped when npm is gone.
 * @param {string} node @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runProgram(node, args, env) {
  const child = spawn(node, args, { stdio: 'inherit', env });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (env['npm_lifecycle_event'] === undefined || process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

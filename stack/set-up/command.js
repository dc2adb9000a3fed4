import { spawn } from 'node:child_process';

/** One line for the person who waits; standard output belongs to the program that is started. @param {string} text */
export function say(text) {
  process.stderr.write(`standdown: ${text}\n`);
}

/**
 * Runs a command with its output on standard error; resolves to its exit status, or null where it could not be started.
 * @param {string} command @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, silent?: boolean, timeoutMs?: number }} [options]
 * @returns {Promise<number | null>}
 */
export function runCommand(command, args, options = {}) {
  const output = options.silent ? 'ignore' : 2;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', output, output],
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    });
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a process started, in whatever form the system tells it, to know it from a later one with the same pid; empty where it does not tell, `ended` for one that only its parent has not noticed. @param {number} pid */
export function startOf(pid) {
  try {
    // The command's name, in brackets, may hold spaces: count fields after the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    // No /proc (macOS, Windows), or no such process: ask ps.
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return ''; // No ps either: the pid alone decides.
  }
}

/** Whether a process exists, be it another user's. @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

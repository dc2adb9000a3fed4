import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

const SETTLE_MS = 2_000;
const CHECK_MS = 50;
const LEAKS = ['ProcessWrap', 'TCPServerWrap'];

function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => LEAKS.includes(kind));
}

// Set-up file of every test file: a process or server that a test leaves behind would outlive the run unseen.
afterAll(async () => {
  const until = performance.now() + SETTLE_MS;
  while (openResources().length > 0 && performance.now() < until) await sleep(CHECK_MS);
  const left = openResources();
  if (left.length > 0) throw new Error(`these tests left open: ${left.join(', ')} (ProcessWrap is a child process, TCPServerWrap a server)`);
});

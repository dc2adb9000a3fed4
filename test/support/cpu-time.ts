/** How long the processor worked on something; unlike a clock, it does not count the wait for a busy machine. */
export function cpuMillisecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

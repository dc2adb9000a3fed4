const PAUSE_MS = 1_000;

/**
 * Watches for Ctrl-C and its like. One key press can arrive as several signals, so only one after a pause
 * counts as the second, which forces.
 */
export function watchInterrupts(onFirst: () => void, onSecond: () => void): void {
  let firstAt: number | null = null;
  const interrupted = () => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      onFirst();
    } else if (now - firstAt >= PAUSE_MS) {
      onSecond();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
}

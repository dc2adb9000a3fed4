/**
 * The explorer's clock: only what a decision can tell apart. Nothing happens by waiting; a deadline passes when the
 * explorer says so (it moves that deadline into the past), and the window of a key ends in the same way.
 */
export const times = {
  past: '2025-06-30T08:00:00.000Z',
  inside: '2025-07-01T08:00:00.000Z',
  lastReplay: '2025-07-02T08:00:00.000Z',
  outside: '2025-07-03T08:00:00.000Z',
  deadline: '2025-07-09T08:00:00.000Z',
  afterAllDeadlines: '2025-12-31T08:00:00.000Z',
} as const;

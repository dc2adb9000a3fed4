const LINES = 6;
const LONGEST = 400;

/** The end of a log, short enough for a terminal. */
export function lastLines(log: string): string {
  const lines = log.trim().split('\n').slice(-LINES);
  return lines.map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)).join('\n');
}

import { exits } from './exits.ts';
import type { CommandProblem } from './command-problem.ts';
import { jsonLine, printable } from './printable.ts';
import { problemLines } from './rendering.ts';

/** Where a command writes, as lines for people or as JSON for programs. */
export interface Output {
  /** An answer on standard output. */
  tell(value: object, lines: () => readonly string[]): void;
  /** Where something under way stands; on a terminal the next one replaces it. */
  progress(value: object, line: string): void;
  /** What is worth knowing and is no answer. */
  note(line: string): void;
  complain(problem: CommandProblem): void;
}

export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** One JSON value a line; errors are objects like RFC 9457's on standard error. */
export function forPrograms({ stdout, stderr }: Streams): Output {
  return {
    tell: (value) => stdout.write(`${jsonLine(value)}\n`),
    progress: (value) => stdout.write(`${jsonLine(value)}\n`),
    note: () => undefined,
    complain: ({ exit, message, fields }) => {
      stderr.write(`${jsonLine({ title: exits[exit].means, detail: message, errors: fields, exitStatus: exits[exit].status })}\n`);
    },
  };
}

const clearLine = '\r\u001B[2K';

export function forPeople({ stdout, stderr }: Streams): Output {
  let shown = '';
  const write = (stream: Stream, lines: readonly string[], after: string): void => {
    if (shown !== '' && stdout.isTTY === true) stdout.write(after);
    shown = '';
    stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
  };
  return {
    tell: (_value, lines) => write(stdout, lines(), clearLine),
    progress: (_value, line) => {
      if (line === shown) return;
      shown = line;
      const text = printable(line);
      stdout.write(stdout.isTTY === true ? `${clearLine}${text.slice(0, (stdout.columns ?? 80) - 1)}` : `${text}\n`);
    },
    note: (line) => write(stderr, [line], '\n'),
    complain: (problem) => write(stderr, problemLines(problem), '\n'),
  };
}

import { describe, expect, test } from 'vitest';
import { CommandProblem, wrongInput } from '../client/cli/command-problem.ts';
import { forPeople, forPrograms, type Output } from '../client/cli/output.ts';
import { jsonLine, printable } from '../client/cli/printable.ts';
import { serverSentEvents } from '../client/cli/server-sent-events.ts';

const clear = '\r\u001B[2K';

function written(stdout: { isTTY: boolean; columns?: number }, write: (output: Output) => void, make = forPeople): { stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' };
  write(
    make({
      stdout: { ...stdout, write: (text) => (texts.stdout += text) },
      stderr: { write: (text) => (texts.stderr += text) },
    }),
  );
  return texts;
}

describe('on a terminal', () => {
  test.each<[string, (output: Output) => void, string]>([
    ['each progress replaces the one before', (output) => ['Queued', 'Collecting'].forEach((line) => output.progress({}, line)), `${clear}Queued${clear}Collecting`],
    ['the same progress is written once', (output) => ['Queued', 'Queued'].forEach((line) => output.progress({}, line)), `${clear}Queued`],
    ['an answer takes the place of the progress', (output) => [output.progress({}, 'Saved'), output.tell({}, () => ['Finished'])], `${clear}Saved${clear}Finished\n`],
    ['a note leaves the progress where it is', (output) => [output.progress({}, 'Saved'), output.note('Stopped')], `${clear}Saved\n`],
    ['a progress that is too long is cut', (output) => output.progress({}, 'Summarising 3 of 4 documents'), `${clear}Summarising 3 of 4`],
    ['nothing from outside moves the cursor', (output) => output.progress({}, 'Saved\u001B[2J\r'), `${clear}Saved\uFFFD[2J\uFFFD`],
  ])('%s', (_, write, expected) => {
    expect(written({ isTTY: true, columns: 19 }, write).stdout).toBe(expected);
  });
});

test('elsewhere each progress is a line of its own', () => {
  const write = (output: Output): void => ['Queued', 'Queued', 'Collecting'].forEach((line) => output.progress({}, line));
  expect(written({ isTTY: false }, write).stdout).toBe('Queued\nCollecting\n');
});

test('a problem names its fields to people, and to programs as an object with the exit status', () => {
  const complain = (output: Output): void => output.complain(wrongInput([{ field: 'month', says: 'must be a month like 2025-07' }]));
  expect(written({ isTTY: false }, complain).stderr).toBe('The input is not right, and nothing was recorded.\n  month must be a month like 2025-07\n');
  expect(JSON.parse(written({ isTTY: false }, complain, forPrograms).stderr)).toEqual({
    title: 'wrong usage, wrong input or wrong settings',
    detail: 'The input is not right, and nothing was recorded.',
    errors: [{ field: 'month', says: 'must be a month like 2025-07' }],
    exitStatus: 2,
  });
});

test('a problem with words from outside is one line', () => {
  const complain = (output: Output): void => output.complain(new CommandProblem('failure', 'no\nreport'));
  expect(written({ isTTY: false }, complain).stderr).toBe('no\uFFFDreport\n');
});

test.each([
  ['an escape sequence', '\u001B[2J', '\uFFFD[2J', '"\\u001b[2J"'],
  ['a control character of eight bits', '\u009B2J', '\uFFFD2J', '"\\u009b2J"'],
  ['delete', '\u007F', '\uFFFD', '"\\u007f"'],
  ['line breaks', 'a\r\n\u2028\u2029b', 'a\uFFFD\uFFFD\uFFFD\uFFFDb', '"a\\r\\n\\u2028\\u2029b"'],
  ['a direction override', 'gnp\u202Edm', 'gnp\uFFFDdm', '"gnp\\u202edm"'],
  ['half a surrogate pair', '\uD83D', '\uFFFD', '"\\ud83d"'],
  ['what is harmless', 'Protokoll für Jürgen 👩‍🔬 "x"', 'Protokoll für Jürgen 👩‍🔬 "x"', '"Protokoll für Jürgen 👩‍🔬 \\"x\\""'],
])('%s is printed as what it is to read, never as what it does', (_, text, forReading, inJson) => {
  expect(printable(text)).toBe(forReading);
  expect(jsonLine(text)).toBe(inJson);
  expect(JSON.parse(jsonLine(text))).toBe(text);
});

test.each([
  ['whole', ['event: status\nid: 1\ndata: {"a":1}\n\n'], [{ name: 'status', data: '{"a":1}' }]],
  ['in pieces, also of one character', ['event: sta', 'tus\ndata: "Ã', '\u00A4"\n', '\n'], [{ name: 'status', data: '"ä"' }]],
  ['with comments between', [': still here\n\nevent: status\ndata: 1\n\n'], [null, { name: 'status', data: '1' }]],
  ['with other line ends', ['event: status\r\ndata: 1\r', '\n\r\n', 'data: 2\r\rdata'], [{ name: 'status', data: '1' }, { name: 'message', data: '2' }]],
  ['with data of several lines', ['data: 1\ndata:2\n\n'], [{ name: 'message', data: '1\n2' }]],
  ['cut off', ['event: status\ndata: 1\n'], []],
])('events are read %s', async (_, chunks, expected) => {
  expect(await eventsIn(chunks)).toEqual(expected);
});

/** Each character of a chunk stands for one byte. */
async function eventsIn(chunks: readonly string[]): Promise<unknown[]> {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield* chunks.map((chunk) => Buffer.from(chunk, 'latin1'));
  };
  const events: unknown[] = [];
  for await (const event of serverSentEvents(body())) events.push(event);
  return events;
}

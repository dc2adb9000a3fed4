import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { inputLimits, linesProblems, trimmedLines } from '../../workflows/contract/input.ts';
import { CommandProblem, wrongInput } from './command-problem.ts';

export interface MessageOptions {
  readonly message?: string;
  /** A file that holds it; `-` is standard input. */
  readonly messageFile?: string;
}

/** The words of a correction, from the command line, a file or standard input. */
export async function givenMessage({ message, messageFile }: MessageOptions): Promise<string> {
  if ((message === undefined) === (messageFile === undefined)) throw wrongInput([{ field: 'message', says: 'has to be given, with either --message or --message-file' }]);
  const words = message ?? (await read(messageFile ?? ''));
  const problems = linesProblems('message', words, inputLimits.text);
  if (problems.length > 0) throw wrongInput(problems);
  return trimmedLines(words);
}

async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CommandProblem('wrong', `The message cannot be read from ${file}.`, [], { cause });
  });
}

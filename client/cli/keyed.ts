import { randomUUID } from 'node:crypto';
import { CommandProblem } from './command-problem.ts';

/** Asks under the given key, else under a new one. What was asked may have been done although its answer was lost; the key, which is told then, makes it safe to repeat. */
export async function keyed<Answer>(given: string | undefined, ask: (key: string) => Promise<Answer>): Promise<Answer> {
  const key = given ?? randomUUID();
  return ask(key).catch((error: unknown) => {
    throw given === undefined ? repeatable(error, key) : error;
  });
}

function repeatable(error: unknown, key: string): unknown {
  if (!(error instanceof CommandProblem) || error.exit !== 'away') return error;
  return new CommandProblem('away', `${error.message} To try again without doing it twice, add --key ${key}`);
}

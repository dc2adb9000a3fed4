import type { InputProblem } from '../../workflows/contract/input.ts';
import type { Exit } from './exits.ts';

type ProblemExit = Extract<Exit, 'failure' | 'wrong' | 'away' | 'unknown' | 'refused'>;

/** Why a command did not do what it was asked to; told on standard error, and the reason for its exit status. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exit: ProblemExit;
  /** The fields at fault, where it is a matter of input. */
  readonly fields: readonly InputProblem[];

  constructor(exit: ProblemExit, message: string, fields: readonly InputProblem[] = [], options: ErrorOptions = {}) {
    super(message, options);
    this.exit = exit;
    this.fields = fields;
  }
}

export function wrongInput(fields: readonly InputProblem[]): CommandProblem {
  return new CommandProblem('wrong', 'The input is not right, and nothing was recorded.', fields);
}

/** Which emails there are, the status of their report tells. */
export function noSuchEmail(): CommandProblem {
  return wrongInput([{ field: 'email', says: 'must be the id of an email of the report, like report-1' }]);
}

export function noSuchReport(id: string): CommandProblem {
  return new CommandProblem('unknown', `There is no report ${id}.`);
}

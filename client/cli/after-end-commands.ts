import { inputLimits, textProblems } from '../../workflows/contract/input.ts';
import { emailOf } from '../../workflows/contract/email.ts';
import { noSuchEmail, wrongInput } from './command-problem.ts';
import { reportId, type Session } from './commands.ts';
import type { Exit } from './exits.ts';
import { givenMessage, type MessageOptions } from './given-message.ts';
import { keyed } from './keyed.ts';
import { doneLines } from './rendering.ts';

interface KeyOption {
  readonly key?: string;
}

/** Takes the saved report away for good. */
export async function deleteDocument({ face, output }: Session, id: string, { key }: KeyOption): Promise<Exit> {
  checkKey(key);
  const report = await keyed(key, (key) => face.deleteDocument(reportId(id), key));
  output.tell(report, () => doneLines(report, 'The saved report is deleted, and its emailed links say so.'));
  return 'fine';
}

export async function correct({ face, output }: Session, id: string, options: MessageOptions & KeyOption): Promise<Exit> {
  checkKey(options.key);
  const message = await givenMessage(options);
  const report = await keyed(options.key, (key) => face.correct(reportId(id), message, key));
  output.tell(report, () => doneLines(report, `The correction is ordered. What becomes of its emails: standdown status ${report.id}`));
  return 'fine';
}

export async function resend(
  { face, output }: Session,
  [id, email]: readonly [id: string, email: string],
  { acceptDuplicateRisk = false, key }: KeyOption & { readonly acceptDuplicateRisk?: boolean },
): Promise<Exit> {
  checkKey(key);
  if (emailOf(email) === null) throw noSuchEmail();
  const report = await keyed(key, (key) => face.resend(reportId(id), { email, acceptDuplicateRisk }, key));
  output.tell(report, () => doneLines(report, `The send is ordered. What becomes of it: standdown status ${report.id}`));
  return 'fine';
}

function checkKey(key: string | undefined): void {
  const problems = key === undefined ? [] : textProblems('key', key, inputLimits.key);
  if (problems.length > 0) throw wrongInput(problems);
}

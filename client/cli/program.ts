import { Command, CommanderError } from 'commander';
import { correct, deleteDocument, resend } from './after-end-commands.ts';
import { CommandProblem } from './command-problem.ts';
import { cancel, list, showLedger, showStatus, start, verify, watch, type Session } from './commands.ts';
import { exits, type Exit } from './exits.ts';
import { forPeople, forPrograms, type Output, type Streams } from './output.ts';
import { settingLines } from './rendering.ts';
import type { ReportsFace } from './reports-face.ts';
import type { SettingRow } from './setting-rows.ts';

/** What the program is given from outside. */
export interface World extends Streams {
  /** Finds what the commands talk to. */
  openFace(output: Output): Promise<ReportsFace>;
  readSettings(): Promise<{ readonly rows: readonly SettingRow[]; readonly problem: CommandProblem | null }>;
  /** Aborts when the person stops watching. */
  interrupted(): AbortSignal;
  /** What an error means to the person at the command line. */
  explain(error: unknown): CommandProblem;
}

/** Runs one command line and answers how it ended. */
export async function run(argv: readonly string[], world: World): Promise<Exit> {
  const output = argv.includes('--json') ? forPrograms(world) : forPeople(world);
  const ended: { exit: Exit } = { exit: 'fine' };
  const program = programOf(world, output, ended);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return ended.exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 'fine';
    const problem = error instanceof CommanderError ? usageProblem(error) : world.explain(error);
    output.complain(problem);
    return problem.exit;
  }
}

function usageProblem({ code, message }: CommanderError): CommandProblem {
  const says = code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '').replace('\n', ' ');
  return new CommandProblem('wrong', `Wrong usage: ${says}. See standdown --help`);
}

function programOf(world: World, output: Output, ended: { exit: Exit }): Command {
  const withFace = async (command: (session: Session) => Promise<Exit>): Promise<void> => {
    const face = await world.openFace(output);
    try {
      ended.exit = await command({ face, output });
    } finally {
      await face.close();
    }
  };
  const program = new Command('standdown')
    .description('Starts, shows and cancels monthly reports, and corrects what they have sent.')
    .option('--json', 'write JSON, one value a line; errors too')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => world.stdout.write(text), writeErr: () => undefined })
    .exitOverride()
    .addHelpText('afterAll', `\n${exitLines().join('\n')}`);
  addReportCommands(program, withFace, world);
  addAfterEndCommands(program, withFace);
  program
    .command('config')
    .description('show every setting with its value; secrets stay hidden')
    .action(async () => {
      const { rows, problem } = await world.readSettings();
      output.tell({ settings: rows }, () => settingLines(rows));
      if (problem !== null) throw problem;
    });
  return program;
}

type WithFace = (command: (session: Session) => Promise<Exit>) => Promise<void>;

function addReportCommands(program: Command, withFace: WithFace, world: World): void {
  program
    .command('start')
    .description('start a report')
    .option('--month <month>', 'month of the report, like 2025-07')
    .option('--source <path...>', 'folders below the documents folder; {month} is filled in')
    .option('--to <address...>', 'recipients')
    .option('--title <text>', 'title of the report')
    .option('--key <key>', 'start at most one report under this key, however often this is repeated')
    .option('--supersedes <id>', 'report that this one replaces: whoever has its email is not mailed again')
    .option('--accept-duplicate-risk', 'mail also those whom the superseded report may have mailed')
    .action((options) => withFace((session) => start(session, options)));
  program
    .command('status')
    .argument('<id>')
    .description('show where a report stands')
    .option('--watch', 'show every change until the report ends')
    .action((id, { watch: isWatching }) => withFace((session) => (isWatching === true ? watch(session, id, world.interrupted()) : showStatus(session, id))));
  program
    .command('list')
    .description('list reports, newest first')
    .option('--phase <phase>', 'only those in this phase')
    .option('--limit <number>', 'how many at most', '20')
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .action((options) => withFace((session) => list(session, options)));
  program
    .command('cancel')
    .argument('<id>')
    .description('cancel a report; repeating it changes nothing')
    .option('--reason <text>', 'why, for whoever reads its status')
    .action((id, options) => withFace((session) => cancel(session, id, options)));
  program
    .command('ledger')
    .argument('<id>')
    .description('show everything that was recorded of a report')
    .action((id) => withFace((session) => showLedger(session, id)));
  program
    .command('verify')
    .argument('[id]')
    .description('check a report, or all, against the rules')
    .action((id) => withFace((session) => verify(session, id)));
}

/** What is possible at an end alone. */
function addAfterEndCommands(program: Command, withFace: WithFace): void {
  const key = ['--key <key>', 'do it once under this key, however often this is repeated'] as const;
  program
    .command('delete')
    .argument('<id>')
    .description('delete the saved report of one that has ended, for good')
    .option(...key)
    .action((id, options) => withFace((session) => deleteDocument(session, id, options)));
  program
    .command('correct')
    .argument('<id>')
    .description('send a correction to everybody who has, or may have, the email of a report that has ended')
    .option('--message <text>', 'what recipients are to know')
    .option('--message-file <file>', 'a file that holds it; - is standard input')
    .option(...key)
    .action((id, options) => withFace((session) => correct(session, id, options)));
  program
    .command('resend')
    .argument('<id>')
    .argument('<email>', 'id of the email, as the status names it: report-1')
    .description('have an email sent again that was refused, not started, or (at a risk) unconfirmed')
    .option('--accept-duplicate-risk', 'send an unconfirmed email all the same: it may arrive twice')
    .option(...key)
    .action((id, email, options) => withFace((session) => resend(session, [id, email], options)));
}

function exitLines(): string[] {
  return ['Exit status:', ...Object.values(exits).map(({ status, means }) => `  ${String(status).padEnd(4)} ${means}`)];
}

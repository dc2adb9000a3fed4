import type { StartedCommand } from './start-command.ts';

/** Kills a start command and every process that it has started, all at once, so that nothing can tidy up. */
export async function killEverything(processes: Readonly<Record<string, number>>, command: StartedCommand): Promise<void> {
  command.kill('SIGKILL');
  for (const pid of Object.values(processes)) process.kill(pid, 'SIGKILL');
  await command.end;
}

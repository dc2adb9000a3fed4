/** Every exit status of the command line, in one table, which `--help` prints. */
export const exits = {
  fine: { status: 0, means: 'done; with --watch: finished with every email accepted' },
  failure: { status: 1, means: 'something went wrong; verify: a rule was broken; with --watch: the report failed' },
  wrong: { status: 2, means: 'wrong usage, wrong input or wrong settings' },
  not_accepted: { status: 3, means: 'with --watch: finished, and an email was not accepted' },
  away: { status: 4, means: 'nothing is running, or it cannot be reached' },
  cancelled: { status: 5, means: 'with --watch: cancelled' },
  unknown: { status: 6, means: 'there is no such report' },
  refused: { status: 7, means: 'refused, as things stand' },
  interrupted: { status: 130, means: 'with --watch: stopped watching before the end' },
} as const satisfies Record<string, { readonly status: number; readonly means: string }>;

export type Exit = keyof typeof exits;

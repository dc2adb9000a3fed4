import { nothingGoesWrong, type Budget, type Configuration } from './world.ts';

type Choice = Omit<Partial<Configuration>, 'budget'>;

export function configuration(budget: Partial<Budget> = {}, choice: Choice = {}): Configuration {
  return {
    budget: { ...nothingGoesWrong, ...budget },
    from: 'registered',
    direct: false,
    documents: 1,
    recipients: 1,
    attempts: 2,
    doors: 'both',
    lateDeadlines: false,
    lookUp: true,
    keyed: false,
    permanentRefusals: false,
    ...choice,
  };
}

export interface Named {
  readonly what: string;
  readonly within: Configuration;
}

function named(what: string, budget: Partial<Budget>, choice: Choice = {}): Named {
  return { what, within: configuration(budget, choice) };
}

const late = { lateDeadlines: true } as const;
const keyed = { keyed: true, lookUp: false } as const;
const afterSave = { from: 'saved' } as const;

/**
 * What is explored with every rule on. One document, but where several steps at once matter: a second one adds only steps
 * like the first one's. From the save on where only emails matter, since all that led there is alike.
 */
export const configurations: readonly Named[] = [
  named('nothing but cancels', {}),
  named('a kill and an attempt given up alive', { kills: 1, timeouts: 1 }),
  named('a kill, an attempt given up alive and a reset', { kills: 1, timeouts: 1, resets: 1 }),
  named('two attempts given up alive', { timeouts: 2 }),
  named('a termination, a kill and a call that hangs for ever', { terminations: 1, kills: 1, hangs: 1 }),
  named('a termination, an attempt given up alive and a step that fails', { terminations: 1, timeouts: 1, failures: 1 }),
  named('two runs of one id', { duplicates: 1 }),
  named('two runs of one id and an attempt given up alive', { duplicates: 1, timeouts: 1 }),
  named('two runs of one id and a reset', { duplicates: 1, resets: 1 }),
  named('a reset, a kill, a step that fails and a deletion', { resets: 1, kills: 1, failures: 1, deletions: 1 }),
  named('two documents at once, a reset and a step that fails', { resets: 1, failures: 1 }, { documents: 2 }),
  named('two documents at once, a kill and a termination', { kills: 1, terminations: 1 }, { documents: 2 }),
  named('two emails and a kill, from the save on', { kills: 1 }, { ...afterSave, recipients: 2 }),
  named('two emails and a reset', { resets: 1 }, { recipients: 2 }),
  named('two emails, a kill and an attempt given up alive', { kills: 1, timeouts: 1 }, { recipients: 2 }),
  named('two emails, a kill and deadlines that pass for paused processes', { kills: 1 }, { ...late, recipients: 2 }),
  named('two emails of which one cannot be prepared, and an attempt given up alive, from the save on', { unprepared: 1, timeouts: 1 }, { ...afterSave, recipients: 2 }),
  named('refusals for good, two emails and a kill', { kills: 1 }, { ...afterSave, recipients: 2, permanentRefusals: true }),
  named('no look-up, a kill, an attempt given up alive and a reset', { kills: 1, timeouts: 1, resets: 1 }, { lookUp: false }),
  named('deadlines that pass for paused processes, a kill and an attempt given up alive', { kills: 1, timeouts: 1 }, late),
  named('deadlines that pass for paused processes, a termination, an attempt given up alive and a step that fails', { terminations: 1, timeouts: 1, failures: 1 }, late),
  named('deadlines that pass for paused processes and a reset', { resets: 1 }, late),
  named('a provider that replays keys, its window ending, and a kill', { kills: 1 }, { ...keyed, ...late, ...afterSave }),
  named('a provider that replays keys, its window ending, and an attempt given up alive', { timeouts: 1 }, keyed),
  named('a provider that replays keys, its window ending, paused processes and a kill', { kills: 1 }, { ...keyed, ...late }),
  named('a provider that replays keys, its window ending, and a reset', { resets: 1 }, keyed),
  named('a provider that replays keys, three tries and a kill', { kills: 1 }, { ...keyed, ...late, ...afterSave, attempts: 3 }),
  named("a person's resend, no look-up and an attempt given up alive", { resends: 1, timeouts: 1 }, { lookUp: false }),
  named("a person's resend, a deletion and a kill, from the save on", { resends: 1, deletions: 1, kills: 1 }, { ...afterSave, lookUp: false }),
  named("a termination and a person's resend, from the save on", { terminations: 1, resends: 1 }, afterSave),
  named('a correction and a kill, from the save on', { corrections: 1, kills: 1 }, afterSave),
  named('a correction of two emails, each tried once, and a deletion, from the save on', { corrections: 1, deletions: 1 }, { ...afterSave, recipients: 2, attempts: 1 }),
  named('a run started straight through a Temporal client, and an attempt given up alive', { timeouts: 1 }, { direct: true }),
  named('a database without the report taking its place, and an attempt given up alive', { restores: 1, timeouts: 1 }),
];

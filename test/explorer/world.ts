import type { State } from '../../workflows/contract/state.ts';
import type { Authority, Step } from '../../workflows/contract/vocabulary.ts';
import { initialState } from './initial-state.ts';
import type { Rules } from './rules.ts';

/** How often each thing may still go wrong, or a person may still ask for something, on one path. */
export interface Budget {
  readonly kills: number;
  /** Attempts that Temporal gives up although their process is alive: they come back later. */
  readonly timeouts: number;
  readonly hangs: number;
  readonly failures: number;
  /** Emails whose message cannot be prepared: given up before anything of them is sent. */
  readonly unprepared: number;
  readonly resets: number;
  readonly duplicates: number;
  readonly terminations: number;
  readonly resends: number;
  readonly deletions: number;
  readonly corrections: number;
  readonly failovers: number;
  readonly restores: number;
}

export const nothingGoesWrong = {
  kills: 0,
  timeouts: 0,
  hangs: 0,
  failures: 0,
  unprepared: 0,
  resets: 0,
  duplicates: 0,
  terminations: 0,
  resends: 0,
  deletions: 0,
  corrections: 0,
  failovers: 0,
  restores: 0,
} as const satisfies Budget;

/** What is left of a budget, with a text for it that no other has. */
export interface Left extends Budget {
  readonly code: string;
}

export interface Configuration {
  readonly budget: Budget;
  /** Where the exploration starts: with all steps ahead, with only the last one (`combine`), or with the report saved. */
  readonly from: 'registered' | 'summarised' | 'saved';
  /** The run was started straight through a Temporal client and has no row yet. */
  readonly direct: boolean;
  /** How many documents are summarised, all at the same time. */
  readonly documents: 1 | 2;
  readonly recipients: number;
  /** How often an email is tried under one authority: then its retry budget has ended. */
  readonly attempts: number;
  readonly doors: 'both' | 'store' | 'temporal' | 'none';
  /** Deadlines may pass for executions that are alive but paused, too. */
  readonly lateDeadlines: boolean;
  readonly lookUp: boolean;
  /** The provider replays a key, and its window may end. */
  readonly keyed: boolean;
  readonly permanentRefusals: boolean;
}

/** One place of a run's program, and what an execution scheduled there does. */
export type Place =
  | { readonly kind: 'work'; readonly steps: readonly Step[] }
  | { readonly kind: 'save' }
  | { readonly kind: 'send'; readonly email: string; readonly authority: Authority }
  | { readonly kind: 'fail' }
  | { readonly kind: 'rest' };

/** A workflow run; one that has closed is no longer listed. */
export interface Run {
  readonly id: string;
  readonly at: number;
  /** `unrecorded`: a request came by Temporal's door and is in no ledger yet; `told`: it knows of an accepted cancel. */
  readonly request: 'none' | 'told' | 'unrecorded';
  /** The executions whose answers it waits for. */
  readonly waitsFor: readonly number[];
  /** Where several steps are one place: those that are done. */
  readonly done: readonly number[];
}

/** An attempt of an activity: a process somewhere, whether or not a run still waits for it. */
export interface Execution {
  readonly id: number;
  readonly place: number;
  /** Which of the steps of its place it executes. */
  readonly lane: number;
  /** The run that it was scheduled for, which may be gone. */
  readonly owner: string;
  readonly stage: 'scheduled' | 'working' | 'transmitted' | 'hung';
  readonly operation: string;
  /** Of a send: which letter of the email's mail is its own. */
  readonly slot: number;
  /** Of a send: its own clocks say that the send limit has passed. */
  readonly late: boolean;
}

export interface World {
  readonly state: State | null;
  readonly runs: readonly Run[];
  readonly executions: readonly Execution[];
  /** Per email a letter per claim: `-` nothing sent, `f` in flight, `t` taken, `y` recognised as a replay, `d` refused. */
  readonly mail: Readonly<Record<string, string>>;
  readonly left: Left;
  /** Of the provider's key: 0 replays, 1 no claim may replay it any more, 2 forgotten. */
  readonly window: 0 | 1 | 2;
  readonly next: number;
  /** Somebody holds a receipt of a cancel accepted before the end. */
  readonly promised: boolean;
  /** A person has accepted the risk of a second message. */
  readonly risk: boolean;
  /** The standby that does not have the newest cancel yet; null where there is none. */
  readonly standby: State | null;
  /** The invariant that the last transaction broke. */
  readonly broken: string | null;
}

export interface Move {
  readonly label: string;
  /** Whether it takes something to go wrong, or somebody to intervene. */
  readonly fault: boolean;
  readonly world: World;
}

export interface Model {
  readonly configuration: Configuration;
  readonly rules: Rules;
  readonly program: readonly Place[];
  readonly emails: readonly string[];
  readonly rest: number;
  readonly fail: number;
}

export function modelOf(configuration: Configuration, rules: Rules): Model {
  const { recipients } = configuration;
  const numbers = Array.from({ length: recipients }, (_, index) => index + 1);
  const sends = numbers.map((number): Place => ({ kind: 'send', email: `report-${number}`, authority: 'report' }));
  const ofTheReport: Place[] = [...stepsFrom(configuration), { kind: 'save' }, ...sends];
  const afterwards = numbers.flatMap((number): Place[] => [
    { kind: 'send', email: `report-${number}`, authority: 'resend-1' },
    { kind: 'send', email: `correction-1-${number}`, authority: 'correction-1' },
  ]);
  const program: Place[] = [...ofTheReport, { kind: 'rest' }, { kind: 'fail' }, ...afterwards];
  const emails = [...new Set(program.flatMap((place) => (place.kind === 'send' ? [place.email] : [])))];
  return { configuration, rules, program, emails, rest: ofTheReport.length, fail: ofTheReport.length + 1 };
}

function stepsFrom({ from, documents }: Configuration): Place[] {
  const summaries = ['summarise/1', 'summarise/2'] as const;
  const places: Place[] = [
    { kind: 'work', steps: ['collect'] },
    { kind: 'work', steps: summaries.slice(0, documents) },
    { kind: 'work', steps: ['combine'] },
  ];
  const ahead = { registered: 0, summarised: 2, saved: 3 } as const satisfies Record<Configuration['from'], number>;
  return places.slice(ahead[from]);
}

export function freshRun(id: string): Run {
  return { id, at: 0, request: 'none', waitsFor: [], done: [] };
}

export function firstWorld(configuration: Configuration): World {
  return {
    state: configuration.direct ? null : initialState(configuration),
    runs: [freshRun('r0')],
    executions: [],
    mail: {},
    left: coded(configuration.budget),
    window: 0,
    next: 1,
    promised: false,
    risk: false,
    standby: null,
    broken: null,
  };
}

/** Whom an execution begins and claims for, as the product names it: its run and its activity. */
export function ownerOf({ owner, place }: Execution): string {
  return `${owner}/${place}`;
}

/** The run of such an owner. */
export function runOf(owner: string): string {
  return owner.slice(0, owner.indexOf('/'));
}

/** One of a budget is used up. */
export function spend(left: Left, what: keyof Budget): Left {
  return coded({ ...left, [what]: left[what] - 1 });
}

function coded(budget: Budget): Left {
  const { kills, timeouts, hangs, failures, unprepared, resets, duplicates, terminations, resends, deletions, corrections, failovers, restores } = budget;
  const ofRuns = `${kills}${timeouts}${hangs}${failures}${unprepared}${resets}${duplicates}${terminations}`;
  return { ...budget, code: `${ofRuns}${resends}${deletions}${corrections}${failovers}${restores}` };
}

/** Whatever might still go wrong with a run no longer does. */
export function withoutFaultsOfRuns(left: Left, kills: number): Left {
  return coded({ ...left, kills, timeouts: 0, hangs: 0, failures: 0, unprepared: 0, resets: 0, duplicates: 0, terminations: 0 });
}

export function replaceAt<T>(list: readonly T[], index: number, ...items: readonly T[]): readonly T[] {
  return [...list.slice(0, index), ...items, ...list.slice(index + 1)];
}

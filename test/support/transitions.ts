import {
  begin, broke, cancel, claim, fail, mail, makeReport, outcome, register, returned, stopped, summarise, type Deed,
} from './deeds.ts';

const summarised = [register(2), ...summarise(2), begin('combine')];

/** A life for every column of the contract's table of transitions, and for what tells apart its cells. */
const lives = {
  'no row': [],
  queued: [register(2)],
  collecting: [register(2), begin('collect')],
  'collecting, stopping': [register(2), begin('collect'), cancel()],
  summarising: summarised,
  'to be saved': [...summarised, returned('combine')],
  saved: makeReport(2),
  sending: [...makeReport(2), claim('report-1')],
  'sending, stopping': [...makeReport(2), claim('report-1'), cancel()],
  finished: [...makeReport(2), ...mail(1), claim('report-2'), outcome('report-2', 'unknown')],
  'cancelled unsaved': [register(2), begin('collect'), cancel(), stopped('collect')],
  'cancelled saved': [...makeReport(2), ...mail(1), cancel()],
  failed: [register(2), begin('collect'), broke('collect', 'no_documents'), fail('no_documents')],
} as const satisfies Record<string, readonly Deed[]>;

type Column = keyof typeof lives;
export type Cells = Readonly<Record<Column, string>>;

export function inEachColumn<T>(answerAfter: (life: readonly Deed[]) => T): Readonly<Record<Column, T>> {
  return {
    'no row': answerAfter(lives['no row']),
    queued: answerAfter(lives.queued),
    collecting: answerAfter(lives.collecting),
    'collecting, stopping': answerAfter(lives['collecting, stopping']),
    summarising: answerAfter(lives.summarising),
    'to be saved': answerAfter(lives['to be saved']),
    saved: answerAfter(lives.saved),
    sending: answerAfter(lives.sending),
    'sending, stopping': answerAfter(lives['sending, stopping']),
    finished: answerAfter(lives.finished),
    'cancelled unsaved': answerAfter(lives['cancelled unsaved']),
    'cancelled saved': answerAfter(lives['cancelled saved']),
    failed: answerAfter(lives.failed),
  };
}

export interface Row {
  readonly command: string;
  readonly deed: Deed;
  readonly cells: Cells;
  /** The answer to the command wherever it has just been carried out. */
  readonly again: string;
}

/** A row of the table: the usual answer wherever there is a report, and the cells that differ. */
export function row(command: string, deed: Deed, usually: string, elsewhere: Partial<Cells> = {}, again = 'repeated'): Row {
  return { command, deed, cells: { ...inEachColumn(() => usually), 'no row': '– unknown_report', ...elsewhere }, again };
}

export function onceEnded(answer: string) {
  return { finished: answer, 'cancelled unsaved': answer, 'cancelled saved': answer, failed: answer } as const;
}

export function whileStopping(answer: string) {
  return { 'collecting, stopping': answer, 'sending, stopping': answer } as const;
}

export function onceSaved(answer: string) {
  return { saved: answer, sending: answer } as const;
}

import { points } from '../../workflows/contract/check-points.ts';
import type { Verified } from '../verification.ts';

/** What a whole verification came to. */
export interface Summary {
  readonly reports: number;
  readonly entries: number;
  readonly violations: number;
  readonly points: readonly PointSummary[];
}

export interface PointSummary {
  readonly number: number;
  readonly sentence: string;
  /** Of how many reports it was checked in full. */
  readonly checked: number;
  readonly violations: number;
}

export const emptySummary: Summary = {
  ...{ reports: 0, entries: 0, violations: 0 },
  points: points.map(({ number, sentence }) => ({ number, sentence, checked: 0, violations: 0 })),
};

export function added(summary: Summary, { entries, violations, checked }: Verified): Summary {
  return {
    reports: summary.reports + 1,
    entries: summary.entries + entries,
    violations: summary.violations + violations.length,
    points: summary.points.map((point) => ({
      ...point,
      checked: point.checked + (checked.includes(point.number) ? 1 : 0),
      violations: point.violations + violations.filter(({ rule }) => rule === point.number).length,
    })),
  };
}

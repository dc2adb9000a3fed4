import type { ToldBy } from '../workflows/contract/vocabulary.ts';

/** Tells a running operation to stop; only the first telling counts. */
export type Tell = (by: ToldBy) => void;

/** The operations that this process runs, by report: what a notification of an accepted cancel reaches. */
export interface Running {
  /** Registers before the operation is begun, so that no notification falls between; answers how to forget it again. */
  add(reportId: string, tell: Tell): () => void;
  tell(reportId: string, by: ToldBy): void;
  tellAll(by: ToldBy): void;
}

export function createRunning(): Running {
  const running = new Map<string, Set<Tell>>();
  return {
    add: (reportId, tell) => {
      const tells = running.get(reportId) ?? new Set();
      running.set(reportId, tells.add(tell));
      return () => {
        tells.delete(tell);
        if (tells.size === 0) running.delete(reportId);
      };
    },
    tell: (reportId, by) => running.get(reportId)?.forEach((tell) => tell(by)),
    tellAll: (by) => running.forEach((tells) => tells.forEach((tell) => tell(by))),
  };
}

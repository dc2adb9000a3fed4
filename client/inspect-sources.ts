import { existsSync } from 'node:fs';
import type { InputProblem, ReportInput } from '../workflows/contract/input.ts';
import { sourcePath } from '../workflows/contract/source-path.ts';

export interface Inspection {
  /** Folder that all sources lie in. */
  readonly root: string;
  /** Lists what would be collected, and rejects where there is nothing. */
  readonly list: (path: string) => Promise<unknown>;
  /** Whether that rejection says something about the source which trying again would not change. */
  readonly isRefusal: (error: unknown) => error is Error;
}

/** Looks at sources before they are accepted; where this machine does not have the folder, a worker's will say what it finds. */
export function createInspection({ root, list, isRefusal }: Inspection) {
  const look = async (path: string, index: number): Promise<InputProblem[]> => {
    try {
      await list(path);
      return [];
    } catch (error) {
      // What may pass (a full table, a network drive away) is no reason to refuse: the run tries again.
      return isRefusal(error) ? [{ field: `sources[${index}]`, says: `cannot be collected: ${error.message}` }] : [];
    }
  };
  return async ({ sources, month }: ReportInput): Promise<InputProblem[]> => {
    if (!existsSync(root)) return [];
    const found = await Promise.all(sources.map((source, index) => look(sourcePath(source, month), index)));
    return found.flat();
  };
}

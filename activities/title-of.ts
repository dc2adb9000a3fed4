import type { Dependencies } from './dependencies.ts';

/** What a report is called: by its title, or else by its month. */
export async function titleOf({ store }: Dependencies, reportId: string): Promise<string> {
  const input = await store.contents.input(reportId);
  return input?.title ?? `Monthly report ${input?.month ?? ''}`.trim();
}

import type { FolderSource } from './input.ts';

/** Where the documents of a source lie for one month: `{month}` is filled in. */
export function sourcePath({ path }: FolderSource, month: string): string {
  return path.replaceAll('{month}', month);
}

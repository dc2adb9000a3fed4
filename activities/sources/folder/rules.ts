import { extname, sep } from 'node:path';
import { SourceError } from '../source.ts';
import type { SourceReason } from '../source.ts';

const knownKinds: readonly string[] = ['.md', '.markdown', '.txt'];

/** Refused for good, each with the clause that a person reads. */
const refusals = {
  not_found: { reason: 'not_found', message: 'it does not exist' },
  not_a_folder: { reason: 'unreadable', message: 'it is not a folder' },
  not_a_file: { reason: 'unreadable', message: 'it is not a regular file' },
  forbidden: { reason: 'unreadable', message: 'it may not be opened' },
  endless: { reason: 'unreadable', message: 'it is a link that leads nowhere' },
  outside_root: { reason: 'outside_root', message: 'it leads out of the documents folder' },
  no_documents: { reason: 'no_documents', message: 'it holds no document' },
  too_many: { reason: 'too_many', message: 'it holds too many documents' },
  not_text: { reason: 'not_text', message: 'it is not Markdown or text in UTF-8' },
  empty: { reason: 'empty', message: 'it is empty' },
  too_large: { reason: 'too_large', message: 'it is too large' },
} as const satisfies Record<string, { reason: SourceReason; message: string }>;

export type Refusal = keyof typeof refusals;

export function refusal(what: Refusal): SourceError {
  return new SourceError('permanent', refusals[what].reason, refusals[what].message);
}

const refusalByCode: Readonly<Record<string, Refusal>> = {
  ENOENT: 'not_found',
  ENAMETOOLONG: 'not_found',
  ENOTDIR: 'not_a_folder',
  EISDIR: 'not_a_file',
  ENXIO: 'not_a_file',
  ELOOP: 'endless',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
};

/** What the file system said, in our words: known answers stand, anything else (a full table, a network drive away) may pass. */
export function systemError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const known = error instanceof Error && 'code' in error ? refusalByCode[String(error.code)] : undefined;
  return known === undefined ? new SourceError('transient', 'unreadable', 'it cannot be read at the moment') : refusal(known);
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function isKnownKind(name: string): boolean {
  return knownKinds.includes(extname(name).toLowerCase());
}

// Control characters, line separators, direction overrides; and U+FFFD, which stands for bytes of a name that are not UTF-8.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFD]/gu;

export function isPrintable(name: string): boolean {
  return name === printable(name) && !name.includes('\uFFFD');
}

export function printable(name: string): string {
  return name.replace(unprintable, '\uFFFD');
}

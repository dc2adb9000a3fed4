import { opendir, realpath, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import type { ListedDocument, Listing, SkippedDocument, SourceError } from '../source.ts';
import { isInside, isKnownKind, isPrintable, printable, refusal, systemError } from './rules.ts';

export interface ListLimits {
  readonly root: string;
  readonly maxDocumentBytes: number;
  readonly maxDocuments: number;
}

const MAX_DEPTH = 8;
/** Of a folder with everything else in it: enough to find the documents, few enough to stay quick and small. */
const MAX_ENTRIES = 20_000;
const MAX_SKIPPED = 1000;

interface Walk extends ListLimits {
  readonly documents: ListedDocument[];
  readonly skipped: SkippedDocument[];
  readonly visited: Set<string>;
  skippedUnnamed: number;
  entries: number;
}

interface Place {
  /** Where it really is, links followed. */
  readonly real: string;
  /** What it is called from where the listing began. */
  readonly name: string;
  readonly depth: number;
}

/** Lists a folder and its subfolders; whatever is no document is skipped with the reason. */
export async function listFolder(folder: string, limits: ListLimits): Promise<Listing> {
  const walk: Walk = { ...limits, documents: [], skipped: [], visited: new Set(), skippedUnnamed: 0, entries: 0 };
  await visitFolder(walk, { real: folder, name: '', depth: 0 });
  if (walk.documents.length === 0) throw refusal('no_documents');
  return { documents: walk.documents.toSorted(byName), skipped: skippedOf(walk) };
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function skippedOf(walk: Walk): SkippedDocument[] {
  const named = walk.skipped.toSorted(byName);
  return walk.skippedUnnamed === 0 ? named : [...named, { name: `${walk.skippedUnnamed} more`, why: 'they are too many to name' }];
}

async function visitFolder(walk: Walk, place: Place): Promise<void> {
  // Links inside the root may lead in circles, and one folder need not be listed under two names.
  if (walk.visited.has(place.real)) return skip(walk, place.name, 'it is listed under another name');
  walk.visited.add(place.real);
  for (const entry of await entriesOf(walk, place)) {
    const name = place.name === '' ? entry.name : `${place.name}/${entry.name}`;
    await visitEntry(walk, entry, { real: join(place.real, entry.name), name, depth: place.depth + 1 });
  }
}

async function entriesOf(walk: Walk, place: Place): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(place.real, { bufferSize: 256 })) {
      walk.entries += 1;
      if (walk.entries > MAX_ENTRIES) throw refusal('too_many');
      entries.push(entry);
    }
  } catch (error) {
    return passOver(walk, place, systemError(error));
  }
  return entries.sort(byName);
}

/** One closed subfolder is skipped; a closed root, a limit, or a fault that may pass ends the listing. */
function passOver(walk: Walk, place: Place, error: SourceError): [] {
  if (place.depth === 0 || error.kind === 'transient' || error.reason === 'too_many') throw error;
  skip(walk, place.name, error.message);
  return [];
}

async function visitEntry(walk: Walk, entry: Dirent, place: Place): Promise<void> {
  if (!isPrintable(entry.name)) return skip(walk, place.name, 'its name holds characters that cannot be shown');
  if (entry.name.startsWith('.')) return skip(walk, place.name, 'it is hidden');
  if (entry.isSymbolicLink()) return visitLink(walk, place);
  if (entry.isDirectory()) return visitSubfolder(walk, place);
  if (!entry.isFile()) return skip(walk, place.name, 'it is not a regular file');
  return visitFile(walk, place);
}

async function visitLink(walk: Walk, place: Place): Promise<void> {
  try {
    const real = await realpath(place.real);
    if (!isInside(walk.root, real)) return skip(walk, place.name, refusal('outside_root').message);
    const target = await stat(real);
    if (target.isDirectory()) return await visitSubfolder(walk, { ...place, real });
    if (!target.isFile()) return skip(walk, place.name, refusal('not_a_file').message);
    return await visitFile(walk, { ...place, real });
  } catch (error) {
    passOver(walk, place, systemError(error));
  }
}

async function visitSubfolder(walk: Walk, place: Place): Promise<void> {
  if (place.depth > MAX_DEPTH) return skip(walk, place.name, 'it lies too deep');
  return visitFolder(walk, place);
}

async function visitFile(walk: Walk, place: Place): Promise<void> {
  if (!isKnownKind(place.name)) return skip(walk, place.name, 'it is neither Markdown nor text');
  const bytes = await sizeOf(walk, place);
  if (bytes === null) return;
  if (bytes === 0) return skip(walk, place.name, refusal('empty').message);
  if (bytes > walk.maxDocumentBytes) return skip(walk, place.name, refusal('too_large').message);
  if (walk.documents.length === walk.maxDocuments) throw refusal('too_many');
  walk.documents.push({ name: place.name, bytes });
}

async function sizeOf(walk: Walk, place: Place): Promise<number | null> {
  try {
    return (await stat(place.real)).size;
  } catch (error) {
    passOver(walk, place, systemError(error));
    return null;
  }
}

function skip(walk: Walk, name: string, why: string): void {
  if (walk.skipped.length < MAX_SKIPPED) walk.skipped.push({ name: printable(name), why });
  else walk.skippedUnnamed += 1;
}

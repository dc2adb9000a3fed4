import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import { listFolder } from './folder/list.ts';
import { isInside, isKnownKind, refusal, systemError } from './folder/rules.ts';
import type { Source, SourceDocument } from './source.ts';

export interface FolderSourceOptions {
  /** Nothing outside of it is read, links followed. */
  readonly root: string;
  readonly maxDocumentBytes?: number;
  readonly maxDocuments?: number;
}

const CHUNK_BYTES = 64 * 1024;

// Where the last name is swapped for a link or a pipe after it was resolved, opening it fails instead of leading out or hanging.
const READ_IN_PLACE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Markdown and text files of a folder and its subfolders, under one allowed root. */
export function createFolderSource(options: FolderSourceOptions): Source {
  const { root, maxDocumentBytes = 5 * 1024 * 1024, maxDocuments = 1000 } = options;
  return {
    async list(path) {
      const { realRoot, target } = await locate(root, path);
      return listFolder(target, { root: realRoot, maxDocumentBytes, maxDocuments });
    },
    async read(path, name, signal) {
      signal.throwIfAborted();
      if (!isKnownKind(name)) throw refusal('not_text');
      const { target } = await locate(root, path, name);
      return readDocument(target, name, maxDocumentBytes, signal);
    },
  };
}

/** Where a relative path really is, all links followed; never outside the root. */
async function locate(root: string, ...parts: readonly string[]): Promise<{ realRoot: string; target: string }> {
  if (parts.some(leadsOut)) throw refusal('outside_root');
  const realRoot = await resolved(root);
  const target = await resolved(join(realRoot, ...parts));
  if (!isInside(realRoot, target)) throw refusal('outside_root');
  return { realRoot, target };
}

function leadsOut(path: string): boolean {
  // Backslashes separate and drive letters are absolute for whoever writes a path on Windows: refused everywhere alike.
  return path.includes('\0') || win32.isAbsolute(path) || path.split(/[\\/]/).includes('..');
}

async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw systemError(error);
  }
}

async function readDocument(file: string, name: string, maxBytes: number, signal: AbortSignal): Promise<SourceDocument> {
  const content = await contentOf(file, maxBytes, signal);
  const text = decoded(content);
  if (text.trim() === '') throw refusal('empty');
  return { name, text, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

async function contentOf(file: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readRegular(await open(file, READ_IN_PLACE), maxBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw systemError(error);
  }
}

async function readRegular(handle: FileHandle, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  try {
    if (!(await handle.stat()).isFile()) throw refusal('not_a_file');
    return await readBounded(handle, maxBytes, signal);
  } finally {
    await handle.close();
  }
}

/** Reads to the end and never more than the bound, however much the file grows meanwhile. */
async function readBounded(handle: FileHandle, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES) });
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > maxBytes) throw refusal('too_large');
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** UTF-8 only, its byte order mark dropped. NUL is no text: databases refuse it, and files that hold it are binary. */
function decoded(content: Buffer): string {
  if (content.includes(0)) throw refusal('not_text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    // The decoder has one way to fail.
    throw refusal('not_text');
  }
}

/** A place that documents are collected from. What it lists and reads is data: names are printable, texts are UTF-8 without NUL. */
export interface Source {
  /**
   * Lists what would be collected, in a stable order (by name), without reading bodies.
   * `path` is relative to the root, `{month}` already filled in. Rejects with a `SourceError`, also where there is no document.
   */
  list(path: string): Promise<Listing>;
  /** Reads one listed document. Rejects with a `SourceError`, or with the signal's reason. */
  read(path: string, name: string, signal: AbortSignal): Promise<SourceDocument>;
}

export interface Listing {
  readonly documents: readonly ListedDocument[];
  readonly skipped: readonly SkippedDocument[];
}

export interface ListedDocument {
  /** Relative to the listed path, with `/` between folders. */
  readonly name: string;
  readonly bytes: number;
}

export interface SkippedDocument {
  readonly name: string;
  /** A clause that completes "… was skipped: ", in our own words. */
  readonly why: string;
}

export interface SourceDocument {
  readonly name: string;
  readonly text: string;
  /** Of the stored bytes, as the digest is. */
  readonly bytes: number;
  readonly sha256: string;
}

/** From `list` about the whole source; from `read`, whatever it is, about that document alone, which can be skipped where the reason is permanent. */
export type SourceReason =
  | 'not_found'
  | 'outside_root'
  | 'unreadable'
  | 'no_documents'
  | 'too_many'
  | 'not_text'
  | 'empty'
  | 'too_large';

/** Its message is a clause in our own words, without paths or texts of others. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: 'permanent' | 'transient';
  readonly reason: SourceReason;

  constructor(kind: 'permanent' | 'transient', reason: SourceReason, message: string) {
    super(message);
    this.kind = kind;
    this.reason = reason;
  }
}

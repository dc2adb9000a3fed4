/** What is asked of a model: the summary of one document, or the overall one of all the documents' summaries. */
export interface SummaryRequest {
  readonly task: 'document' | 'report';
  /** What the text is called: a document's name, or the report's title. */
  readonly title: string;
  /** Markdown, and data: nothing in it is an instruction. For `report`, sections `## <document name>` with their summaries. */
  readonly text: string;
  readonly reportId: string;
  readonly operationId: string;
  readonly signal: AbortSignal;
}

export interface Summary {
  /** Markdown, never empty. */
  readonly text: string;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Writes summaries. It tries once: repeating is its caller's decision. */
export interface Model {
  readonly name: string;
  /** A running call can be told to stop and need not be waited for. */
  readonly interruptible: boolean;
  /** Rejects with a `ModelError`, or with the signal's reason once that is aborted. */
  summarise(request: SummaryRequest): Promise<Summary>;
}

export type ModelReason =
  | 'model_refused'
  | 'model_unreachable'
  | 'model_rate_limited'
  /** The answer broke off: nothing of it may be used. */
  | 'model_incomplete'
  | 'model_empty';

/** Its message is a clause in our own words, with numbers at most. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: 'permanent' | 'transient';
  readonly reason: ModelReason;
  /** How long the service asked us to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: 'permanent' | 'transient', reason: ModelReason, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

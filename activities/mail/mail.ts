/** A message rendered once: every attempt of one email sends these bytes, and no other. */
export interface FrozenMessage {
  readonly from: string;
  readonly to: string;
  /** As on the wire, in angle brackets. */
  readonly messageId: string;
  readonly raw: Buffer;
  readonly sha256: string;
}

/** Two clocks of the sender's own process, both checked: of a paused machine, often only one has moved on. */
export interface SendLimit {
  expired(): boolean;
}

/**
 * What became of one attempt. `not_accepted` is proven: the mail service has not taken the message and no byte of it is
 * under way that could still make it do so. `permanent` says that trying the same again is useless.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly providerId: string | null }
  | { readonly kind: 'not_accepted'; readonly permanent: boolean; readonly phase: RefusedPhase; readonly code: number | null }
  | { readonly kind: 'unknown'; readonly phase: 'after_dot' | 'aborted' };

/**
 * `local` before anything was tried; `connect`, `auth`, `envelope`, `data` as far as the dialogue got;
 * `refused` by a complete reply to the whole message; `not_transmitted` because the send limit passed first.
 */
export type RefusedPhase = 'local' | 'connect' | 'auth' | 'envelope' | 'data' | 'refused' | 'not_transmitted';

export interface SendAttempt {
  readonly attemptId: string;
  readonly idempotencyKey: string;
  readonly limit: SendLimit;
  /** The same limit as a duration, for timers. */
  readonly limitMs: number;
}

/** Hands one message to a mail service, once. */
export interface MailProvider {
  readonly name: string;
  /** Settles at the limit or shortly after it, and never rejects for a fault of the transport. It cannot be told to stop. */
  send(message: FrozenMessage, attempt: SendAttempt): Promise<SendOutcome>;
  close(): void;
}

/** Absence proves nothing: a message may still be under way. `copies` above one means that it was delivered more than once. */
export type LookupResult =
  | { readonly kind: 'found'; readonly copies: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unavailable' };

/** Looks in a mailbox or a log for what became of a message. */
export interface MailLookup {
  readonly name: string;
  /** By the whole Message-ID, with or without its brackets. Never rejects: any fault is `unavailable`. */
  find(messageId: string, signal: AbortSignal): Promise<LookupResult>;
}

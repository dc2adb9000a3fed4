import type { SendOutcome } from '../mail.ts';

/**
 * How far a dialogue has got. `dot` means that the end of the message was given to the connection: from then on the
 * mail server may have it. Every earlier stage proves that it has not, since a server discards an unfinished message.
 */
export interface Dialogue {
  stage: 'connect' | 'auth' | 'envelope' | 'data' | 'dot' | 'held_back';
}

export class DeadlinePassed extends Error {}

/** What a failed dialogue proves. */
export function outcomeOf(error: unknown, { stage }: Dialogue): SendOutcome {
  const reply = replyIn(error);
  switch (stage) {
    case 'held_back':
      return { kind: 'not_accepted', permanent: false, phase: 'not_transmitted', code: null };
    case 'connect':
    case 'auth':
      // Such a reply is about the server or our account, not about this message: it may pass once somebody has seen to it.
      return { kind: 'not_accepted', permanent: false, phase: stage, code: reply.code };
    case 'envelope':
    case 'data':
      return { kind: 'not_accepted', permanent: reply.permanent, phase: stage, code: reply.code };
    case 'dot':
      if (reply.isToMessage) return { kind: 'not_accepted', permanent: reply.permanent, phase: 'refused', code: reply.code };
      return { kind: 'unknown', phase: error instanceof DeadlinePassed ? 'aborted' : 'after_dot' };
  }
}

interface Reply {
  readonly code: number | null;
  readonly permanent: boolean;
  /** A complete refusal of the whole message. nodemailer gives reply codes to lines that were cut off too, but never with EMESSAGE. */
  readonly isToMessage: boolean;
}

function replyIn(error: unknown): Reply {
  const facts: Readonly<Record<string, unknown>> = error instanceof Error ? { ...error } : {};
  const code = typeof facts.responseCode === 'number' ? facts.responseCode : null;
  const refuses = code !== null && code >= 400 && code <= 599;
  return { code, permanent: refuses && facts.permanent === true, isToMessage: refuses && facts.code === 'EMESSAGE' };
}

/** What a positive reply proves. A server that praises what it has not been given to its end has proven nothing. */
export function acceptanceOf(reply: string, { stage }: Dialogue): SendOutcome {
  return stage === 'dot' ? { kind: 'accepted', providerId: queueId(reply) } : { kind: 'unknown', phase: 'after_dot' };
}

/** The id that many servers give with their acceptance; a person can ask the postmaster for it. */
function queueId(reply: string): string | null {
  return /\bqueued as ([\w.-]{1,100})/i.exec(reply)?.[1] ?? null;
}

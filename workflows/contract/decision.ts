import type { Refusal } from './command.ts';
import type { Event } from './entry.ts';

/** What a command comes to: entries, the answer of an earlier one of the same meaning, or a refusal that writes nothing. */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** Accepts with entries; a decision that must write something and has nothing to write is refused for the reason given. */
export function accept(events: readonly Event[], ifEmpty?: Refusal): Decision {
  return events.length === 0 && ifEmpty !== undefined ? refuse(ifEmpty) : { kind: 'accepted', events };
}

export function repeat(): Decision {
  return { kind: 'repeated' };
}

export function refuse(reason: Refusal): Decision {
  return { kind: 'refused', reason };
}

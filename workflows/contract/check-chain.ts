import { hasReached, standing } from './check-outbox.ts';
import { emptyPast, remember, type Past } from './check-past.ts';
import { emptyRecord } from './check-record.ts';
import { isEntry } from './check-shape.ts';
import { emailOf } from './email.ts';
import type { EntryOf, Point, Violation } from './check-point.ts';
import type { Entry } from './entry.ts';
import type { EmailState } from './vocabulary.ts';

export const chainPoint = {
  number: 17,
  sentence: 'In a chain of superseding reports nobody is mailed twice for one month without an accepted risk, and each names the next.',
} as const satisfies Point;

/** One report of a chain; equal strings mean the same recipient, in the order of the report's emails. */
export interface Link {
  readonly entries: readonly Entry[];
  readonly recipients: readonly string[];
}

/** What became of a report's email to somebody for a month, as the link at that place of the chain tells it. */
interface Turn {
  readonly place: number;
  readonly at: string;
  readonly state: EmailState;
}
interface Guarded {
  readonly place: number;
  readonly claim: EntryOf<'email_claimed'>;
  readonly whom: string;
}
interface Chain {
  readonly turns: Record<string, Turn[]>;
  readonly claims: Guarded[];
}

/** Proves point 17 over superseding reports, oldest first. Ledgers are compared by their times, which one database's clock has given. */
export function checkChain(links: readonly Link[]): Violation[] {
  const registrations = links.map((link) => link.entries.filter(isEntry).find((entry) => entry.kind === 'registered'));
  const chain: Chain = { turns: emptyRecord(), claims: [] };
  links.forEach((link, place) => readLink(chain, link, place, registrations[place]));
  return [
    ...links.flatMap((link, place) => badLink(link, registrations[place], registrations[place + 1], place === links.length - 1)),
    ...chain.claims.filter(({ place, claim, whom }) => isMailedBefore(chain.turns[whom] ?? [], place, claim.at)).map(mailedTwice),
  ];
}

function violation(sequence: number | null, says: string): Violation {
  return { rule: chainPoint.number, sequence, says };
}

function mailedTwice({ claim }: Guarded): Violation {
  return violation(claim.sequence, `Email ${claim.email} was claimed although an earlier report may have reached the same recipient.`);
}

type Registration = EntryOf<'registered'> | undefined;

function badLink(link: Link, registration: Registration, next: Registration, isLast: boolean): Violation[] {
  if (registration === undefined) return [violation(null, 'A report of the chain is not registered.')];
  const { report, recipients } = registration;
  const given = link.recipients.length;
  const strangers = recipients === given ? [] : [violation(null, `Report ${report} has ${recipients} recipients, not ${given}.`)];
  if (isLast) return strangers;
  const isFollowed = link.entries.filter(isEntry).some((entry) => entry.kind === 'superseded' && entry.by === next?.report);
  const isNamed = next?.supersedes === report;
  return [
    ...strangers,
    ...(isFollowed ? [] : [violation(null, `Report ${report} does not name the report after it as its successor.`)]),
    ...(isNamed ? [] : [violation(null, `Report ${next?.report ?? 'after it'} does not say that it supersedes ${report}.`)]),
  ];
}

/** Notes each turn of the report's own emails, and its claims that an ancestor's email may forbid. */
function readLink(chain: Chain, link: Link, place: number, registration: Registration): void {
  const past = emptyPast();
  for (const entry of link.entries.filter(isEntry)) {
    remember(past, entry);
    const whom = recipientOf(entry, link, registration);
    if (whom === null || !('email' in entry)) continue;
    (chain.turns[whom] ??= []).push({ place, at: entry.at, state: stateOf(past, entry.email) });
    if (entry.kind === 'email_claimed' && entry.authority === 'report' && registration?.acceptedDuplicateRisk === false) {
      chain.claims.push({ place, claim: entry, whom });
    }
  }
}

function recipientOf(entry: Entry, link: Link, registration: Registration): string | null {
  const name = 'email' in entry ? emailOf(entry.email) : null;
  if (name === null || name.correction !== null) return null;
  const recipient = link.recipients[name.number - 1];
  return recipient === undefined || registration === undefined ? null : `${registration.month} ${recipient}`;
}

function stateOf(past: Past, email: string): EmailState {
  return standing(past.outbox.mails[email]?.attempts ?? []);
}

/** Whether an ancestor's email to the same recipient for the same month had, or may have, arrived before. */
function isMailedBefore(turns: readonly Turn[], place: number, at: string): boolean {
  const latest: EmailState[] = [];
  turns.filter((turn) => turn.place < place && turn.at < at).forEach((turn) => (latest[turn.place] = turn.state));
  return latest.some((state) => state === 'sending' || hasReached(state));
}

import { describe, expect, test } from 'vitest';
import { checkChain, type Link } from '../workflows/contract/check-chain.ts';
import { points } from '../workflows/contract/check-points.ts';
import { checkRows, type Rows } from '../workflows/contract/check-rows.ts';
import { check } from '../workflows/contract/check.ts';
import { freshEmail } from '../workflows/contract/email.ts';
import type { Entry } from '../workflows/contract/entry.ts';
import type { State } from '../workflows/contract/state.ts';
import { changed, mauled, without } from './support/corruptions.ts';
import { cancel, claim, crowd, find, giveUp, live, loseWorkflow, mail, makeReport, outcome, resend, second, supersede, wait } from './support/deeds.ts';
import type { Deed, Start } from './support/deeds.ts';
import { lifeOf, lives } from './support/lives.ts';
import { random } from './support/random.ts';
import { cpuMillisecondsOf } from './support/cpu-time.ts';
import { wander } from './support/wanderings.ts';

function stateOf(entries: readonly Entry[]): State {
  const { state } = check(entries);
  if (state === null) throw new Error('the ledger has no fold');
  return state;
}

function rowsOf({ report, operations, emails }: State): Rows {
  return JSON.parse(JSON.stringify({ report, operations: Object.values(operations), emails: Object.values(emails) }));
}

function linkOf(entries: readonly Entry[], ...recipients: readonly string[]): Link {
  return { entries, recipients: recipients.length > 0 ? recipients : ['ann', 'bob'] };
}

function twiceOver<T>(rows: readonly T[]): T[] {
  return [...rows, ...rows];
}

function first<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('there is no row');
  return row;
}

describe('a ledger that the contract wrote', () => {
  test.each(Object.entries(lives))('has nothing against it: %s', (_life, entries) => {
    expect(check(entries).violations).toEqual([]);
  });

  test('has nothing against it, whatever happened in whatever order', () => {
    const wanderings = Array.from({ length: 400 }, (_, seed) => wander(seed));
    expect(wanderings.flatMap((entries) => check(entries).violations)).toEqual([]);
    expect(Object.keys(Object.groupBy(wanderings.flat(), (entry) => entry.kind))).toHaveLength(18);
  });

  test('is checked in time for ten thousand entries of five thousand emails', () => {
    const entries = crowd(5000);
    expect(entries.length).toBeGreaterThan(10_000);
    expect(cpuMillisecondsOf(() => check(entries))).toBeLessThan(2000);
  });
});

describe('what a status told', () => {
  const stopping = live(makeReport(1), claim('report-1'), cancel());
  const sent = 'Finished. Report saved; email accepted by the mail service';
  const waiting = 'Stopping… waiting for the mail service to answer. Report saved; email being sent';
  const finished = { phase: 'finished', effect: null, headline: sent } as const;
  const pending = { phase: 'saved', effect: 'pending', headline: waiting } as const;
  const tooLate = { phase: 'finished', effect: 'too_late', headline: sent } as const;
  const prevented = { phase: 'cancelled', effect: 'prevented', headline: 'Cancelled before anything started' } as const;
  const early = { ...pending, headline: 'Cancelled. Report saved; email being sent' } as const;

  test.each([
    { told: finished, entries: live(makeReport(1), mail(1)), points: [] },
    { told: pending, entries: stopping, points: [] },
    { told: prevented, entries: lifeOf('cancelled while queued'), points: [] },
    { told: { ...finished, effect: 'prevented' } as const, entries: live(makeReport(1), mail(1)), points: [14] },
    { told: tooLate, entries: lifeOf('cancelled while queued'), points: [14, 15] },
    { told: { ...pending, effect: null }, entries: stopping, points: [14] },
    { told: early, entries: stopping, points: [15] },
    { told: { ...pending, phase: 'cancelled' } as const, entries: stopping, points: [15] },
  ])('is objected to by points $points: $told.phase, $told.effect, $told.headline', ({ told, entries, points: objecting }) => {
    expect(check(entries, told).violations.map(({ rule }) => rule)).toEqual(objecting);
  });

  test('of an ended report whose cancel came afterwards is too late', () => {
    const entries = lifeOf('cancelled after the end');
    const told = { ...tooLate, headline: 'Finished before it could be cancelled. Report saved; email accepted by the mail service' } as const;
    expect(check(entries, told).violations).toEqual([]);
  });
});

describe('the points that were checked in full', () => {
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
  const entries = lifeOf('still queued');

  test('are all of a ledger, where it is compared with what was told', () => {
    expect(check(entries, { headline: 'Queued', phase: 'queued', effect: null }).checked).toEqual(upTo(15));
  });

  test('leave out the receipt and the status, where nothing was told', () => {
    expect(check(entries).checked).toEqual(upTo(13));
  });

  const finished = lifeOf('finished, every email accepted');

  test.each([
    { what: 'has no beginning', broken: without({ kind: 'registered' })(finished), breaks: 1 },
    { what: 'has an end of what never began', broken: without({ kind: 'operation_begun', step: 'combine' })(finished), breaks: 1 },
    { what: 'has something else in it', broken: changed({ kind: 'saved' }, { hash: 7 })(finished), breaks: 0 },
  ])('leave out what needs the fold, where the ledger $what', ({ broken, breaks }) => {
    const { checked, state, violations } = check(broken);
    expect(checked).toEqual([...upTo(11), 13]);
    expect(state).toBeNull();
    expect(violations.filter(({ says }) => says.includes('cannot be folded'))).toHaveLength(breaks);
  });

  test('are each told in a sentence of their own', () => {
    expect(points.map(({ number }) => number)).toEqual(upTo(17));
    expect(points.every(({ sentence }) => /^[A-Z].{30,}[.]$/.test(sentence))).toBe(true);
  });
});

describe('stored rows', () => {
  const state = stateOf(lifeOf('corrected twice'));
  const rows = rowsOf(state);
  const operation = first(rows.operations);
  const email = first(rows.emails);
  const otherOperations = rows.operations.slice(1);
  const otherEmails = rows.emails.slice(1);

  test.each(Object.entries(lives))('that equal the fold have nothing against them: %s', (_life, entries) => {
    const folded = stateOf(entries);
    expect(checkRows(folded, rowsOf(folded))).toEqual([]);
  });

  test.each<{ says: string; stored: Rows }>([
    { says: 'In the fence, openClaims is 1, and the ledger makes it 0.', stored: { ...rows, report: { ...rows.report, openClaims: 1 } } },
    { says: 'In the fence, document is', stored: { ...rows, report: { ...rows.report, document: { ...rows.report.document, hash: 'other' } } } },
    { says: 'There is no row of operation collect.', stored: { ...rows, operations: otherOperations } },
    { says: 'In operation collect, holder is "nobody"', stored: { ...rows, operations: [...otherOperations, { ...operation, holder: 'nobody' }] } },
    { says: 'There is a row of operation more, of which', stored: { ...rows, operations: [...rows.operations, { ...operation, id: 'more' }] } },
    { says: 'There are two rows of one operation.', stored: { ...rows, operations: [...rows.operations, operation] } },
    { says: 'In email report-1, attempts is []', stored: { ...rows, emails: [...otherEmails, freshEmail('report-1')] } },
    { says: 'In email report-1, attempts is', stored: { ...rows, emails: otherEmails } },
    { says: 'In email report-1, gaveUp is "retry_budget"', stored: { ...rows, emails: [...otherEmails, { ...email, gaveUp: 'retry_budget' }] } },
    { says: 'In email report-1, attempts is [{', stored: { ...rows, emails: [...otherEmails, { ...email, attempts: twiceOver(email.attempts) }] } },
    { says: 'There is a row of email report-9, of which', stored: { ...rows, emails: [...rows.emails, freshEmail('report-9')] } },
    { says: 'There is no row of email correction-1-1.', stored: { ...rows, emails: rows.emails.filter(({ id }) => id !== 'correction-1-1') } },
  ])('are objected to by point 16: $says', ({ says, stored }) => {
    expect(checkRows(state, stored)).toContainEqual({ rule: 16, sequence: null, says: expect.stringContaining(says) });
  });

  test('may be there for an email of which nothing is known', () => {
    const queued = stateOf(lifeOf('still queued'));
    expect(checkRows(queued, { ...rowsOf(queued), emails: [freshEmail('report-2')] })).toEqual([]);
  });
});

describe('a chain of superseding reports', () => {
  const one = 'report-1';
  const earlier = (...deeds: Deed[]): Link => linkOf(live(makeReport(2, { report: 'first' }), deeds));
  const later = (start: Start, ...deeds: Deed[]): Link => linkOf(live(wait(3600), makeReport(2, { report: 'second', supersedes: 'first', ...start }), deeds));
  const mailedAnn = earlier(...mail(1), cancel(), supersede('second'));
  const mailsAnn = later({}, claim(one), outcome(one, 'accepted'));

  test.each<{ what: string; chain: Link[] }>([
    { what: 'mails only whom its ancestor has not mailed', chain: [mailedAnn, later({}, giveUp(one, 'already_mailed'), ...mail(2))] },
    { what: 'accepted the risk', chain: [mailedAnn, later({ acceptedDuplicateRisk: true }, ...mail(1, 2))] },
    { what: 'is for another month', chain: [mailedAnn, later({ month: '2025-06' }, ...mail(1, 2))] },
    { what: 'mails whom its ancestor was refused', chain: [earlier(claim(one), outcome(one, 'refused'), cancel(), supersede('second')), mailsAnn] },
    {
      what: 'mails whom its ancestor turned out to have been refused',
      chain: [earlier(claim(one), outcome(one, 'unknown'), cancel(), supersede('second'), outcome(one, 'refused')), mailsAnn],
    },
    {
      what: 'mails somebody whom its ancestor is found to have mailed only afterwards',
      chain: [earlier(claim(one), outcome(one, 'refused'), cancel(), supersede('second'), wait(7200), find(one)), mailsAnn],
    },
    {
      what: 'tries again what it was refused itself',
      chain: [earlier(cancel(), supersede('second')), later({}, claim(one), outcome(one, 'unknown'), outcome(one, 'refused'), claim(one, 2))],
    },
    { what: 'follows one that it does not share a recipient with', chain: [{ ...mailedAnn, recipients: ['cay', 'bob'] }, mailsAnn] },
  ])('has nothing against a report that $what', ({ chain }) => {
    expect(chain.flatMap(({ entries }) => check(entries).violations)).toEqual([]);
    expect(checkChain(chain)).toEqual([]);
  });

  const third = linkOf(live(wait(7200), makeReport(2, { report: 'third', supersedes: 'second' }), claim(one)));
  const bobThenAnn = { ...mailedAnn, recipients: ['bob', 'ann'] };
  const unsure = earlier(claim(one), outcome(one, 'unknown'), cancel(), supersede('second'));
  const unnamed = later({ supersedes: 'other' });
  const silent = linkOf(live(wait(3600), makeReport(2, { report: 'second', supersedes: 'first' }), cancel(), supersede('third')));
  const resending = earlier(loseWorkflow, resend(one), claim(one, 1, { authority: 'resend-1' }), supersede('second'));
  const reached = 'may have reached the same recipient';

  test.each<{ what: string; says: string; chain: Link[] }>([
    { what: 'mails whom its ancestor mailed', says: reached, chain: [mailedAnn, mailsAnn] },
    { what: 'mails whom its ancestor mailed, as another email', says: reached, chain: [bobThenAnn, later({}, claim('report-2'))] },
    { what: 'mails whom its ancestor may have mailed', says: reached, chain: [unsure, mailsAnn] },
    { what: 'mails whom its ancestor is mailing', says: reached, chain: [resending, mailsAnn] },
    { what: "mails whom its ancestor's ancestor mailed", says: reached, chain: [mailedAnn, silent, third] },
    { what: 'its ancestor does not name', says: 'does not name the report after it', chain: [earlier(cancel(), supersede('other')), mailsAnn] },
    { what: 'does not name its ancestor', says: 'does not say that it supersedes first', chain: [earlier(cancel(), supersede('second')), unnamed] },
    { what: 'has other recipients than it says', says: 'Report first has 2 recipients, not 1', chain: [{ ...mailedAnn, recipients: ['ann'] }] },
    { what: 'is not registered', says: 'not registered', chain: [mailedAnn, linkOf([])] },
  ])('objects by point 17 to a report that $what', ({ chain, says }) => {
    const violations = checkChain(chain);
    expect(violations.map(({ rule }) => rule)).toContain(17);
    expect(violations.map((violation) => violation.says).join()).toContain(says);
  });
});

describe('whatever stands in place of a ledger', () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed);
  const ledgers = Object.values(lives).flatMap((entries, life) => seeds.map((seed) => mauled(entries, random(1000 * life + seed))));

  test('is answered with violations and never with an exception', () => {
    expect(ledgers.length).toBeGreaterThan(2500);
    expect(() => ledgers.map((entries) => check(entries, { headline: '', phase: 'queued', effect: null }))).not.toThrow();
    expect(() => seeds.map((seed) => checkChain(ledgers.slice(4 * seed, 4 * seed + 4).map((entries) => linkOf(entries, 'ann'))))).not.toThrow();
  });

  test('passes only where the mauling took nothing that the ledger needs', () => {
    const passing = ledgers.filter((entries) => check(entries).violations.length === 0);
    expect(passing.length).toBeLessThan(ledgers.length / 10);
  });

  test('is objected to by the sequence that it has', () => {
    const { violations } = check(changed({ kind: 'saved' }, { hash: 7 })(lifeOf('still sending')));
    expect(violations).toContainEqual(expect.objectContaining({ rule: 1, sequence: 10 }));
  });

  test.each([[[null]], [['text', 7, {}, []]], [[{ kind: '__proto__', sequence: 1, at: second(0) }]]])('is objected to by point 1: %j', (junk) => {
    expect(check(JSON.parse(JSON.stringify(junk))).violations).toContainEqual(expect.objectContaining({ rule: 1 }));
  });
});

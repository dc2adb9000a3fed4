import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Status } from '../workflows/contract/status.ts';
import { claimOf, inputOf, registerReport, throughSave, throughStep, throughSummary } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;
const browser = { Accept: 'text/html,*/*;q=0.8' };
const evil = '<img src=x onerror=alert(1)>"\'&';
const escaped = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;';

beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

const page = async (path: string): Promise<string> => (await api.get(path, browser)).text();

/** The content of a part of a page, by its id. */
const part = (html: string, id: string): string => new RegExp(`<(\\w+) id="${id}"[^>]*>(.*?)</\\1>`, 's').exec(html)?.[2] ?? `no ${id}`;

/** A report with something of everybody in it. */
async function withTextsOfOthers(id: string): Promise<void> {
  await registerReport(api.store, id, { title: evil, recipients: ["o'brien@example.com", 'two@example.com'] });
  await api.store.decisions.begin(id, { operation: `of ${id}`, step: 'collect', owner: 'run/1', holder: evil, deadlineMs: 60_000 });
  await api.store.decisions.keepSkipped(id, `of ${id}`, [{ name: evil, why: evil }]);
}

describe('the page of a report', () => {
  test('shows while it works what runs, what is waited for, and what a cancel would come to', async () => {
    await withTextsOfOthers('working');
    const html = await page('/reports/working');
    expect(part(html, 'headline')).toBe('Collecting documents');
    expect(part(html, 'cancel')).toContain('Stop the running operation. No report would be saved and no email would be sent.');
    expect(part(html, 'cancel')).toContain('<button type="button" id="cancel-button"');
    expect(part(html, 'waiting')).toMatch(/Collecting the documents.*for <time[^>]*data-age>.*recorded as lost if still open in <time/s);
    expect(part(html, 'operations')).toContain('running');
    expect(part(html, 'facts')).toMatch(/Last committed.*operation begun.*href="\/reports\/working\/ledger">2 entries/s);
    expect(part(html, 'receipt')).toBe('');
  });

  test('shows every text of others as text', async () => {
    await withTextsOfOthers('others');
    await api.post('/api/reports/others/cancel', { reason: evil });
    const html = await page('/reports/others');
    expect(html).not.toContain('<img');
    expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(6);
    expect(part(html, 'skipped')).toContain(`<code>${escaped}</code> — ${escaped}`);
    expect(part(html, 'receipt')).toContain(`<dd>${escaped}</dd>`);
    expect(html).toContain('o&#39;brien@example.com');
    expect(await page('/')).toContain(escaped);
    expect(await page('/')).not.toContain('<img');
    expect(await page('/reports/others/ledger')).not.toContain('<img');
  });

  test('shows a receipt: when, through what, by whom, why, with what effect, and what it prevented', async () => {
    await throughSave(api.store, 'cancelled');
    await api.post('/api/reports/cancelled/cancel', { reason: 'wrong month' }, { 'X-Standdown-Door': 'page' });
    const html = await page('/reports/cancelled');
    const { cancelRequest } = await bodyOf<Status>(await api.get('/api/reports/cancelled'));
    expect(part(html, 'headline')).toBe('Cancelled. Report saved; email not started');
    expect(part(html, 'receipt')).toContain(`<time datetime="${cancelRequest?.requestedAt}">`);
    expect(part(html, 'receipt').replace(/<[^>]+>/g, ' ')).toMatch(/Through\s+the page\s+By\s+page\s+Reason\s+wrong month\s+Effect\s+prevented what had not happened yet\s+Prevented\s+1 email not yet started\s+Receipt/);
    expect(part(html, 'cancel')).toBe('');
    expect(part(html, 'facts')).toContain('<a href="/reports/cancelled/document">Read it</a>');
  });

  test('shows each attempt of an email, and what to look for by hand', async () => {
    await throughSave(api.store, 'mailed');
    await api.store.decisions.claim('mailed', claimOf('report-1', { attempt: 'first' }));
    await api.store.decisions.outcome('mailed', { email: 'report-1', attempt: 'first', outcome: 'refused', permanent: false, phase: 'data', code: 451 });
    await api.store.decisions.claim('mailed', claimOf('report-1', { attempt: 'second' }));
    await api.store.decisions.outcome('mailed', { email: 'report-1', attempt: 'second', outcome: 'unknown', permanent: false, phase: 'data', code: null });
    const emails = part(await page('/reports/mailed'), 'emails');
    expect(emails).toContain('reader@example.com');
    expect(emails).toMatch(/outcome unconfirmed.*Check by hand.*Search test for Message-ID <code>&lt;report-1@test&gt;<\/code>/s);
    expect(emails).toMatch(/refused, code 451.*outcome unknown/s);
  });

  test('shows how far summarising has come', async () => {
    await registerReport(api.store, 'summarising');
    await throughStep(api.store, 'summarising', 'collect');
    await api.store.decisions.begin('summarising', { operation: 'a summary', step: 'summarise/1', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
    expect(part(await page('/reports/summarising'), 'course')).toMatch(/<li class="now" aria-current="step">Summarising<\/li>.*0 of 1 documents summarised.*<progress id="done" value="0" max="1">/s);
  });

  test('shows the first hundred of many emails and where the rest is', async () => {
    await registerReport(api.store, 'many', { recipients: Array.from({ length: 120 }, (_, index) => `reader${index}@example.com`) });
    expect(part(await page('/reports/many'), 'emails')).toMatch(/reader99@example\.com.*The first 100 are shown\. <a href="\/api\/reports\/many\/emails">/s);
  });

  test.each(['/reports/nobody', '/reports/%00', '/reports/nobody/ledger'])('that does not exist (%s) is answered 404 as a page', async (path) => {
    const response = await api.get(path, browser);
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/<h1>There is no such report<\/h1>/);
  });
});

async function registerMany(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await registerReport(api.store, `listed-${number}`);
}

describe('the first page', () => {
  test('lists reports and leads to earlier ones', async () => {
    await registerMany(25);
    const first = await page('/');
    const next = /href="(\/\?cursor=\d+)"/.exec(first)?.[1] ?? '';
    expect(first).toMatch(/href="\/reports\/listed-25".*Queued.*July 2025/s);
    expect(first).not.toContain('/reports/listed-5"');
    expect(await page(next)).toContain('/reports/listed-5"');
    expect(await page('/?phase=failed')).toContain('No report is in this phase.');
  });

  test('has a form with a new key each time', async () => {
    const keys = [part(await page('/'), 'key'), part(await page('/'), 'key')];
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test.each(['month', 'path', 'recipients', 'title'])('labels its field %s', async (name) => {
    expect(await page('/')).toMatch(new RegExp(`<label for="${name}">[^<]+</label><(input|textarea) id="${name}"`));
  });

  test('answers a bad cursor with a page that says so', async () => {
    const response = await api.get('/?cursor=x', browser);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('cursor must be one that an earlier answer gave as nextCursor');
  });
});

test.each(['/', '/reports/paged', '/?supersedes=paged', '/reports/paged/ledger', '/reports/paged/document', '/api/reports/paged/document'])('%s has no script or style of its own, and loads nothing from elsewhere', async (path) => {
  await api.store.register({ reportId: 'paged', input: inputOf(), caller: 'test', key: 'paged' });
  const html = await page(path);
  expect(html).not.toMatch(/<style|style=|<script(?! src="\/(start|report)\.js" type="module"><\/script>)|\son\w+=|(src|href)="(?!\/|#)/);
});

test.each([
  ['/page.css', 'text/css; charset=utf-8'],
  ['/page.js', 'text/javascript; charset=utf-8'],
  ['/start.js', 'text/javascript; charset=utf-8'],
  ['/report.js', 'text/javascript; charset=utf-8'],
  ['/after-end.js', 'text/javascript; charset=utf-8'],
  ['/icon.svg', 'image/svg+xml'],
])('%s is served as %s', async (path, type) => {
  const response = await api.get(path);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
});

describe('a saved report', () => {
  const markdown = [
    '# Minutes & more',
    `Text with ${evil}, a [link](javascript:alert(1)), an ![image](https://evil.example/x.png) and **bold**.`,
    `## ${evil}`,
    '<script>alert(1)</script>',
    `## Long\n\n${'- a line that is very long\n'.repeat(40_000)}`,
    '## Last',
  ].join('\n\n');

  test('is shown with its Markdown as HTML, its HTML as text, and within reasonable time', async () => {
    await throughSummary(api.store, 'document');
    await api.store.decisions.save('document', markdown, 'hash');
    const began = performance.now();
    const html = await page('/api/reports/document/document');
    expect(performance.now() - began).toBeLessThan(5000);
    expect(html).toMatch(/<h1>Minutes &amp; more<\/h1>.*<strong>bold<\/strong>.*<pre>## Long.*<h2>Last<\/h2>/s);
    expect(html).not.toMatch(/<script|<img src=x|javascript:/);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mail, oneOfEach, succeed } from './support/lives-in-store.ts';
import { registerReport, throughSave, throughWork } from './support/steps.ts';
import { openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;
const evil = '<img src=x onerror=alert(1)>"\'&';
const escaped = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;';
const asking = { request: 'a key', by: null } as const;

beforeAll(async () => {
  api = await openApi();
  const { store } = api;
  await oneOfEach(store);
  for (const id of ['cancelled-saved', 'deleted', 'superseded', 'superseded-deleted', 'corrected', 'given-up']) await throughSave(store, id);
  await api.post('/api/reports/cancelled-saved/cancel', { reason: 'a secret reason' });
  for (const id of ['deleted', 'superseded', 'superseded-deleted'] as const) await mail(store, id, 'refused');
  await mail(store, 'corrected', 'accepted');
  for (const id of ['superseded', 'superseded-deleted'] as const) await succeed(store, id, `successor-of-${id}`, 'other@example.com');
  for (const id of ['deleted', 'superseded-deleted'] as const) await store.decisions.deleteDocument(id, asking);
  await store.decisions.orderCorrection('corrected', { ...asking, message: `${evil}\nand more` });
  await store.decisions.giveUp('given-up', { email: 'report-1', because: 'already_mailed' });
});
afterAll(() => api.close());

const page = async (path: string): Promise<string> => (await api.get(path, { Accept: 'text/html' })).text();

/** What the page of a report offers, in the order it is shown. */
async function offersOf(id: string): Promise<string[]> {
  const html = await page(`/reports/${id}`);
  return [...html.matchAll(/data-opens="(\w+)"(?: data-email="([\w-]+)" data-risk="(\w*)")?|href="\/\?(supersedes)=/g)].map(([, opens, email, risk, link]) =>
    [opens ?? link, ...(email === undefined ? [] : [email]), ...(risk === 'true' ? ['at a risk'] : [])].join(' '),
  );
}

describe('the page of a report', () => {
  test.each([
    ['queued', []],
    ['finished', ['correct', 'delete', 'supersedes']],
    ['unconfirmed', ['correct', 'delete', 'supersedes', 'resend report-1 at a risk']],
    ['refused', ['delete', 'supersedes', 'resend report-1']],
    ['given-up', ['delete', 'supersedes', 'resend report-1']],
    ['cancelled', ['supersedes']],
    ['cancelled-saved', ['supersedes', 'delete']],
    ['failed', ['supersedes']],
    ['deleted', ['supersedes']],
    ['superseded', ['delete']],
    ['corrected', ['correct', 'delete', 'supersedes']],
  ])('that is %s offers %j', async (id, offers) => {
    expect(await offersOf(id)).toEqual(offers);
  });

  test.each([
    ['unconfirmed', 'resend', 'The email to reader@example.com may have arrived: nothing could confirm it. Sent again, it may arrive twice.'],
    ['refused', 'resend', 'The mail service refused the email to reader@example.com. It is sent once more.'],
    ['given-up', 'resend', 'No email was sent to reader@example.com (given up: the report that this one supersedes may have mailed it already). It is sent now.'],
    ['finished', 'correct', 'It is emailed to the one recipient who has, or may have, the email of this report, and shown with the saved report. It cannot be taken back.'],
    ['finished', 'delete', 'Monthly report for July 2025 (July 2025) is taken away for good. Whoever opens an emailed link to it is told that it was deleted.'],
  ])('that is %s says before it is asked to %s what that comes to', async (id, name, says) => {
    expect(await page(`/reports/${id}`)).toMatch(new RegExp(`data-opens="${name}"[^>]* data-says="${says.replaceAll(/[.()]/g, '\\$&')}"`));
  });

  test('keeps its dialogs out of the parts that change, so that typing in them is not lost', async () => {
    const html = await page('/reports/finished');
    const live = [...html.matchAll(/<(section|h1) id="[\w-]+"[^>]* data-live>.*?<\/\1>/gs)].map(([whole]) => whole).join('');
    expect(live).toContain('data-opens="correct"');
    expect(live).not.toMatch(/<dialog|<textarea|<input/);
    expect(html).toMatch(/<label for="message">[^<]+<\/label>\n<textarea id="message" [^>]*maxlength="2000"/);
  });

  test('shows the words of a correction as text, and its emails', async () => {
    const html = await page('/reports/corrected');
    expect(html).toContain(`<p>${escaped}\nand more</p>`);
    expect(html).toContain('correction 1');
    expect(html).not.toContain('<img');
  });
});

describe('the form of a superseding report', () => {
  test('is filled in with what the superseded one was made of', async () => {
    const sources = [{ kind: 'folder', path: 'minutes/{month}' }, { kind: 'folder', path: evil }] as const;
    await registerReport(api.store, 'made-of', { title: evil, recipients: ['one@example.com', 'two@example.com'], sources });
    await throughWork(api.store, 'made-of');
    const html = await page('/?supersedes=made-of');
    expect(html).toContain('<h2 id="start">Start a superseding report</h2>');
    expect(html).toContain('<input type="hidden" id="supersedes" name="supersedes" value="made-of">');
    expect(html).toMatch(/<input id="month" [^>]*value="2025-07"/);
    expect(html).toMatch(new RegExp(`<textarea id="path" [^>]*>minutes/{month}\n${escaped}</textarea>`.replace('(1)', '\\(1\\)')));
    expect(html).toMatch(/<textarea id="recipients" [^>]*>one@example\.com\ntwo@example\.com<\/textarea>/);
    expect(html).toContain(`<input id="title" name="title" value="${escaped}"`);
    expect(html).toMatch(/<label class="tick" for="acceptDuplicateRisk"><input type="checkbox" id="acceptDuplicateRisk"/);
  });

  test('says what the superseded one has come to, and who would be mailed', async () => {
    const html = await page('/?supersedes=finished');
    expect(html).toContain('It replaces <a href="/reports/finished">Monthly report for July 2025</a>: Finished. Report saved; email accepted by the mail service.');
    expect(html).toContain('The one recipient may have this report&#39;s email already: a report that supersedes this one mails nobody; any other new one mails that one again.');
  });

  test.each(['/', '/?supersedes='])('is the usual one at %s', async (path) => {
    const html = await page(path);
    expect(html).toContain('<h2 id="start">Start a report</h2>');
    expect(html).not.toMatch(/name="supersedes"|acceptDuplicateRisk/);
    expect(html).toContain('name="path" value="minutes/{month}"');
  });

  test.each(['/?supersedes=nobody', '/?supersedes=a%00b'])('of no report (%s) is answered 404 as a page', async (path) => {
    const response = await api.get(path, { Accept: 'text/html' });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('<h1>There is no such report</h1>')]);
  });
});

test.each([
  ['deleted', 410, [/This report has been deleted/, /deleted by the people who run these reports/]],
  ['superseded', 200, [/A newer report exists that replaces this one/, /<article><p>text<\/p><\/article>/]],
  ['superseded-deleted', 410, [/This report has been deleted/, /A newer report exists that replaces it/]],
  ['cancelled-saved', 200, [/This report was cancelled after it had been saved/, /<article><p>text<\/p><\/article>/]],
  ['corrected', 200, [/Correction: &lt;img/, /<article><p>text<\/p><\/article>/]],
  ['finished', 200, [/<main class="document">\s*<article>/]],
])('the emailed link to the report that is %s is answered %i and explains itself', async (id, status, texts) => {
  const response = await api.get(api.linkTo(id));
  const text = await response.text();
  expect(response.status).toBe(status);
  expect(texts.filter((pattern) => !pattern.test(text))).toEqual([]);
  expect(text).not.toMatch(/secret reason|@example\.com|successor-of|<img/);
});

import { setImmediate as breathe } from 'node:timers/promises';
import { html, raw } from 'hono/html';
import { micromark } from 'micromark';
import type { Status } from '../../../workflows/contract/status.ts';
import { layout, monthName, time, titleOf, type Html } from './layout.ts';

/** The saved report as a page, with what has become of it since: for its recipients, so it tells nothing of other people. */
export async function documentPage(report: Status, markdown: string): Promise<Html> {
  const rendered = await renderMarkdown(markdown);
  const body = html`<main class="document">
${notices(report)}
<article>${rendered}</article>
<footer class="quiet">${titleOf(report)}${report.document.savedAt === null ? null : html` · saved ${time(report.document.savedAt)}`}</footer>
</main>`;
  return layout({ title: titleOf(report), script: null, body });
}

function notices(report: Status): Html | null {
  const corrections = report.corrections.flatMap(({ message }) => (message === null ? [] : [`Correction: ${message}`]));
  const told = [
    ...(report.supersededBy === null ? [] : ['A newer report exists that replaces this one; whoever it is for is told by an email of its own.']),
    ...corrections,
    ...(report.phase === 'cancelled' ? ['This report was cancelled after it had been saved: emails that had not been sent by then were not sent any more.'] : []),
  ];
  return told.length === 0 ? null : html`<aside class="notice" aria-label="About this report">${told.map((text) => html`<p>${text}</p>`)}</aside>`;
}

/** Why there is nothing to show where a link or an id leads. */
export function absentPage(report: Status): Html {
  return plainPage(report.document.state === 'deleted' ? 'This report has been deleted' : 'This report was not saved', [
    `It was the report for ${monthName(report.month)}. ${whyAbsent(report)}`,
    ...(report.supersededBy === null ? [] : ['A newer report exists that replaces it; whoever it is for is told by an email of its own.']),
  ]);
}

function whyAbsent({ document, phase }: Status): string {
  if (document.state === 'deleted') return 'It had been saved, and was deleted by the people who run these reports.';
  if (phase === 'cancelled') return 'It was cancelled before it was saved.';
  if (phase === 'failed') return 'It failed before it was saved.';
  return 'It is not finished yet.';
}

export function strangeLinkPage(): Html {
  return plainPage('This link leads nowhere', ['It may have been cut short: copy the whole of it from the email.']);
}

function plainPage(title: string, paragraphs: readonly string[]): Html {
  return layout({ title, script: null, body: html`<main class="document"><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</main>` });
}

/** The parser takes quadratic time: 16 KiB take a quarter of a second, 1 MiB more than a minute. */
const parsedAtOnce = 16 * 1024;

/** Safe HTML: raw HTML and dangerous addresses in the Markdown come out as text. Other requests are served between its sections. */
async function renderMarkdown(markdown: string): Promise<Html[]> {
  const sections: Html[] = [];
  for (const section of markdown.split(/\n\n(?=## )/)) {
    sections.push(section.length > parsedAtOnce ? html`<pre>${section}</pre>` : raw(micromark(section)));
    await breathe();
  }
  return sections;
}

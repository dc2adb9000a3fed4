import { html } from 'hono/html';
import { phases, type Phase } from '../../../workflows/contract/vocabulary.ts';
import type { Listed } from '../../../store/reading.ts';
import { phaseWords } from '../words.ts';
import { badge, layout, monthName, time, titleOf, topLine, type Html } from './layout.ts';
import { startForm, type Superseded } from './start-form.ts';

export interface ListContent {
  readonly items: readonly Listed[];
  readonly next: number | null;
  /** Only reports in this phase are listed; null for all. */
  readonly phase: Phase | null;
  /** Under which the form starts one report, however often it is sent. */
  readonly startKey: string;
  /** What the form is filled in with; null for a report that supersedes none. */
  readonly superseded: Superseded | null;
  readonly now: string;
}

export function listPage(content: ListContent): Html {
  const body = html`${topLine(html`<a class="jump" href="#start">Start a report</a>`)}<main>
<div class="columns">
<section aria-labelledby="reports">
<h1 id="reports">Reports</h1>
${filter(content.phase)}
${content.items.length === 0 ? html`<p class="empty">${content.phase === null ? 'No report yet.' : 'No report is in this phase.'}</p>` : html`<ul class="reports">${content.items.map(row)}</ul>`}
<p class="quiet">As of ${time(content.now)}${nextLink(content)}</p>
</section>
${startForm(content.startKey, content.superseded)}
</div>
</main>`;
  return layout({ title: 'Standdown', script: '/start.js', body });
}

function filter(phase: Phase | null): Html {
  const links = Object.keys(phases).map((name) => ({ name, href: `/?phase=${name}`, isCurrent: name === phase }));
  const all = [{ name: 'all', href: '/', isCurrent: phase === null }, ...links];
  return html`<nav class="filter" aria-label="Phase">${all.map(({ name, href, isCurrent }) => html`<a href="${href}"${isCurrent ? html` aria-current="page"` : null}>${name}</a> `)}</nav>`;
}

function row(report: Listed): Html {
  const { id, month, headline, createdAt, phase, stopping } = report;
  return html`<li><a href="/reports/${id}">
<span class="line"><b>${titleOf(report)}</b>${stopping ? badge('stopping', 'Stopping') : badge(phase, phaseWords[phase])}</span>
<span class="sentence">${headline}</span>
<span class="quiet">${monthName(month)} · started ${time(createdAt)}</span>
</a></li>`;
}

function nextLink({ next, phase }: ListContent): Html | null {
  if (next === null) return null;
  const query = new URLSearchParams({ ...(phase === null ? {} : { phase }), cursor: String(next) });
  return html` · <a href="/?${query.toString()}" rel="next">Earlier reports</a>`;
}

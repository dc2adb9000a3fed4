import { html } from 'hono/html';
import { inputLimits } from '../../../workflows/contract/input.ts';
import { phases, type Phase } from '../../../workflows/contract/vocabulary.ts';
import type { Listed } from '../../../store/reading.ts';
import { phaseWords } from '../words.ts';
import { badge, layout, monthName, time, titleOf, topLine, type Html } from './layout.ts';

export interface ListContent {
  readonly items: readonly Listed[];
  readonly next: number | null;
  /** Only reports in this phase are listed; null for all. */
  readonly phase: Phase | null;
  /** Under which the form starts one report, however often it is sent. */
  readonly startKey: string;
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
${startForm(content.startKey)}
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

function startForm(key: string): Html {
  return html`<section class="panel" aria-labelledby="start">
<h2 id="start">Start a report</h2>
<noscript><p class="notice">Starting from this page needs JavaScript; <code>npx standdown start</code> and the API do not.</p></noscript>
<form id="start-form" novalidate>
${field('month', 'Month', html`<input id="month" name="month" type="month" placeholder="2025-07" required aria-describedby="month-problem">`)}
${field('path', 'Folder of documents', html`<input id="path" name="path" value="minutes/{month}" maxlength="${inputLimits.path}" required spellcheck="false" autocapitalize="off" aria-describedby="path-hint path-problem">`, 'Inside the documents folder; {month} is filled in.')}
${field('recipients', 'Recipients', html`<textarea id="recipients" name="recipients" rows="3" required spellcheck="false" autocapitalize="off" placeholder="a@example.com" aria-describedby="recipients-hint recipients-problem"></textarea>`, 'One address a line.')}
${field('title', 'Title', html`<input id="title" name="title" maxlength="${inputLimits.title}" aria-describedby="title-hint title-problem">`, 'Optional.')}
<p id="start-problem" class="problem" role="alert"></p>
<button type="submit" class="go">Start the report</button>
<p class="quiet key">Key <output id="key" name="key">${key}</output> — however often this form is sent under it, one report is started. <button type="button" id="new-key" class="link">New key</button></p>
</form>
</section>`;
}

function field(name: string, label: string, control: Html, hint: string | null = null): Html {
  return html`<div class="field"><label for="${name}">${label}</label>${control}
${hint === null ? null : html`<p id="${name}-hint" class="hint">${hint}</p>`}<p id="${name}-problem" class="problem"></p></div>`;
}

import { html } from 'hono/html';
import { inputLimits } from '../../../workflows/contract/input.ts';
import type { Status } from '../../../workflows/contract/status.ts';
import { titleOf, type Html } from './layout.ts';

/** The report that a new one is to supersede, with everybody it was for. */
export interface Superseded {
  readonly report: Status;
  readonly recipients: readonly string[];
}

/** The form that starts one report under `key`, however often it is sent; filled in with what a superseded one was made of. */
export function startForm(key: string, superseded: Superseded | null): Html {
  return html`<section class="panel" aria-labelledby="start">
<h2 id="start">${superseded === null ? 'Start a report' : 'Start a superseding report'}</h2>
<noscript><p class="notice">Starting from this page needs JavaScript; <code>npx standdown start</code> and the API do not.</p></noscript>
<form id="start-form" novalidate>
${superseded === null ? null : replaced(superseded.report)}
${field('month', 'Month', html`<input id="month" name="month" type="month" value="${superseded?.report.month ?? ''}" placeholder="2025-07" required aria-describedby="month-problem">`)}
${folders(superseded)}
${field('recipients', 'Recipients', html`<textarea id="recipients" name="recipients" rows="3" required spellcheck="false" autocapitalize="off" placeholder="a@example.com" aria-describedby="recipients-hint recipients-problem">${superseded?.recipients.join('\n') ?? ''}</textarea>`, 'One address a line.')}
${field('title', 'Title', html`<input id="title" name="title" value="${superseded?.report.title ?? ''}" maxlength="${inputLimits.title}" aria-describedby="title-hint title-problem">`, 'Optional.')}
${superseded === null ? null : risk()}
<p id="start-problem" class="problem" role="alert"></p>
<button type="submit" class="go">Start the report</button>
<p class="quiet key">Key <output id="key" name="key">${key}</output> — however often this form is sent under it, one report is started. <button type="button" id="new-key" class="link">New key</button></p>
</form>
</section>`;
}

/** Folders, a line each where there are several. */
function folders(superseded: Superseded | null): Html {
  const paths = superseded === null ? ['minutes/{month}'] : superseded.report.sources.flatMap(pathIn);
  const described = html`required spellcheck="false" autocapitalize="off" aria-describedby="path-hint path-problem"`;
  if (paths.length < 2) return field('path', 'Folder of documents', html`<input id="path" name="path" value="${paths[0] ?? ''}" maxlength="${inputLimits.path}" ${described}>`, 'Inside the documents folder; {month} is filled in.');
  return field('path', 'Folders of documents', html`<textarea id="path" name="path" rows="${paths.length}" ${described}>${paths.join('\n')}</textarea>`, 'One a line, inside the documents folder; {month} is filled in.');
}

function pathIn(source: unknown): string[] {
  return typeof source === 'object' && source !== null && 'path' in source && typeof source.path === 'string' ? [source.path] : [];
}

function replaced(report: Status): Html {
  const { id, headline, ifStartedAgain } = report;
  return html`<input type="hidden" id="supersedes" name="supersedes" value="${id}">
<p>It replaces <a href="/reports/${id}">${titleOf(report)}</a>: ${headline}.</p>
${ifStartedAgain === null ? null : html`<p class="quiet">${ifStartedAgain}</p>`}
<p class="quiet"><a href="/#start">Start one that supersedes nothing</a></p>
<p id="supersedes-problem" class="problem"></p>`;
}

function risk(): Html {
  return html`<div class="field"><label class="tick" for="acceptDuplicateRisk"><input type="checkbox" id="acceptDuplicateRisk" name="acceptDuplicateRisk" aria-describedby="acceptDuplicateRisk-problem"> Also mail those who may have the superseded report's email already</label>
<p id="acceptDuplicateRisk-problem" class="problem"></p></div>`;
}

function field(name: string, label: string, control: Html, hint: string | null = null): Html {
  return html`<div class="field"><label for="${name}">${label}</label>${control}
${hint === null ? null : html`<p id="${name}-hint" class="hint">${hint}</p>`}<p id="${name}-problem" class="problem"></p></div>`;
}

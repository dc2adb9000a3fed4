import { html } from 'hono/html';
import { inputLimits } from '../../../workflows/contract/input.ts';
import type { Receipt, Status } from '../../../workflows/contract/status.ts';
import { isEnd, type Phase } from '../../../workflows/contract/vocabulary.ts';
import { doorWords, effectWords, entryWords, failureWords, phaseWords, stepWords } from '../words.ts';
import { afterEnd, afterEndDialogs } from './actions-after-end.ts';
import { emailsTable } from './emails-table.ts';
import { age, facts, layout, monthName, time, titleOf, topLine, type Html } from './layout.ts';
import { operationsTable } from './operations-table.ts';

/** A report as it stands at `now`. What is marked `data-live` the script replaces, by what this page says after a change. */
export function reportPage(report: Status, now: string): Html {
  const body = html`${topLine(connection())}<main data-report="${report.id}" data-now="${now}">
<p class="over">${titleOf(report)}${report.title === null ? null : ` · ${monthName(report.month)}`}</p>
<h1 id="headline" class="headline ${mood(report)}" aria-live="polite" aria-atomic="true" data-live>${report.headline}</h1>
${live('course', course(report))}
${live('cancel', cancelling(report))}
<p id="done" class="done" role="status" tabindex="-1"></p>
${live('actions', afterEnd(report))}
${live('receipt', report.cancelRequest === null ? null : receipt(report.cancelRequest))}
${live('waiting', waiting(report, now))}
${live('facts', particulars(report))}
${live('corrections', corrections(report))}
${live('emails', emailsTable(report))}
${live('operations', operationsTable(report))}
${live('skipped', skipped(report))}
</main>
${dialog(report)}
${afterEndDialogs()}`;
  return layout({ title: `${report.headline} · Standdown`, script: '/report.js', body });
}

function live(id: string, content: Html | null): Html {
  return html`<section id="${id}" data-live>${content}</section>`;
}

function connection(): Html {
  return html`<p id="connection" class="connection" role="status"><noscript>Not live: this page is as of its loading. Its buttons need JavaScript; <code>npx standdown</code> and the API do not.</noscript></p>`;
}

function mood({ phase, stopping }: Status): string {
  return stopping ? 'stopping' : phase;
}

const steps = ['queued', 'collecting', 'summarising', 'saved'] as const satisfies readonly Phase[];

/** The steps on the way; of an ended report those that it has come to, and its end. */
function course(report: Status): Html {
  const { phase } = report;
  const reached = stepsReached(report);
  const ended = isEnd(phase);
  const items = [
    ...steps.slice(0, ended ? reached : steps.length).map((step, index) => ({ name: phaseWords[step], state: step === phase ? 'now' : index < reached ? 'past' : 'ahead' })),
    { name: phaseWords[ended ? phase : 'finished'], state: ended ? 'now' : 'ahead' },
  ];
  return html`<ol class="course" aria-label="Course of the report">${items.map(({ name, state }) => html`<li class="${state}"${state === 'now' ? html` aria-current="step"` : null}>${name}</li>`)}</ol>
${progress(report)}`;
}

function stepsReached({ document, progress, operations }: Status): number {
  if (document.state !== 'not_saved') return 4;
  if (progress.total !== null) return 3;
  return operations.length > 0 ? 2 : 1;
}

function progress({ phase, progress: { done, total } }: Status): Html | null {
  if (phase !== 'summarising' || total === null) return null;
  return html`<p class="progress"><label for="done">${done} of ${total} documents summarised</label><progress id="done" value="${done}" max="${total}"></progress></p>`;
}

function cancelling({ cancelWould, stopping, cancelRequest }: Status): Html | null {
  if (cancelWould !== null) return html`<button type="button" id="cancel-button" class="stop">Cancel this report…</button> <span id="cancel-would" class="quiet">${cancelWould}</span>`;
  if (!stopping || cancelRequest === null) return null;
  return html`<p class="accepted">The cancel is accepted. No further step begins; what still runs is being stopped.</p>`;
}

function receipt(given: Receipt): Html {
  const { requestedAt, door, by, reason, effect, prevented, receiptId } = given;
  return html`<h2>Cancel receipt</h2>
${facts([
    ['When', time(requestedAt)],
    ['Through', doorWords[door]],
    ['By', by],
    ['Reason', reason],
    ['Effect', effectWords[effect]],
    ['Prevented', prevented === null ? null : preventedWords(prevented)],
    ['Receipt', html`<code>${receiptId}</code>`],
  ])}`;
}

function preventedWords({ save, emails, furtherAttempts }: NonNullable<Receipt['prevented']>): string {
  const parts = [
    ...(save ? ['saving the report'] : []),
    ...(emails > 0 ? [emails === 1 ? '1 email not yet started' : `${emails} emails not yet started`] : []),
    ...(furtherAttempts > 0 ? [`further attempts of ${furtherAttempts === 1 ? '1 email' : `${furtherAttempts} emails`}`] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function waiting({ waitingFor }: Status, now: string): Html | null {
  if (waitingFor.length === 0) return null;
  return html`<h2>Waiting for</h2>
<ul class="waiting">${waitingFor.map(({ kind, name, holder, since, deadlineAt }) => html`<li><b>${kind === 'operation' ? stepWords(name) : `The mail service, for ${name}`}</b>
<span class="quiet">for ${age(since, now)}, at ${holder}; recorded as lost if still open in ${age(deadlineAt, now)}</span></li>`)}</ul>`;
}

function particulars(report: Status): Html {
  const { id, createdAt, requestedBy, document, lastCommitted, failure, ifStartedAgain, supersedes, supersededBy } = report;
  const link = (other: string | null): Html | null => (other === null ? null : html`<a href="/reports/${other}">${other}</a>`);
  return html`<h2>Record</h2>
${facts([
    ['Failed because', failure === null ? null : failureWords[failure]],
    ['Saved report', savedReport(document)],
    ['Last committed', html`${entryWords[lastCommitted.kind]}, ${time(lastCommitted.at)}`],
    ['Ledger', html`<a href="/reports/${id}/ledger">${report.sequence} ${report.sequence === 1 ? 'entry' : 'entries'}</a>`],
    ['Started', html`${time(createdAt)}, by ${requestedBy}`],
    ['Supersedes', link(supersedes)],
    ['Superseded by', link(supersededBy)],
    ['If started again', ifStartedAgain],
    ['Id', html`<code>${id}</code>`],
  ])}`;
}

function savedReport({ state, savedAt, url }: Status['document']): Html | string {
  if (state === 'saved' && url !== null) return html`<a href="${url}">Read it</a>${savedAt === null ? null : html`, saved ${time(savedAt)}`}`;
  return state === 'deleted' ? 'deleted since' : 'not saved';
}

function corrections({ corrections }: Status): Html | null {
  if (corrections.length === 0) return null;
  return html`<h2>Corrections</h2>
<ol class="corrections">${corrections.map(({ orderedAt, message }) => html`<li><span class="quiet">ordered ${time(orderedAt)}</span><p>${message ?? 'Its words were erased.'}</p></li>`)}</ol>`;
}

function skipped({ skipped }: Status): Html | null {
  if (skipped.length === 0) return null;
  return html`<h2>Documents skipped</h2><ul class="skipped">${skipped.map(({ name, why }) => html`<li><code>${name}</code> — ${why}</li>`)}</ul>`;
}

function dialog({ cancelWould }: Status): Html {
  return html`<dialog id="cancel-dialog" aria-labelledby="cancel-title" aria-describedby="cancel-says">
<form id="cancel-form" method="dialog">
<h2 id="cancel-title">Cancel this report?</h2>
<p id="cancel-says">${cancelWould ?? ''}</p>
<label for="reason">Reason <span class="hint">optional</span></label>
<input id="reason" name="reason" maxlength="${inputLimits.text}" autocomplete="off">
<p id="cancel-problem" class="problem" role="alert"></p>
<div class="buttons"><button type="submit" class="stop">Yes, cancel it</button><button type="button" id="keep-button">Keep it running</button></div>
</form>
</dialog>`;
}

import { html } from 'hono/html';
import type { AttemptStatus, EmailStatus, Status } from '../../../workflows/contract/status.ts';
import { alertWords, emailWords, gaveUpWords, outcomeWords } from '../words.ts';
import { sendAgain } from './actions-after-end.ts';
import { badge, table, time, type Html } from './layout.ts';

/** Each email with its attempts, and what a person has to look for where nothing could tell. */
export function emailsTable(report: Status): Html | null {
  const { id, emails, emailCounts, corrections } = report;
  if (emails.length === 0) return null;
  const total = Object.values(emailCounts).reduce((sum, count) => sum + count, 0);
  const more = total > emails.length || (corrections.length > 0 && emails.length === 100);
  return html`<h2>Emails</h2>
${table(['Recipient', 'State', 'Attempts'], emails.map((email) => row(report, email)))}
${more ? html`<p class="quiet">The first ${emails.length} are shown. <a href="/api/reports/${id}/emails">All, as JSON</a></p>` : null}`;
}

function row(report: Status, email: EmailStatus): (Html | string)[] {
  const { recipient, purpose, state, attempts, gaveUp, alert } = email;
  const remarks = [...(gaveUp === null ? [] : [gaveUpWords[gaveUp]]), ...(alert === null ? [] : [alertWords[alert]])];
  return [
    html`<div class="address">${recipient ?? 'erased'}${purpose === 'report' ? null : html`<br><span class="quiet">${purpose.replace(':', ' ')}</span>`}</div>`,
    html`${badge(state, emailWords[state])}${remarks.map((text) => html`<p class="quiet">${text}</p>`)}${checkByHand(email)}${sendAgain(report, email)}`,
    attempts.length === 0 ? '–' : html`<ol class="attempts">${attempts.map(attemptLine)}</ol>`,
  ];
}

function checkByHand({ checkByHand }: EmailStatus): Html | null {
  if (checkByHand === null) return null;
  const { messageId, provider, claimedAt, recipient } = checkByHand;
  return html`<p class="check"><b>Check by hand.</b> Search ${provider} for Message-ID <code>${messageId}</code>, about ${time(claimedAt)}, to ${recipient ?? 'an erased address'}.</p>`;
}

function attemptLine({ outcome, permanent, claimedAt, endedAt, provider, code, evidence }: AttemptStatus): Html {
  const told = [outcomeWords[outcome], ...(code === null ? [] : [`code ${code}`]), ...(permanent ? ['for good'] : [])].join(', ');
  return html`<li>${told} <span class="quiet">by ${provider}, ${time(endedAt ?? claimedAt)}</span>${evidence.map(
    ({ source, copies, at }) => html`<br><span class="quiet">found by ${source}${copies > 1 ? `, ${copies} copies` : ''}, ${time(at)}</span>`,
  )}</li>`;
}

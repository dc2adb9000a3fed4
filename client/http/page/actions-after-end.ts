import { html } from 'hono/html';
import { inputLimits } from '../../../workflows/contract/input.ts';
import type { EmailStatus, Status } from '../../../workflows/contract/status.ts';
import { canBeSentAgain, possibleActions } from '../../possible-actions.ts';
import { gaveUpWords } from '../words.ts';
import { monthName, titleOf, type Html } from './layout.ts';

/** What a person may do with a report that has ended; each button says in its dialog what it would come to. */
export function afterEnd(report: Status): Html | null {
  const { correcting, deleting, superseding } = possibleActions(report);
  if (!correcting && !deleting && !superseding) return null;
  const isNext = report.phase === 'cancelled';
  const successor = superseding ? [html`<a class="button ${isNext ? 'go' : 'small'}" href="/?supersedes=${report.id}#start">Start a superseding report</a>`] : [];
  const buttons = [
    ...(isNext ? successor : []),
    ...(correcting ? [opener('correct', 'Send a correction…', correctingSays(report))] : []),
    ...(deleting ? [opener('delete', 'Delete the saved report…', `${titleOf(report)} (${monthName(report.month)}) is taken away for good. Whoever opens an emailed link to it is told that it was deleted.`)] : []),
    ...(isNext ? [] : successor),
  ];
  return html`<h2 class="unseen">What can be done now</h2><div class="actions">${buttons}</div>`;
}

function opener(name: 'correct' | 'delete', text: string, says: string): Html {
  return html`<button type="button" class="small" id="${name}-button" data-opens="${name}" data-says="${says}">${text}</button> `;
}

function correctingSays({ emailCounts: { accepted = 0, unconfirmed = 0 } }: Status): string {
  const to = accepted + unconfirmed === 1 ? 'the one recipient who has, or may have, the email of this report' : `the ${accepted + unconfirmed} recipients who have, or may have, the email of this report`;
  return `It is emailed to ${to}, and shown with the saved report. It cannot be taken back.`;
}

/** The button that has one email sent again, where that is possible. */
export function sendAgain(report: Status, email: EmailStatus): Html | null {
  if (!canBeSentAgain(report, email)) return null;
  const { id, recipient, state } = email;
  const isRisky = state === 'unconfirmed';
  return html`<p><button type="button" class="small" id="resend-${id}" data-opens="resend" data-email="${id}" data-risk="${isRisky ? 'true' : ''}" data-says="${resendSays(email)}">${state === 'not_started' ? 'Send it now' : 'Send it again'}<span class="unseen"> to ${recipient}</span>…</button></p>`;
}

function resendSays({ recipient, state, gaveUp }: EmailStatus): string {
  const to = recipient ?? 'this recipient';
  if (state === 'unconfirmed') return `The email to ${to} may have arrived: nothing could confirm it. Sent again, it may arrive twice.`;
  if (state === 'refused') return `The mail service refused the email to ${to}. It is sent once more.`;
  return `No email was sent to ${to}${gaveUp === null ? '' : ` (${gaveUpWords[gaveUp]})`}. It is sent now.`;
}

/** The dialogs of these buttons. They stay while the page changes around them, so that nobody's typing is lost. */
export function afterEndDialogs(): Html {
  return html`${dialog('correct', 'Send a correction', correction(), html`<button type="submit" class="go">Send it</button>`)}
${dialog('delete', 'Delete the saved report?', null, html`<button type="submit" class="stop">Yes, delete it</button>`)}
${dialog('resend', 'Send this email?', riskOfResend(), html`<button type="submit" class="go">Send it</button>`)}`;
}

function dialog(name: string, title: string, fields: Html | null, go: Html): Html {
  return html`<dialog id="${name}-dialog" aria-labelledby="${name}-title" aria-describedby="${name}-says">
<form id="${name}-form" method="dialog" novalidate>
<h2 id="${name}-title">${title}</h2>
<p id="${name}-says"></p>
${fields}
<p id="${name}-problem" class="problem" role="alert"></p>
<div class="buttons">${go}<button type="button" data-closes="${name}">Not now</button></div>
</form>
</dialog>`;
}

function correction(): Html {
  return html`<label for="message">What recipients are to know</label>
<textarea id="message" name="message" rows="5" maxlength="${inputLimits.text}" required aria-describedby="message-hint"></textarea>
<p id="message-hint" class="hint">At most ${inputLimits.text} characters, as plain text.</p>`;
}

function riskOfResend(): Html {
  return html`<label class="tick" id="risk" for="accept-risk"><input type="checkbox" id="accept-risk"> I accept that it may arrive twice</label>`;
}

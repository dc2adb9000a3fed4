import { html } from 'hono/html';
import type { OperationStatus, Status } from '../../../workflows/contract/status.ts';
import { failureWords, operationWords, stepWords, toldByWords } from '../words.ts';
import { badge, table, time, type Html } from './layout.ts';

/** A month of a thousand documents has as many operations; people look at the newest, the ledger holds all. */
const shown = 50;

/** Each execution of a step, the newest first. */
export function operationsTable({ id, operations }: Status): Html | null {
  if (operations.length === 0) return null;
  return html`<h2>Operations</h2>
${table(['Operation', 'State', 'Begun', 'Ended', 'Told to stop'], operations.slice(-shown).toReversed().map(row))}
${operations.length > shown ? html`<p class="quiet">The newest ${shown} of ${operations.length} are shown. <a href="/reports/${id}/ledger">The ledger has all</a></p>` : null}`;
}

function row(operation: OperationStatus): (Html | string)[] {
  const { id, name, state, holder, startedAt, endedAt, toldAt, toldBy, stoppingSince, detail } = operation;
  const isStopping = stoppingSince !== null;
  return [
    html`${stepWords(name)}<br><span class="quiet" title="${id}">at ${holder}</span>`,
    html`${badge(isStopping ? 'stopping' : state, isStopping ? 'stopping' : operationWords[state])}${detail === null ? null : html`<p class="quiet">${detailWords(detail)}</p>`}`,
    time(startedAt),
    endedAt === null ? '–' : time(endedAt),
    toldAt === null ? '–' : html`${time(toldAt)}${toldBy === null ? null : ` by ${toldByWords[toldBy]}`}`,
  ];
}

function detailWords(detail: string): string {
  return Object.entries(failureWords).find(([reason]) => reason === detail)?.[1] ?? detail;
}

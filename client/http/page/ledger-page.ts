import { html } from 'hono/html';
import type { Entry } from '../../../workflows/contract/entry.ts';
import { entryWords } from '../words.ts';
import { layout, table, time, topLine, type Html } from './layout.ts';

/** The whole record of a report, a row an entry. */
export function ledgerPage(id: string, entries: readonly Entry[]): Html {
  const body = html`${topLine()}<main>
<p class="over"><a href="/reports/${id}">Report ${id}</a></p>
<h1>Ledger</h1>
<p>Everything that was decided or found out about this report, in order. Entries are only ever added. <a href="/api/reports/${id}/ledger">As JSON</a></p>
${table(['No.', 'When', 'What', 'Particulars'], entries.map(row))}
</main>`;
  return layout({ title: `Ledger of ${id} · Standdown`, script: null, body });
}

function row({ sequence, at, kind, ...particulars }: Entry): (Html | string)[] {
  const told = Object.entries(particulars).filter(([, value]) => value !== null);
  const shown = told.map(([name, value]) => html`<span><b>${name}</b> ${typeof value === 'string' ? value : JSON.stringify(value)}</span> `);
  return [String(sequence), time(at), entryWords[kind], html`<div class="particulars">${shown}</div>`];
}

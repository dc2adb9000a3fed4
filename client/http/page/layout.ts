import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Text that is safe to show: `html` escapes whatever else is put into it. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Layout {
  readonly title: string;
  /** The script that brings the page to life; null for a page that needs none. */
  readonly script: '/start.js' | '/report.js' | null;
  readonly body: Html;
}

export function layout({ title, script, body }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
${script === null ? null : html`<script src="${script}" type="module"></script>`}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The line at the top of the pages for people who run reports. */
export function topLine(right: Html | null = null): Html {
  return html`<header class="top"><a class="brand" href="/">Standdown</a>${right}</header>`;
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2025-07` as July 2025. */
export function monthName(month: string): string {
  const instant = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(instant.getTime()) ? month : monthFormat.format(instant);
}

export function titleOf({ title, month }: { readonly title: string | null; readonly month: string }): string {
  return title ?? `Monthly report for ${monthName(month)}`;
}

/** A time of the record, in UTC; the script shows it in the reader's own time zone. */
export function time(at: string): Html {
  return html`<time datetime="${at}">${at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`;
}

/** How long ago something was, or how long until it will be; the script keeps it going. */
export function age(at: string, now: string): Html {
  return html`<time datetime="${at}" data-age>${duration(Math.abs(Date.parse(now) - Date.parse(at)))}</time>`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function badge(phase: string, text: string): Html {
  return html`<span class="badge ${phase}">${text}</span>`;
}

/** Name and value, a pair a line; pairs without a value are left out. */
export function facts(pairs: readonly (readonly [string, Html | string | null])[]): Html {
  const given = pairs.filter(([, value]) => value !== null);
  return html`<dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A table with a name for each column, which its cells carry too, for narrow screens. */
export function table(columns: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  const cell = (content: Html | string, index: number): Html => html`<td data-label="${columns[index] ?? ''}"><div>${content}</div></td>`;
  return html`<div class="scroll"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>\n`)}</tbody>
</table></div>`;
}

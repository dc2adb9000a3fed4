import { html } from 'hono/html';
import type { ProblemDocument } from '../problem.ts';
import { layout, topLine, type Html } from './layout.ts';

export function problemPage({ title, detail, status }: ProblemDocument): Html {
  const body = html`${topLine()}<main>
<h1>${title}</h1>
<p>${detail}</p>
<p class="quiet">${status} · <a href="/">All reports</a></p>
</main>`;
  return layout({ title: `${title} · Standdown`, script: null, body });
}

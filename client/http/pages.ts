import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context, Handler } from 'hono';
import { accepts } from 'hono/accepts';
import { inputLimits } from '../../workflows/contract/input.ts';
import type { Reports } from '../reports.ts';
import { shown } from './document-calls.ts';
import { ledgerPage } from './page/ledger-page.ts';
import { listPage } from './page/list-page.ts';
import { reportPage } from './page/report-page.ts';
import type { Superseded } from './page/start-form.ts';
import { unknownReport } from './problem.ts';
import { pageOf, phaseOf, reportIdOf, supersededIdOf } from './request.ts';

interface Page {
  readonly path: string;
  readonly handler: Handler;
}

const usualLimit = 20;

/** The pages for people and the files they load. */
export function pages(reports: Reports): Page[] {
  return [
    {
      path: '/',
      handler: async (c) => {
        const phase = phaseOf(c);
        const page = await reports.list({ phase, ...pageOf(c, usualLimit) });
        return c.html(listPage({ ...page, phase, startKey: randomUUID(), superseded: await superseded(c, reports), now: now() }));
      },
    },
    {
      path: '/reports/:id',
      handler: async (c) => {
        const id = reportIdOf(c);
        const report = await reports.status(id);
        if (report === null) throw unknownReport(id);
        return c.html(reportPage(report, now()));
      },
    },
    {
      path: '/reports/:id/document',
      handler: async (c) => {
        const id = reportIdOf(c);
        const answer = await reports.document(id);
        if (answer === null) throw unknownReport(id);
        return shown(c, answer, 404);
      },
    },
    {
      path: '/reports/:id/ledger',
      handler: async (c) => {
        const id = reportIdOf(c);
        const entries = await reports.ledger(id);
        if (entries === null) throw unknownReport(id);
        return c.html(ledgerPage(id, entries));
      },
    },
    file('/page.css', 'text/css; charset=utf-8'),
    ...['/page.js', '/start.js', '/report.js', '/after-end.js'].map((path) => file(path, 'text/javascript; charset=utf-8')),
    file('/icon.svg', 'image/svg+xml'),
  ];
}

/** The report that the form is to supersede, where the address names one. */
async function superseded(c: Context, reports: Reports): Promise<Superseded | null> {
  const id = supersededIdOf(c);
  if (id === null) return null;
  const [report, emails] = await Promise.all([reports.status(id), reports.emails(id, 0, inputLimits.recipients)]);
  if (report === null) throw unknownReport(id);
  const recipients = emails.items.flatMap(({ purpose, recipient }) => (purpose === 'report' && recipient !== null ? [recipient] : []));
  return { report, recipients };
}

function now(): string {
  return new Date().toISOString();
}

function file(path: string, type: string): Page {
  const content = readFileSync(new URL(`./page${path}`, import.meta.url), 'utf8');
  return { path, handler: (c) => c.body(content, 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }) };
}

/** Whether a problem is to be told as a page: outside the API, to whoever asks for HTML. */
export function isForPeople(c: Context): boolean {
  return !c.req.path.startsWith('/api/') && accepts(c, { header: 'Accept', supports: ['application/json', 'text/html'], default: 'application/json' }) === 'text/html';
}

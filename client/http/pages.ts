import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context, Handler } from 'hono';
import { accepts } from 'hono/accepts';
import type { Reports } from '../reports.ts';
import { ledgerPage } from './page/ledger-page.ts';
import { listPage } from './page/list-page.ts';
import { reportPage } from './page/report-page.ts';
import { unknownReport } from './problem.ts';
import { pageOf, phaseOf, reportIdOf } from './request.ts';

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
        return c.html(listPage({ ...page, phase, startKey: randomUUID(), now: now() }));
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
      path: '/reports/:id/ledger',
      handler: async (c) => {
        const id = reportIdOf(c);
        const entries = await reports.ledger(id);
        if (entries === null) throw unknownReport(id);
        return c.html(ledgerPage(id, entries));
      },
    },
    file('/page.css', 'text/css; charset=utf-8'),
    ...['/page.js', '/start.js', '/report.js'].map((path) => file(path, 'text/javascript; charset=utf-8')),
    file('/icon.svg', 'image/svg+xml'),
  ];
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

import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { DocumentAnswer, Reports } from '../reports.ts';
import type { Call } from './call.ts';
import { routes } from './openapi/routes.ts';
import { absentPage, documentPage, strangeLinkPage } from './page/document-page.ts';
import { Problem, unknownReport } from './problem.ts';
import { reportIdOf } from './request.ts';
import { withoutScripts } from './security.ts';

/** The saved report, for programs and their people by its id, and for a recipient by the emailed link. */
export function documentCalls(reports: Reports): Call[] {
  return [
    {
      route: routes.savedDocument,
      handler: async (c) => {
        const id = reportIdOf(c);
        const answer = await reports.document(id);
        if (answer === null) throw unknownReport(id);
        c.header('Vary', 'Accept');
        if (accepts(c, { header: 'Accept', supports: ['text/markdown', 'text/html'], default: 'text/markdown' }) === 'text/html') return shown(c, answer, 404);
        return asMarkdown(c, answer);
      },
    },
    {
      route: routes.linked,
      handler: async (c) => {
        const answer = await reports.linked(c.req.param('token') ?? '');
        c.header('X-Robots-Tag', 'noindex');
        if (answer === null) return c.html(strangeLinkPage(), 404);
        return shown(c, answer, 410);
      },
    },
  ];
}

/** The saved report as a page, or why there is none. */
export async function shown(c: Context, answer: DocumentAnswer, whereNone: 404 | 410): Promise<Response> {
  c.header('Content-Security-Policy', withoutScripts);
  if (answer.kind === 'saved') return c.html(await documentPage(answer.report, answer.markdown));
  return c.html(absentPage(answer.report), answer.kind === 'deleted' ? 410 : whereNone);
}

function asMarkdown(c: Context, answer: DocumentAnswer): Response {
  if (answer.kind === 'saved') return c.body(answer.markdown, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  throw answer.kind === 'deleted' ? new Problem('deleted', 'It was saved, and deleted since.') : new Problem('not_saved', `${answer.report.headline}.`);
}

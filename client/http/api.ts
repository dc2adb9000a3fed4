import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { DatabaseUnavailable } from '../reports.ts';
import { afterEndCalls } from './after-end-calls.ts';
import { addCall } from './call.ts';
import { documentCalls } from './document-calls.ts';
import type { EventOptions } from './events.ts';
import { healthCalls, type HealthOptions } from './health-calls.ts';
import { problemPage } from './page/problem-page.ts';
import { isForPeople, pages } from './pages.ts';
import { answerProblem, Problem, problemDocument, type ProblemDocument } from './problem.ts';
import { reportCalls } from './report-calls.ts';
import { maxBodyBytes } from './request.ts';
import { refuseForeign, securityHeaders } from './security.ts';

export interface ApiOptions extends EventOptions, HealthOptions {
  /** Where browsers find this server. */
  readonly publicUrl: string;
}

/** The HTTP API and the page, over `reports`. */
export function createApi(options: ApiOptions): OpenAPIHono {
  const app = new OpenAPIHono();
  app.use(securityHeaders);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
  app.use(refuseForeign(options.publicUrl));
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: refuseLength }));
  for (const call of [...reportCalls(options), ...documentCalls(options.reports), ...afterEndCalls(options.reports), ...healthCalls(options)]) addCall(app, call);
  for (const { path, handler } of pages(options.reports)) app.get(path, handler);
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Standdown', version: '1', description: 'Starts, watches and cancels monthly reports. Whatever it answers is committed.' },
    servers: [{ url: options.publicUrl }],
  });
  app.notFound((c) => answer(c, problemDocument('not_found', 'Nothing is served at this path.')));
  app.onError((error, c) => answer(c, documentOf(error, c, options)));
  return app;
}

function refuseMethod(c: Context, methods: readonly string[]): Response | Promise<Response> {
  c.header('Allow', methods.join(', '));
  return answer(c, problemDocument('method_not_allowed', `Only ${methods.join(', ')} can be asked for here.`));
}

function refuseLength(): never {
  throw new Problem('body_too_large', `A body may be ${maxBodyBytes} bytes long at most.`);
}

function documentOf(error: unknown, c: Context, { warn }: ApiOptions): ProblemDocument {
  if (error instanceof Problem) return error.document;
  if (error instanceof DatabaseUnavailable) return problemDocument('unavailable', 'Nothing is known of this request until it is repeated: it may be, as often as you like.');
  // Nobody is there any more to be answered; the request itself was at fault.
  if (c.req.raw.signal.aborted) return problemDocument('malformed_request', 'The request broke off.');
  warn('a request failed', error);
  return problemDocument('internal', 'The request could not be answered. It may be repeated.');
}

function answer(c: Context, problem: ProblemDocument): Response | Promise<Response> {
  return isForPeople(c) ? c.html(problemPage(problem), problem.status) : answerProblem(c, problem);
}

import { createRoute, z } from '@hono/zod-openapi';
import { inputLimits } from '../../../workflows/contract/input.ts';
import { phases } from '../../../workflows/contract/vocabulary.ts';
import { problemDocument, type ProblemDocument } from '../problem.ts';
import { doorHeader, keyHeader, maxLimit } from '../request.ts';
import * as examples from './examples.ts';
import {
  CancelAnswerSchema,
  CancelInputSchema,
  CorrectionInputSchema,
  EmailListSchema,
  HealthSchema,
  LedgerSchema,
  ProblemSchema,
  ReadinessSchema,
  ReportInputSchema,
  ReportListSchema,
  ResendInputSchema,
  StatusSchema,
} from './schemas.ts';

const problem = (description: string, example?: ProblemDocument) => ({ description, content: { 'application/problem+json': { schema: ProblemSchema, ...(example === undefined ? {} : { example }) } } });
const json = <Schema extends z.ZodType>(description: string, schema: Schema, example?: object) => ({ description, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } });
const text = (type: string, example: string) => ({ [type]: { schema: z.string().openapi({ example }) } });

const unavailable = { 503: { ...problem('The database cannot be reached; nothing is known of this request until it is repeated'), headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } } } } as const;
const wrongBody = {
  400: problem('The input is not right: every field at fault is named, and nothing was recorded'),
  403: problem("The request comes from another site's page"),
  413: problem('The body is larger than 1 MiB'),
  415: problem('The body is not application/json'),
} as const;
const unknown = { 404: problem('There is no such report') } as const;

const reportId = z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' }, pattern: '^[A-Za-z0-9._-]{1,128}$', example: examples.id }) });
const key = z.string().min(1).max(inputLimits.key);
const cursor = z.string().regex(/^[1-9]\d{0,14}$/).optional().openapi({ description: 'nextCursor of an earlier answer', example: '42' });
const limit = (usual: number) => z.number().int().min(1).max(maxLimit).default(usual);
const door = z.literal('page').optional().openapi({ description: 'Sent by the page alone, to be told apart from other callers' });

const start = createRoute({
  method: 'post',
  path: '/api/reports',
  operationId: 'startReport',
  summary: 'Start a report',
  description: 'Commits the report; also with Temporal away. The same key with the same input answers the same report, so a start whose answer was lost is repeated.',
  request: {
    headers: z.object({ [keyHeader]: key.openapi({ description: 'Unique per caller, kept as long as the ledger; no control characters', example: 'july-2025' }), [doorHeader]: door }),
    body: { required: true, content: { 'application/json': { schema: ReportInputSchema } } },
  },
  responses: {
    201: { ...json('Started', StatusSchema), headers: { Location: { schema: { type: 'string' }, description: 'Path of the status' } } },
    200: json('Started before under this key', StatusSchema),
    ...wrongBody,
    409: problem('The key was used with other input, or the report to supersede does not allow it'),
    ...unavailable,
  },
});

const list = createRoute({
  method: 'get',
  path: '/api/reports',
  operationId: 'listReports',
  summary: 'List reports, newest first',
  request: { query: z.object({ phase: z.string().optional().openapi({ enum: Object.keys(phases) }), cursor, limit: limit(20) }) },
  responses: { 200: json('A page of reports', ReportListSchema), 400: problem('A parameter is not right'), ...unavailable },
});

const status = createRoute({
  method: 'get',
  path: '/api/reports/{id}',
  operationId: 'getReport',
  summary: 'The status of a report',
  request: { params: reportId },
  responses: { 200: json('One snapshot from the primary database', StatusSchema), ...unknown, ...unavailable },
});

const emails = createRoute({
  method: 'get',
  path: '/api/reports/{id}/emails',
  operationId: 'listEmails',
  summary: 'All emails of a report',
  request: { params: reportId, query: z.object({ cursor, limit: limit(maxLimit) }) },
  responses: { 200: json('A page of emails, in the order of the recipients', EmailListSchema), 400: problem('A parameter is not right'), ...unknown, ...unavailable },
});

const cancel = createRoute({
  method: 'post',
  path: '/api/reports/{id}/cancel',
  operationId: 'cancelReport',
  summary: 'Cancel a report',
  description: 'Commits the cancel; also with Temporal and all workers away. Everybody who asks gets the one receipt, so a cancel whose answer was lost is repeated. Never rate-limited.',
  request: {
    params: reportId,
    headers: z.object({ [keyHeader]: key.optional().openapi({ description: "Becomes the receipt's requestId, if this request is the first" }), [doorHeader]: door }),
    body: { required: false, content: { 'application/json': { schema: CancelInputSchema } } },
  },
  responses: {
    202: json('Accepted: what still runs is being stopped', CancelAnswerSchema),
    200: json('The report has ended; the receipt says what the cancel came to', CancelAnswerSchema),
    ...wrongBody,
    ...unknown,
    ...unavailable,
  },
});

const events = createRoute({
  method: 'get',
  path: '/api/reports/{id}/events',
  operationId: 'watchReport',
  summary: 'The status of a report as it changes',
  description: 'Server-sent events named `status`, each a whole status, the current one first; `id` is its sequence. A comment every 15 seconds. Stays open after the end, since effects may still be upgraded.',
  request: { params: reportId, headers: z.object({ 'Last-Event-ID': z.string().optional().openapi({ description: 'The sequence of the last status seen: the same one is not sent again', example: '8' }) }) },
  responses: {
    200: { description: 'A stream that ends when the reader leaves or the server stops', content: text('text/event-stream', `event: status\ndata: {"id":"${examples.id}", …}\nid: 8\n\n`) },
    ...unknown,
    ...unavailable,
  },
});

const ledger = createRoute({
  method: 'get',
  path: '/api/reports/{id}/ledger',
  operationId: 'getLedger',
  summary: 'Everything recorded of a report',
  request: { params: reportId },
  responses: { 200: json('The append-only ledger', LedgerSchema), ...unknown, ...unavailable },
});

const savedDocument = createRoute({
  method: 'get',
  path: '/api/reports/{id}/document',
  operationId: 'getDocument',
  summary: 'The saved report',
  request: { params: reportId, headers: z.object({ Accept: z.string().optional().openapi({ description: 'text/html for a page, else Markdown', example: 'text/markdown' }) }) },
  responses: {
    200: { description: 'The report', content: { ...text('text/markdown', '# Minutes of July'), ...text('text/html', '<!doctype html>…') } },
    404: problem('There is no such report, or it has saved nothing'),
    410: problem('The saved report was deleted'),
    ...unavailable,
  },
});

const actionHeaders = z.object({ [keyHeader]: key.openapi({ description: 'Unique per report, kept as long as the ledger: repeated under it, the request does nothing twice', example: 'a3d7b0e4' }), [doorHeader]: door });
const notPossible = (example: ProblemDocument) => ({ 409: problem('Not possible as the report stands, or the key was used for another request; nothing was recorded', example) });
const running = problemDocument('not_ended', 'Nothing was done. The report: Summarising 3 of 4 documents.');

const deleteDocument = createRoute({
  method: 'delete',
  path: '/api/reports/{id}/document',
  operationId: 'deleteDocument',
  summary: 'Delete the saved report',
  description: 'Takes the saved report away for good; its emailed links say so from then on. Possible only at an end.',
  request: { params: reportId, headers: actionHeaders },
  responses: {
    200: json('Deleted, now or before', StatusSchema, examples.deleted),
    400: problem('The key is missing or not right'),
    403: wrongBody[403],
    ...unknown,
    ...notPossible(running),
    ...unavailable,
  },
});

const correct = createRoute({
  method: 'post',
  path: '/api/reports/{id}/corrections',
  operationId: 'correctReport',
  summary: 'Send a correction',
  description: 'Orders an email with these words to everybody whose email of the report is accepted or unconfirmed at this moment. The saved report shows them too. Possible only at an end.',
  request: { params: reportId, headers: actionHeaders, body: { required: true, content: { 'application/json': { schema: CorrectionInputSchema } } } },
  responses: {
    202: json('Ordered, now or before under this key: its emails are among the emails of the status', StatusSchema, examples.corrected),
    ...wrongBody,
    ...unknown,
    ...notPossible(problemDocument('nobody_to_correct', 'Nothing was done. The report: Cancelled. Report saved; email not started.')),
    ...unavailable,
  },
});

const resend = createRoute({
  method: 'post',
  path: '/api/reports/{id}/emails/{emailId}/resend',
  operationId: 'resendEmail',
  summary: 'Send an email again',
  description: 'Authorises one more send of an email that was refused, not started, or (with the risk accepted) unconfirmed. Possible only for a report that finished or failed, with its document present.',
  request: {
    params: reportId.extend({ emailId: z.string().openapi({ param: { name: 'emailId', in: 'path' }, description: 'As the status names it', example: 'report-1' }) }),
    headers: actionHeaders,
    body: { required: false, content: { 'application/json': { schema: ResendInputSchema } } },
  },
  responses: {
    202: json('Authorised, now or before under this key: its attempt will be among those of the email', StatusSchema, examples.resent),
    ...wrongBody,
    404: problem('There is no such report, or no such email of it'),
    ...notPossible(problemDocument('risk_not_accepted', 'It may have arrived. With acceptDuplicateRisk it is sent again, and may arrive twice. Nothing was done. The report: Finished. Report saved; email outcome unconfirmed.')),
    ...unavailable,
  },
});

const linked = createRoute({
  method: 'get',
  path: '/r/{token}',
  operationId: 'openLink',
  summary: 'What an emailed link leads to',
  description: 'A page for the recipient of an email. Opening it changes nothing.',
  request: { params: z.object({ token: z.string().openapi({ param: { name: 'token', in: 'path' } }) }) },
  responses: {
    200: { description: 'The saved report', content: text('text/html', '<!doctype html>…') },
    404: { description: 'Not a link of ours', content: text('text/html', '<!doctype html>…') },
    410: { description: 'Why the report is not there any more', content: text('text/html', '<!doctype html>…') },
    503: { description: 'The database cannot be reached', content: text('text/html', '<!doctype html>…') },
  },
});

const health = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'isAlive',
  summary: 'Whether the process is alive',
  responses: { 200: json('It is', HealthSchema) },
});

const readiness = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'isReady',
  summary: 'Whether the database is writable',
  responses: { 200: json('It is', ReadinessSchema), 503: json('It is not', ReadinessSchema) },
});

/** Every call of the API with its description; a path is written here and nowhere else. */
export const routes = { start, list, status, emails, cancel, events, ledger, savedDocument, deleteDocument, correct, resend, linked, health, readiness } as const;

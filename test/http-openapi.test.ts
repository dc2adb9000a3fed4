import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import * as examples from '../client/http/openapi/examples.ts';
import { claimOf, registerReport, throughSave } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
interface Description {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly example?: unknown; readonly required?: readonly string[] }>> };
}

let api: TestApi;
let description: Description;

beforeAll(async () => {
  api = await openApi();
  description = await bodyOf(await api.get('/openapi.json'));
  await throughSave(api.store, 'mailed');
  const claim = claimOf('report-1', { attempt: 'first' });
  await api.store.decisions.claim('mailed', claim);
  await api.store.decisions.outcome('mailed', { email: 'report-1', attempt: 'first', outcome: 'unknown', permanent: false, phase: 'data', code: null });
  await registerReport(api.store, 'running');
  await api.store.decisions.begin('running', { operation: 'first', step: 'collect', owner: 'run/1', holder: 'test', deadlineMs: 60_000 });
  await api.post('/api/reports/running/cancel', { reason: 'wrong month' });
});
afterAll(() => api.close());

const calls = {
  '/api/reports': ['get', 'post'],
  '/api/reports/{id}': ['get'],
  '/api/reports/{id}/cancel': ['post'],
  '/api/reports/{id}/corrections': ['post'],
  '/api/reports/{id}/document': ['delete', 'get'],
  '/api/reports/{id}/emails': ['get'],
  '/api/reports/{id}/emails/{emailId}/resend': ['post'],
  '/api/reports/{id}/events': ['get'],
  '/api/reports/{id}/ledger': ['get'],
  '/healthz': ['get'],
  '/r/{token}': ['get'],
  '/readyz': ['get'],
};

test('it is OpenAPI 3.1, of this server, and describes exactly the calls there are', () => {
  expect(description.openapi).toBe('3.1.0');
  expect(description.servers).toEqual([{ url: 'http://standdown.test' }]);
  expect(Object.fromEntries(Object.entries(description.paths).map(([path, methods]) => [path, Object.keys(methods).toSorted()]))).toEqual(calls);
});

test('no call is served that is not described', () => {
  const served = api.app.routes.filter(({ path, method }) => path.startsWith('/api/') && method !== 'ALL').map(({ path, method }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const described = Object.entries(calls).flatMap(([path, methods]) => methods.map((method) => `${method} ${path}`));
  expect(described).toEqual(expect.arrayContaining(served));
});

test.each([
  ['post', '/api/reports', [['Idempotency-Key', true], ['X-Standdown-Door', false]], true],
  ['post', '/api/reports/{id}/cancel', [['id', true], ['Idempotency-Key', false], ['X-Standdown-Door', false]], false],
  ['delete', '/api/reports/{id}/document', [['id', true], ['Idempotency-Key', true], ['X-Standdown-Door', false]], undefined],
  ['post', '/api/reports/{id}/corrections', [['id', true], ['Idempotency-Key', true], ['X-Standdown-Door', false]], true],
  ['post', '/api/reports/{id}/emails/{emailId}/resend', [['id', true], ['emailId', true], ['Idempotency-Key', true], ['X-Standdown-Door', false]], false],
  ['get', '/api/reports', [['phase', false], ['cursor', false], ['limit', false]], undefined],
  ['get', '/api/reports/{id}/emails', [['id', true], ['cursor', false], ['limit', false]], undefined],
  ['get', '/api/reports/{id}/events', [['id', true], ['Last-Event-ID', false]], undefined],
] as const)('%s %s is described with what it takes and needs', (method, path, parameters, needsBody) => {
  const operation = description.paths[path]?.[method];
  expect(operation?.parameters?.map(({ name, required }) => [name, required])).toEqual(parameters);
  expect(operation?.requestBody?.required).toBe(needsBody);
});

test('every refusal is described as a problem document', () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) => (path.startsWith('/api/') ? Object.values(methods) : []));
  const refusals = operations.flatMap(({ responses }) => Object.entries(responses).filter(([status]) => Number(status) >= 400));
  expect(refusals.length).toBeGreaterThan(20);
  expect(refusals.map(([, { content }]) => Object.keys(content ?? {}))).toEqual(refusals.map(() => ['application/problem+json']));
});

test('what answers and inputs hold has an example', () => {
  const { schemas } = description.components;
  expect(['ReportInput', 'CancelInput', 'CorrectionInput', 'ResendInput', 'Status', 'Ledger', 'Problem'].filter((name) => schemas[name]?.example === undefined)).toEqual([]);
});

/** A check of a value against a schema of the description, which is JSON Schema 2020-12. */
function described(name: string): z.ZodType {
  const definitions = JSON.stringify(description.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', $ref: `#/$defs/${name}`, $defs: JSON.parse(definitions) });
}

const undescribed = (name: string, value: object): string[] => Object.keys(value).filter((field) => !description.components.schemas[name]?.required?.includes(field));

test.each([
  ['Status', examples.status],
  ['Status', examples.deleted],
  ['Status', examples.corrected],
  ['Status', examples.resent],
  ['Problem', examples.problem],
  ['ReportInput', examples.input],
  ['CorrectionInput', examples.correctionInput],
  ['ResendInput', examples.resendInput],
])('the example of a %s is what is described', (name, example) => {
  expect(described(name).safeParse(example)).toMatchObject({ success: true });
});

test.each([
  ['a status without its headline', 'Status', { ...examples.status, headline: undefined }],
  ['a phase that is none', 'Status', { ...examples.status, phase: 'done' }],
  ['an input with an unknown field', 'ReportInput', { ...examples.input, colour: 'red' }],
])('%s is not what is described', (_, name, value) => {
  expect(described(name).safeParse(value)).toMatchObject({ success: false });
});

test.each([
  ['of a report with an unconfirmed email', '/api/reports/mailed', 'Status'],
  ['of a report that is being cancelled', '/api/reports/running', 'Status'],
  ['that lists reports', '/api/reports', 'ReportList'],
  ['that lists emails', '/api/reports/mailed/emails', 'EmailList'],
  ['that is a ledger', '/api/reports/mailed/ledger', 'Ledger'],
  ['that is readiness', '/readyz', 'Readiness'],
  ['that is a problem', '/api/reports/nobody', 'Problem'],
])('a real answer %s is what is described, and has no field besides', async (_, path, name) => {
  const answer = await bodyOf<object>(await api.get(path));
  expect(described(name).safeParse(answer)).toMatchObject({ success: true });
  expect(undescribed(name, answer)).toEqual([]);
});

test('an action after the end is described with its answer and its refusal', () => {
  const actions = [description.paths['/api/reports/{id}/document']?.['delete'], description.paths['/api/reports/{id}/corrections']?.['post'], description.paths['/api/reports/{id}/emails/{emailId}/resend']?.['post']];
  const shown = actions.map((action) => Object.entries(action?.responses ?? {}).filter(([, { content }]) => JSON.stringify(content).includes('"example"')).map(([status]) => status));
  expect(shown).toEqual([['200', '409'], ['202', '409'], ['202', '409']]);
});

test('a real answer to a cancel is what is described', async () => {
  const answer = await bodyOf<object>(await api.post('/api/reports/running/cancel', {}));
  expect(described('CancelAnswer').safeParse(answer)).toMatchObject({ success: true });
});

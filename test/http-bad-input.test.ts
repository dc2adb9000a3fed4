import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CorrectionInputSchema, ReportInputSchema } from '../client/http/openapi/schemas.ts';
import type { ProblemDocument } from '../client/http/problem.ts';
import { inputLimits, linesProblems, validateInput } from '../workflows/contract/input.ts';
import { inputOf, registerReport } from './support/steps.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
  await registerReport(api.store, 'known');
});
afterAll(() => api.close());

const json = { 'Content-Type': 'application/json' };
const keyed = { ...json, 'Idempotency-Key': 'bad input' };
const good = JSON.stringify(inputOf());
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const starting = (change: Partial<Sent> & { input?: object }): Sent => {
  const { input, ...rest } = change;
  return { method: 'POST', path: '/api/reports', headers: keyed, body: input === undefined ? good : JSON.stringify({ ...inputOf(), ...input }), ...rest };
};
const cancelling = (change: Partial<Sent>): Sent => ({ method: 'POST', path: '/api/reports/known/cancel', headers: json, ...change });

const acting = (change: Partial<Sent>): Sent => ({ method: 'POST', path: '/api/reports/known/corrections', headers: keyed, body: '{"message":"words"}', ...change });
const correcting = (message: unknown): Sent => acting({ body: JSON.stringify({ message }) });
const resending = (change: Partial<Sent>): Sent => acting({ path: '/api/reports/known/emails/report-1/resend', body: '{}', ...change });
const deleting = (change: Partial<Sent>): Sent => ({ method: 'DELETE', path: '/api/reports/known/document', ...change });

type Row = readonly [title: string, sent: Sent, status: number, fields?: readonly string[]];

const rows: readonly Row[] = [
  ['a start without a key', starting({ headers: json }), 400, ['Idempotency-Key']],
  ['a start with an empty key', starting({ headers: { ...json, 'Idempotency-Key': '' } }), 400, ['Idempotency-Key']],
  ['a key of 256 characters', starting({ headers: { ...json, 'Idempotency-Key': 'k'.repeat(256) } }), 400, ['Idempotency-Key']],
  ['a key with a tab', starting({ headers: { ...json, 'Idempotency-Key': 'a\tb' } }), 400, ['Idempotency-Key']],
  ['a key with an escape', starting({ headers: { ...json, 'Idempotency-Key': 'a\u001bb' } }), 400, ['Idempotency-Key']],
  ['a key with a C1 control', starting({ headers: { ...json, 'Idempotency-Key': 'a\u0085b' } }), 400, ['Idempotency-Key']],
  ['no key and no month', starting({ headers: json, input: { month: null } }), 400, ['Idempotency-Key', 'month']],
  ['no body', starting({ body: '' }), 400],
  ['no body and no content type', starting({ body: '', headers: { 'Idempotency-Key': 'k' } }), 400],
  ['half a JSON text', starting({ body: '{"month":' }), 400],
  ['bytes that are not UTF-8', starting({ body: bytes('{"month":"\xff"}') }), 400],
  ['a form', starting({ headers: { ...keyed, 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'month=2025-07' }), 415],
  ['plain text that is JSON', starting({ headers: { ...keyed, 'Content-Type': 'text/plain' } }), 415],
  ['JSON in another charset', starting({ headers: { ...keyed, 'Content-Type': 'application/json; charset=latin1' } }), 415],
  ['a body over 1 MiB', starting({ input: { title: 'x'.repeat(1024 * 1024) } }), 413],
  ['an array', starting({ body: '[]' }), 400, ['']],
  ['null', starting({ body: 'null' }), 400, ['']],
  ['500,000 arrays in each other', starting({ body: deep(500_000) }), 400, ['']],
  ['10,000 arrays in each other as a field', starting({ body: `{"month":${deep(10_000)}}` }), 400, ['month', 'sources', 'recipients']],
  ['an unknown field', starting({ input: { colour: 'red' } }), 400, ['colour']],
  ['an unknown field named __proto__', starting({ body: good.replace('{', '{"__proto__":1,') }), 400, ['__proto__']],
  ['a month that is none', starting({ input: { month: '2025-13' } }), 400, ['month']],
  ['a month with NUL', starting({ input: { month: '2025-07\0' } }), 400, ['month']],
  ['a title with NUL', starting({ input: { title: 'a\0b' } }), 400, ['title']],
  ['a title with half a surrogate', starting({ body: good.replace('"title":null', String.raw`"title":"\ud800"`) }), 400, ['title']],
  ['a path with NUL', starting({ input: { sources: [{ kind: 'folder', path: 'a\0' }] } }), 400, ['sources[0].path']],
  ['a path that leads out', starting({ input: { sources: [{ kind: 'folder', path: '../etc' }] } }), 400, ['sources[0].path']],
  ['a source of a later kind', starting({ input: { sources: [{ kind: 'url', url: 'http://x' }] } }), 400, ['sources[0]']],
  ['no source', starting({ input: { sources: [] } }), 400, ['sources']],
  ['no recipient', starting({ input: { recipients: [] } }), 400, ['recipients']],
  ['a recipient twice', starting({ input: { recipients: ['a@example.com', 'A@Example.com'] } }), 400, ['recipients[1]']],
  ['a recipient that smuggles another', starting({ input: { recipients: ['a@example.com,b@example.com'] } }), 400, ['recipients[0]']],
  ['a recipient with NUL', starting({ input: { recipients: ['a@example.com\0'] } }), 400, ['recipients[0]']],
  ['an ancestor that no report can be', starting({ input: { supersedes: 'a/b' } }), 400, ['supersedes']],
  ['a risk that is not yes or no', starting({ input: { acceptDuplicateRisk: 'yes' } }), 400, ['acceptDuplicateRisk']],
  ['a start asked for by another site', starting({ headers: { ...keyed, Origin: 'https://evil.example' } }), 403],
  ['a start asked for by a page of no site', starting({ headers: { ...keyed, Origin: 'null' } }), 403],

  ['a cancel whose body is no JSON', cancelling({ body: '{' }), 400],
  ['a cancel whose body is a form', cancelling({ headers: { 'Content-Type': 'text/plain' }, body: 'reason=x' }), 415],
  ['a cancel whose body is a list', cancelling({ body: '[]' }), 400, ['']],
  ['a cancel with an unknown field', cancelling({ body: '{"why":"x"}' }), 400, ['why']],
  ['a cancel with a reason that is a number', cancelling({ body: '{"reason":1}' }), 400, ['reason']],
  ['a cancel with NUL in its reason', cancelling({ body: String.raw`{"reason":"a\u0000"}` }), 400, ['reason']],
  ['a cancel with a reason of 2001 characters', cancelling({ body: JSON.stringify({ reason: 'x'.repeat(2001) }) }), 400, ['reason']],
  ['a cancel with a key that is too long', cancelling({ headers: { 'Idempotency-Key': 'k'.repeat(256) } }), 400, ['Idempotency-Key']],
  ['a cancel over 1 MiB', cancelling({ body: JSON.stringify({ reason: 'x'.repeat(1024 * 1024) }) }), 413],
  ['a cancel without a body asked for by another site', cancelling({ headers: { Origin: 'https://evil.example' } }), 403],
  ['a cancel of an unknown report', cancelling({ path: '/api/reports/unknown/cancel' }), 404],
  ['a cancel of an id with NUL', cancelling({ path: '/api/reports/a%00b/cancel' }), 404],

  ['a deletion without a key', deleting({}), 400, ['Idempotency-Key']],
  ['a deletion with an empty key', deleting({ headers: { 'Idempotency-Key': '' } }), 400, ['Idempotency-Key']],
  ['a deletion with a key of 256 characters', deleting({ headers: { 'Idempotency-Key': 'k'.repeat(256) } }), 400, ['Idempotency-Key']],
  ['a deletion asked for by another site', deleting({ headers: { 'Idempotency-Key': 'k', Origin: 'https://evil.example' } }), 403],
  ['a deletion of an id with NUL', deleting({ headers: { 'Idempotency-Key': 'k' }, path: '/api/reports/a%00b/document' }), 404],
  ['a correction without a key', acting({ headers: json }), 400, ['Idempotency-Key']],
  ['a correction without a key and without words', acting({ headers: json, body: '{}' }), 400, ['Idempotency-Key', 'message']],
  ['a correction without a body', acting({ body: '' }), 400],
  ['a correction that is a form', acting({ headers: { ...keyed, 'Content-Type': 'text/plain' } }), 415],
  ['a correction that is a list', acting({ body: '[]' }), 400, ['', 'message']],
  ['a correction that is null', acting({ body: 'null' }), 400, ['message']],
  ['a correction with an unknown field', acting({ body: '{"message":"words","to":"all"}' }), 400, ['to']],
  ['a correction with an unknown field named __proto__', acting({ body: '{"message":"words","__proto__":1}' }), 400, ['__proto__']],
  ...([null, 7, '', ' \n ', 'x'.repeat(2001), 'a\0b', 'a\tb', 'a\u001bb', 'a\u0085b', '\ud800'] as const).map(
    (message) => [`a correction of ${JSON.stringify(message).slice(0, 12)}`, correcting(message), 400, ['message']] as const,
  ),
  ['a correction over 1 MiB', correcting('x'.repeat(1024 * 1024)), 413],
  ['a correction asked for by another site', acting({ headers: { ...keyed, Origin: 'https://evil.example' } }), 403],
  ['a resend without a key', resending({ headers: json }), 400, ['Idempotency-Key']],
  ['a resend without a key and a body', resending({ headers: {}, body: '' }), 400, ['Idempotency-Key']],
  ['a resend with a risk that is not yes or no', resending({ body: '{"acceptDuplicateRisk":"yes"}' }), 400, ['acceptDuplicateRisk']],
  ['a resend with an unknown field', resending({ body: '{"risk":true}' }), 400, ['risk']],
  ['a resend that is a form', resending({ headers: { ...keyed, 'Content-Type': 'text/plain' }, body: 'a=b' }), 415],
  ['a resend of an email id with NUL', resending({ path: '/api/reports/known/emails/report-1%00/resend' }), 404],
  ['a resend of the recipient 0', resending({ path: '/api/reports/known/emails/report-0/resend' }), 404],

  ['a cursor that is no number', { path: '/api/reports?cursor=abc' }, 400, ['cursor']],
  ['a cursor below zero', { path: '/api/reports?cursor=-1' }, 400, ['cursor']],
  ['a cursor beyond all numbers', { path: '/api/reports?cursor=99999999999999999999' }, 400, ['cursor']],
  ['a cursor with NUL', { path: '/api/reports?cursor=1%00' }, 400, ['cursor']],
  ['a limit of 0', { path: '/api/reports?limit=0' }, 400, ['limit']],
  ['a limit of 101', { path: '/api/reports?limit=101' }, 400, ['limit']],
  ['a limit of one and a half', { path: '/api/reports?limit=1.5' }, 400, ['limit']],
  ['a limit and a cursor', { path: '/api/reports?limit=x&cursor=y' }, 400, ['cursor', 'limit']],
  ['a phase that is none', { path: '/api/reports?phase=done' }, 400, ['phase']],
  ['a phase that is a property of every object', { path: '/api/reports?phase=constructor' }, 400, ['phase']],
  ['a phase with NUL', { path: '/api/reports?phase=saved%00' }, 400, ['phase']],
  ['a bad cursor of emails', { path: '/api/reports/known/emails?cursor=1e3' }, 400, ['cursor']],

  ['an id with NUL', { path: '/api/reports/%00' }, 404],
  ['an id that is not UTF-8', { path: '/api/reports/%ff' }, 404],
  ['an id of two dots', { path: '/api/reports/%2e%2e%2f/emails' }, 404],
  ['an id of 129 characters', { path: `/api/reports/${'a'.repeat(129)}` }, 404],
  ['the emails of an unknown report', { path: '/api/reports/unknown/emails' }, 404],
  ['the events of an unknown report', { path: '/api/reports/unknown/events' }, 404],
  ['the ledger of an unknown report', { path: '/api/reports/unknown/ledger' }, 404],
  ['the document of an unknown report', { path: '/api/reports/unknown/document' }, 404],
  ['the document of a report that has none', { path: '/api/reports/known/document' }, 404],
  ['an unknown path', { path: '/api/nothing' }, 404],
  ['an unknown path with NUL', { path: '/%00' }, 404],
];

test.for(rows)('%s is answered with a problem document', async ([, { path, ...sent }, status, fields = []]) => {
  const response = await api.app.request(path, { ...sent, body: sent.body === '' ? null : (sent.body ?? null) });
  const problem = await bodyOf<ProblemDocument>(response);
  expect({ status: response.status, type: response.headers.get('Content-Type') }).toEqual({ status, type: 'application/problem+json' });
  expect(problem).toEqual({ type: expect.stringMatching(/^urn:standdown:problem:[a-z-]+$/), title: expect.any(String), status, detail: expect.any(String), errors: expect.any(Array) });
  expect(problem.errors.map(({ field }) => field)).toEqual(fields);
});

test('none of it was recorded', async () => {
  const { reports } = await bodyOf<{ reports: unknown }>(await api.get('/api/reports'));
  expect(reports).toMatchObject([{ id: 'known', phase: 'queued' }]);
  expect(await (await api.get('/api/reports/known')).json()).toMatchObject({ sequence: 1, cancelRequest: null });
});

test.each([
  ['DELETE', '/api/reports', 'GET, HEAD, POST'],
  ['PUT', '/api/reports/known', 'GET, HEAD'],
  ['GET', '/api/reports/known/cancel', 'POST'],
  ['POST', '/api/reports/known/document', 'DELETE, GET, HEAD'],
  ['GET', '/api/reports/known/corrections', 'POST'],
  ['DELETE', '/api/reports/known/emails/report-1/resend', 'POST'],
  ['OPTIONS', '/api/reports', 'GET, HEAD, POST'],
  ['POST', '/r/token', 'GET, HEAD'],
  ['POST', '/readyz', 'GET, HEAD'],
  ['PATCH', '/openapi.json', 'GET, HEAD'],
])('%s of %s is answered 405 with what is allowed', async (method, path, allowed) => {
  const response = await api.app.request(path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('Allow')?.split(', ').toSorted().join(', ')).toBe(allowed);
  expect(await response.json()).toMatchObject({ type: 'urn:standdown:problem:method-not-allowed' });
});

test('a long list of faults is cut, and its sentence counts them all', async () => {
  const response = await api.start('many', { recipients: Array.from({ length: 300 }, () => 'nobody') });
  const { errors, detail } = await bodyOf<ProblemDocument>(response);
  expect(errors).toHaveLength(100);
  expect(detail).toContain('and 299 more');
});

test.each([
  ['unknown parameters', '/api/reports?colour=red&limit=1'],
  ['parameters that are empty', '/api/reports?phase=&cursor=&limit='],
])('%s are ignored', async (_, path) => {
  expect((await api.get(path)).status).toBe(200);
});

describe('the description of the input says the same as the validator', () => {
  const source = { kind: 'folder', path: 'minutes/{month}' };
  test.each<readonly [string, unknown]>([
    ['a good one', inputOf()],
    ['one with what is needed alone', { month: '2025-07', sources: [source], recipients: ['a@example.com'] }],
    ['everything optional null', { ...inputOf(), title: null, supersedes: null, acceptDuplicateRisk: null }],
    ['everything given', { ...inputOf(), title: 'July', supersedes: '2025-06-0a', acceptDuplicateRisk: true }],
    ...[null, 'text', 7, [], [inputOf()]].map((value) => [JSON.stringify(value).slice(0, 20), value] as const),
    ['an unknown field', { ...inputOf(), colour: 'red' }],
    ['a field named __proto__', JSON.parse(JSON.stringify(inputOf()).replace('{', '{"__proto__":1,'))],
    ...['2025-00', '2025-13', '0999-01', '2025-7', '2025-07-01', '', ' 2025-07', '2025-07\n', 202507, null, '9999-12'].map((month) => [`month ${JSON.stringify(month)}`, { ...inputOf(), month }] as const),
    ...['', ' ', 'x'.repeat(200), 'x'.repeat(201), 'a\nb', 'a\0b', '\ud800', 'ünïcode ✓', 5, {}].map((title) => [`title ${JSON.stringify(title).slice(0, 12)}`, { ...inputOf(), title }] as const),
    ...['/etc', '..', 'a/../b', 'a/..', '..a/b', 'C:x', 'c:', 'a\\b', 'a/b', '.', '', 'x'.repeat(1024), 'x'.repeat(1025), 'a\0', '{month}'].map((path) => [`path ${path.slice(0, 12)}`, { ...inputOf(), sources: [{ kind: 'folder', path }] }] as const),
    ...[[], [source, source], Array.from({ length: 11 }, () => source), [null], ['minutes'], [{ ...source, kind: 'url' }], [{ ...source, extra: 1 }], [{ kind: 'folder' }], {}].map(
      (sources, index) => [`sources ${index}`, { ...inputOf(), sources }] as const,
    ),
    ...['a@b', 'a@example.com ', 'a b@example.com', '"a"@example.com', 'a@example.com,b@example.com', 'ä@example.com', '<a@example.com>', `${'a'.repeat(65)}@example.com`, 'a..b@example.com', 'a@-b.example', 7, null].map(
      (recipient) => [`recipient ${JSON.stringify(recipient).slice(0, 20)}`, { ...inputOf(), recipients: [recipient] }] as const,
    ),
    ['a recipient twice', { ...inputOf(), recipients: ['a@example.com', 'A@EXAMPLE.com'] }],
    ['5000 recipients', { ...inputOf(), recipients: Array.from({ length: 5000 }, (_, index) => `a${index}@example.com`) }],
    ['5001 recipients', { ...inputOf(), recipients: Array.from({ length: 5001 }, (_, index) => `a${index}@example.com`) }],
    ['no recipients', { ...inputOf(), recipients: [] }],
    ...['.', '..', 'a/b', '', 'a'.repeat(128), 'a'.repeat(129), 7].map((supersedes) => [`supersedes ${JSON.stringify(supersedes).slice(0, 12)}`, { ...inputOf(), supersedes }] as const),
    ...['true', 1, false].map((acceptDuplicateRisk) => [`acceptDuplicateRisk ${JSON.stringify(acceptDuplicateRisk)}`, { ...inputOf(), acceptDuplicateRisk }] as const),
  ])('of %s', (_, value) => {
    expect(ReportInputSchema.safeParse(value).success).toBe(validateInput(value).ok);
  });
});

test.each(['words', ' words ', 'two\nlines', 'two\r\nlines', 'ünïcode ✓', 'x'.repeat(2000), 'x'.repeat(2001), ` ${'x'.repeat(2000)} `, '', ' \n', 'a\tb', 'a\0b', 'a\u007fb', '\ud800', 7, null])(
  'the description of a correction says the same as the validator of %j',
  (message) => {
    expect(CorrectionInputSchema.safeParse({ message }).success).toBe(linesProblems('message', message, inputLimits.text).length === 0);
  },
);

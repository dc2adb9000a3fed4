import type { Context } from 'hono';
import { inputLimits, isReportId, textProblems, type InputProblem } from '../../workflows/contract/input.ts';
import type { Door, Phase } from '../../workflows/contract/vocabulary.ts';
import { phases } from '../../workflows/contract/vocabulary.ts';
import { invalidInput, Problem, unknownReport } from './problem.ts';

export const keyHeader = 'Idempotency-Key';
export const doorHeader = 'X-Standdown-Door';

/** Largest body that is read. */
export const maxBodyBytes = 1024 * 1024;

/** The report that the path names; an id that no report can have is unknown without asking. */
export function reportIdOf(c: Context): string {
  const id = c.req.param('id') ?? '';
  if (!isReportId(id)) throw unknownReport(id);
  return id;
}

/** The body as JSON; null where there is none and none is needed. */
export async function jsonBody(c: Context, needs: 'required' | 'optional'): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  const type = c.req.header('Content-Type');
  if (bytes.byteLength === 0 && needs === 'optional') return null;
  if (bytes.byteLength === 0 && type === undefined) throw new Problem('malformed_body', 'The body is empty.');
  if (!isJsonType(type ?? '')) throw new Problem('wrong_content_type', 'Send the body with Content-Type: application/json, in UTF-8.');
  return parsed(bytes);
}

function isJsonType(type: string): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return essence === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

function parsed(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Whatever the parser says quotes the body; that it is no JSON is all there is to know.
    throw new Problem('malformed_body', bytes.byteLength === 0 ? 'The body is empty.' : 'The body cannot be read as JSON in UTF-8.');
  }
}

/** The idempotency key and what is wrong with it. */
export function keyOf(c: Context): { readonly key: string | null; readonly problems: readonly InputProblem[] } {
  const key = c.req.header(keyHeader) ?? null;
  return { key, problems: key === null ? [] : textProblems(keyHeader, key, inputLimits.key) };
}

/** The key of a call that may not be sent without one. */
export function neededKeyOf(c: Context): { readonly key: string; readonly problems: readonly InputProblem[] } {
  const { key, problems } = keyOf(c);
  return key === null ? { key: '', problems: [{ field: keyHeader, says: 'is missing: a header that makes it safe to repeat the request' }] } : { key, problems };
}

/** The fields of a body that may hold these alone; none where there is no body. */
export function fieldsOf(body: unknown, names: readonly string[], of: string): { readonly fields: Readonly<Record<string, unknown>>; readonly problems: readonly InputProblem[] } {
  if (body === null) return { fields: {}, problems: [] };
  if (typeof body !== 'object' || Array.isArray(body)) return { fields: {}, problems: [{ field: '', says: 'must be a JSON object' }] };
  const fields = Object.fromEntries(Object.entries(body));
  const unknown = Object.keys(fields).filter((name) => !names.includes(name));
  return { fields, problems: unknown.map((name) => ({ field: name.replace(/[^\x20-\x7e]/g, '?').slice(0, 60), says: `is not a field of ${of}` })) };
}

/** The page says that it is the page; every other caller is the API's. */
export function callerOf(c: Context): { readonly door: Extract<Door, 'http' | 'page'>; readonly caller: string } {
  return c.req.header(doorHeader) === 'page' ? { door: 'page', caller: 'page' } : { door: 'http', caller: 'api' };
}

export interface PageRequest {
  readonly cursor: number | null;
  readonly limit: number;
}

export const maxLimit = 100;

/** Where a page of a list begins and how long it is. An empty parameter counts as absent, an unknown one is ignored. */
export function pageOf(c: Context, usualLimit: number): PageRequest {
  const cursor = given(c, 'cursor');
  const limit = given(c, 'limit');
  const problems = [
    ...(cursor === null || /^[1-9]\d{0,14}$/.test(cursor) ? [] : [{ field: 'cursor', says: 'must be one that an earlier answer gave as nextCursor' }]),
    ...(limit === null || (/^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= maxLimit) ? [] : [{ field: 'limit', says: `must be a whole number from 1 to ${maxLimit}` }]),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  return { cursor: cursor === null ? null : Number(cursor), limit: limit === null ? usualLimit : Number(limit) };
}

export function phaseOf(c: Context): Phase | null {
  const phase = given(c, 'phase');
  if (phase === null || isPhase(phase)) return phase;
  throw invalidInput([{ field: 'phase', says: `must be one of ${Object.keys(phases).join(', ')}` }]);
}

/** The report that a new one is to supersede; null where none is named. */
export function supersededIdOf(c: Context): string | null {
  const id = given(c, 'supersedes');
  if (id !== null && !isReportId(id)) throw unknownReport(id);
  return id;
}

function isPhase(text: string): text is Phase {
  return Object.hasOwn(phases, text);
}

function given(c: Context, name: string): string | null {
  const value = c.req.query(name);
  return value === undefined || value === '' ? null : value;
}

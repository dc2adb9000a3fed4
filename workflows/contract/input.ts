/** What a report is started with: the body of `POST /api/reports`, and the input of a run started straight through Temporal. */
export interface ReportInput {
  readonly month: string;
  readonly sources: readonly FolderSource[];
  readonly recipients: readonly string[];
  readonly title: string | null;
  readonly supersedes: string | null;
  readonly acceptDuplicateRisk: boolean;
}

export interface FolderSource {
  readonly kind: 'folder';
  readonly path: string;
}

export interface InputProblem {
  /** The field at fault, as a path: `recipients[2]`. */
  readonly field: string;
  readonly says: string;
}

export type Validated = { readonly ok: true; readonly input: ReportInput } | { readonly ok: false; readonly problems: readonly InputProblem[] };

export const inputLimits = { recipients: 5000, sources: 10, title: 200, path: 1024, text: 2000, id: 128, key: 255, address: 254 } as const;

const fields = ['month', 'sources', 'recipients', 'title', 'supersedes', 'acceptDuplicateRisk'];
const reportIdShape = /^[A-Za-z0-9._-]{1,128}$/;
const monthShape = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

type Fields = Readonly<Record<string, unknown>>;

/** Checks an input of unknown shape completely, naming every field at fault. */
export function validateInput(value: unknown): Validated {
  if (!isFields(value)) return { ok: false, problems: [{ field: '', says: 'must be a JSON object' }] };
  const { title = null, supersedes = null } = value;
  const acceptDuplicateRisk = value['acceptDuplicateRisk'] ?? false;
  const problems = [
    ...Object.keys(value).filter((name) => !fields.includes(name)).map((name) => problem(printable(name), 'is not a field of a report')),
    ...monthProblems(value['month']),
    ...sourcesProblems(value['sources']),
    ...recipientsProblems(value['recipients']),
    ...(title === null ? [] : textProblems('title', title, inputLimits.title)),
    ...(supersedes === null || (typeof supersedes === 'string' && isReportId(supersedes)) ? [] : [problem('supersedes', 'must be a report id')]),
    ...(typeof acceptDuplicateRisk === 'boolean' ? [] : [problem('acceptDuplicateRisk', 'must be true or false')]),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, input: normalised(value, title, supersedes, acceptDuplicateRisk) };
}

function normalised(value: Fields, title: unknown, supersedes: unknown, acceptDuplicateRisk: unknown): ReportInput {
  const sources = Array.isArray(value['sources']) ? value['sources'].filter(isFields) : [];
  const recipients = Array.isArray(value['recipients']) ? value['recipients'] : [];
  return {
    month: String(value['month']),
    sources: sources.map((source) => ({ kind: 'folder', path: String(source['path']) })),
    recipients: recipients.map(String),
    title: typeof title === 'string' ? title : null,
    supersedes: typeof supersedes === 'string' ? supersedes : null,
    acceptDuplicateRisk: acceptDuplicateRisk === true,
  };
}

export function isReportId(id: string): boolean {
  return reportIdShape.test(id) && id !== '.' && id !== '..';
}

function isMonth(month: string): boolean {
  return monthShape.test(month);
}

function monthProblems(month: unknown): InputProblem[] {
  return typeof month === 'string' && isMonth(month) ? [] : [problem('month', 'must be a month like 2025-07')];
}

function sourcesProblems(sources: unknown): InputProblem[] {
  if (!Array.isArray(sources) || sources.length === 0) return [problem('sources', 'must name at least one source')];
  if (sources.length > inputLimits.sources) return [problem('sources', `must name at most ${inputLimits.sources} sources`)];
  return sources.flatMap((source: unknown, index) => sourceProblems(`sources[${index}]`, source));
}

function sourceProblems(field: string, source: unknown): InputProblem[] {
  if (!isFields(source)) return [problem(field, 'must be an object like {"kind":"folder","path":"minutes/{month}"}')];
  if (source['kind'] === 'url' || source['kind'] === 'mcp') return [problem(field, `sources of kind ${source['kind']} are not supported yet`)];
  if (source['kind'] !== 'folder') return [problem(`${field}.kind`, 'must be folder')];
  const unknown = Object.keys(source).filter((name) => name !== 'kind' && name !== 'path');
  const path = source['path'];
  return [
    ...unknown.map((name) => problem(`${field}.${printable(name)}`, 'is not a field of a folder source')),
    ...textProblems(`${field}.path`, path, inputLimits.path),
    ...(typeof path === 'string' && !staysInside(path) ? [problem(`${field}.path`, 'must be a relative path that stays inside the documents folder')] : []),
  ];
}

function staysInside(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !/^[A-Za-z]:/.test(path) && !path.split('/').includes('..');
}

function recipientsProblems(recipients: unknown): InputProblem[] {
  if (!Array.isArray(recipients) || recipients.length === 0) return [problem('recipients', 'must name at least one recipient')];
  if (recipients.length > inputLimits.recipients) return [problem('recipients', `must name at most ${inputLimits.recipients} recipients`)];
  const seen: Record<string, true> = Object.create(null);
  return recipients.flatMap((recipient: unknown, index) => {
    const field = `recipients[${index}]`;
    if (typeof recipient !== 'string' || !isPlainAddress(recipient)) return [problem(field, 'must be one plain address like a@example.com')];
    const folded = recipient.toLowerCase();
    if (seen[folded] === true) return [problem(field, 'is named twice')];
    seen[folded] = true;
    return [];
  });
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const addressShape = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`);

/** Exactly one address, ASCII, unquoted, at most 254 characters with at most 64 before the @ (RFC 5321). */
export function isPlainAddress(text: string): boolean {
  return text.length <= inputLimits.address && text.indexOf('@') <= 64 && addressShape.test(text);
}

/** A text for people: not empty, not too long, without NUL and other control characters. */
export function textProblems(field: string, text: unknown, limit: number): InputProblem[] {
  if (typeof text !== 'string' || text.trim() === '') return [problem(field, 'must be a text that is not empty')];
  if (text.length > limit) return [problem(field, `must be at most ${limit} characters`)];
  return hasControlCharacters(text) || !text.isWellFormed() ? [problem(field, 'must not contain control characters')] : [];
}

/** The words of a correction as they are kept: without blanks around them, and with every line ended by a line feed. */
export function trimmedLines(text: string): string {
  return text.trim().replace(/\r\n?/g, '\n');
}

/** A text for people as `textProblems` wants it, except that it may have several lines. */
export function linesProblems(field: string, text: unknown, limit: number): InputProblem[] {
  return textProblems(field, typeof text === 'string' ? trimmedLines(text).replaceAll('\n', ' ') : text, limit);
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 60);
}

function problem(field: string, says: string): InputProblem {
  return { field, says };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { z } from '@hono/zod-openapi';
import { inputLimits, isPlainAddress, isReportId, linesProblems, textProblems } from '../../../workflows/contract/input.ts';
import type { EmailStatus, OperationStatus, Receipt, Status, WaitingFor } from '../../../workflows/contract/status.ts';
import { phases } from '../../../workflows/contract/vocabulary.ts';
import type { Listed } from '../../../store/reading.ts';
import type { ProblemDocument } from '../problem.ts';
import { alertWords, doorWords, effectWords, emailWords, entryWords, failureWords, gaveUpWords, operationWords, outcomeWords, toldByWords } from '../words.ts';
import * as examples from './examples.ts';

/** Readable with and without Unicode mode, in which readers of a description differ. */
const withoutControls = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`;
const withoutControlsButLines = String.raw`^[^\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]*$`;

/** One of the names of a table. */
function oneOf<Word extends string>(words: Readonly<Record<Word, unknown>>) {
  return z.custom<Word>((value) => typeof value === 'string' && Object.hasOwn(words, value)).openapi({ type: 'string', enum: Object.keys(words) });
}

/** The same, or null, which the generator would forget to name. */
function oneOfOrNull<Word extends string>(words: Readonly<Record<Word, unknown>>) {
  const isOne = (value: unknown): boolean => value === null || (typeof value === 'string' && Object.hasOwn(words, value));
  return z.custom<Word | null>(isOne).openapi({ type: ['string', 'null'], enum: [...Object.keys(words), null] });
}

const at = z.iso.datetime().openapi({ format: 'date-time' });
const id = z.string().refine(isReportId).openapi({ pattern: '^[A-Za-z0-9._-]{1,128}$', example: examples.id });
const count = z.number().int().min(0);

function textOf(limit: number) {
  return z.string().refine((text) => textProblems('', text, limit).length === 0).openapi({ minLength: 1, maxLength: limit, pattern: withoutControls });
}

const source = z.strictObject({
  kind: z.literal('folder'),
  path: textOf(inputLimits.path)
    .refine((path) => !/^(\/|[A-Za-z]:)|\\|(^|\/)\.\.(\/|$)/.test(path))
    .openapi({ description: 'Relative to the documents folder, and inside it; {month} is filled in', example: 'minutes/{month}' }),
});

const recipients = z
  .array(z.string().refine(isPlainAddress).openapi({ format: 'email', maxLength: inputLimits.address }))
  .min(1)
  .max(inputLimits.recipients)
  .refine((addresses) => new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length)
  .openapi({ uniqueItems: true, description: 'Each exactly one plain address, none twice (compared in lower case)' });

/** Describes the body; `validateInput` of the contract is what decides, and a test holds the two against each other. */
export const ReportInputSchema = z
  .strictObject({
    month: z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/),
    sources: z.array(source).min(1).max(inputLimits.sources),
    recipients,
    title: textOf(inputLimits.title).nullish(),
    supersedes: id.nullish().openapi({ description: 'The ended report that this one replaces' }),
    acceptDuplicateRisk: z.boolean().nullish().openapi({ description: 'Also mail whom the superseded report may have mailed already' }),
  })
  .openapi('ReportInput', { example: { ...examples.input } });

export const CancelInputSchema = z
  .strictObject({ reason: z.string().nullish().openapi({ maxLength: inputLimits.text, pattern: withoutControls }) })
  .openapi('CancelInput', { example: { reason: 'wrong month' } });

export const CorrectionInputSchema = z
  .strictObject({
    message: z
      .string()
      .refine((text) => linesProblems('', text, inputLimits.text).length === 0)
      .openapi({ minLength: 1, maxLength: inputLimits.text, pattern: withoutControlsButLines, description: 'What recipients are to know; blanks around it are taken away, line breaks stay' }),
  })
  .openapi('CorrectionInput', { example: { ...examples.correctionInput } });

export const ResendInputSchema = z
  .strictObject({ acceptDuplicateRisk: z.boolean().nullish().openapi({ description: 'Needed for an unconfirmed email, which may have arrived already' }) })
  .openapi('ResendInput', { example: { ...examples.resendInput } });

const ReceiptSchema = z
  .object({
    receiptId: z.string(),
    requestId: z.string(),
    requestedAt: at,
    door: oneOf(doorWords),
    by: z.string().nullable(),
    reason: z.string().nullable(),
    effect: oneOf(effectWords),
    prevented: z.object({ save: z.boolean(), emails: count, furtherAttempts: count }).nullable(),
    sequence: count,
  })
  .openapi('Receipt', { description: 'The durable answer to everybody who asks to cancel: one a report' }) satisfies z.ZodType<Receipt>;

const OperationSchema = z
  .object({
    id: z.string(),
    name: z.string().openapi({ description: 'collect, summarise/<document>, or combine' }),
    state: oneOf(operationWords),
    holder: z.string(),
    startedAt: at,
    deadlineAt: at,
    stoppingSince: at.nullable(),
    toldAt: at.nullable(),
    toldBy: oneOfOrNull(toldByWords),
    endedAt: at.nullable(),
    detail: z.string().nullable(),
  })
  .openapi('Operation') satisfies z.ZodType<OperationStatus>;

const AttemptSchema = z
  .object({
    number: count,
    id: z.string(),
    outcome: oneOf(outcomeWords),
    permanent: z.boolean(),
    claimedAt: at,
    deadlineAt: at,
    endedAt: at.nullable(),
    messageId: z.string(),
    provider: z.string(),
    code: z.number().int().nullable(),
    evidence: z.array(z.object({ at, source: z.string(), copies: count })),
  })
  .openapi('Attempt');

const EmailSchema = z
  .object({
    id: z.string(),
    recipient: z.string().nullable().openapi({ description: 'null once the address has been erased' }),
    purpose: z.custom<EmailStatus['purpose']>((value) => typeof value === 'string' && /^(report|correction:\d+)$/.test(value)).openapi({ type: 'string', pattern: String.raw`^(report|correction:\d+)$` }),
    state: oneOf(emailWords),
    attempts: z.array(AttemptSchema),
    gaveUp: oneOfOrNull(gaveUpWords),
    alert: oneOfOrNull(alertWords),
    checkByHand: z
      .object({ messageId: z.string(), provider: z.string(), claimedAt: at, recipient: z.string().nullable() })
      .nullable()
      .openapi({ description: 'What to search for by hand where nothing could confirm the outcome' }),
  })
  .openapi('Email') satisfies z.ZodType<EmailStatus>;

const WaitingForSchema = z
  .object({
    kind: oneOf({ operation: true, email: true }),
    id: z.string(),
    name: z.string(),
    holder: z.string(),
    since: at,
    deadlineAt: at.openapi({ description: 'What is open by then is recorded as lost' }),
  })
  .openapi('WaitingFor') satisfies z.ZodType<WaitingFor>;

export const StatusSchema = z
  .object({
    id,
    month: z.string(),
    title: z.string().nullable(),
    createdAt: at,
    requestedBy: z.string(),
    phase: oneOf(phases),
    stopping: z.boolean().openapi({ description: 'A cancel was accepted and something is still open' }),
    headline: z.string().openapi({ description: 'The one sentence that says where the report stands' }),
    cancelRequest: z.union([ReceiptSchema, z.null()]),
    sources: z.array(z.unknown()),
    skipped: z.array(z.object({ name: z.string(), why: z.string() })),
    progress: z.object({ done: count, total: count.nullable() }),
    operations: z.array(OperationSchema),
    document: z.object({ state: oneOf({ not_saved: true, saved: true, deleted: true }), savedAt: at.nullable(), url: z.string().nullable() }),
    emails: z.array(EmailSchema).openapi({ description: 'The first hundred; the rest at /emails' }),
    emailCounts: z.record(z.string(), count).openapi({ description: 'By state; states without an email are left out' }),
    corrections: z.array(z.object({ number: count, orderedAt: at, message: z.string().nullable() })),
    supersedes: z.string().nullable(),
    supersededBy: z.string().nullable(),
    lastCommitted: z.object({ kind: oneOf(entryWords), at, sequence: count }),
    waitingFor: z.array(WaitingForSchema),
    cancelWould: z.string().nullable().openapi({ description: 'What a cancel now would come to' }),
    ifStartedAgain: z.string().nullable(),
    failure: oneOfOrNull(failureWords),
    sequence: count.openapi({ description: "Of the newest entry in the report's ledger" }),
    updatedAt: at,
  })
  .openapi('Status', { example: examples.status }) satisfies z.ZodType<Status>;

const ListedSchema = z
  .object({
    id,
    month: z.string(),
    title: z.string().nullable(),
    createdAt: at,
    phase: oneOf(phases),
    stopping: z.boolean(),
    headline: z.string(),
    updatedAt: at,
  })
  .openapi('Listed') satisfies z.ZodType<Listed>;

const nextCursor = z.string().nullable().openapi({ description: 'The cursor of the next page; null after the last' });

export const ReportListSchema = z.object({ reports: z.array(ListedSchema), nextCursor }).openapi('ReportList');
export const EmailListSchema = z.object({ emails: z.array(EmailSchema), nextCursor }).openapi('EmailList');
export const CancelAnswerSchema = z.object({ receipt: ReceiptSchema, report: StatusSchema }).openapi('CancelAnswer');

export const LedgerSchema = z
  .object({ entries: z.array(z.looseObject({ sequence: count.min(1), at, kind: oneOf(entryWords) })).openapi({ description: 'Numbered from 1 without gaps; what else an entry holds depends on its kind' }) })
  .openapi('Ledger', { example: { entries: [examples.entry] } });

export const HealthSchema = z.object({ alive: z.literal(true) }).openapi('Health');
export const ReadinessSchema = z
  .object({
    ready: z.boolean(),
    database: oneOf({ writable: true, unavailable: true }),
    temporal: oneOf({ reachable: true, unreachable: true, unknown: true }).openapi({ description: 'Told, and no condition of being ready' }),
  })
  .openapi('Readiness');

export const ProblemSchema = z
  .object({
    type: z.string().openapi({ format: 'uri' }),
    title: z.string(),
    status: z.custom<ProblemDocument['status']>((value) => typeof value === 'number').openapi({ type: 'integer' }),
    detail: z.string(),
    errors: z.array(z.object({ field: z.string(), says: z.string() })).openapi({ description: 'The fields at fault, as paths: recipients[2]' }),
  })
  .openapi('Problem', { example: examples.problem }) satisfies z.ZodType<ProblemDocument>;

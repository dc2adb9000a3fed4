import type { Account, Claim, FindEvidence, GiveUp, Outcome } from '../workflows/contract/command.ts';
import { emailOf, emailState } from '../workflows/contract/email.ts';
import type { CorrectionOrdered, ResendAuthorised } from '../workflows/contract/entry.ts';
import type { Email, Report } from '../workflows/contract/state.ts';
import type { EmailState, FailureReason, LostBecause, Step, ToldBy } from '../workflows/contract/vocabulary.ts';
import type { Client, Database } from './database.ts';
import { decideIn, type CommandAt, type Decided } from './fence.ts';
import { later } from './instants.ts';
import { notifyDue } from './notifications.ts';
import { cancelIn, type CancelRequest } from './register.ts';

export interface Beginning {
  readonly operation: string;
  readonly step: Step;
  readonly owner: string;
  readonly holder: string;
  /** From the decision on, by the database's clock, until the operation counts as lost. */
  readonly deadlineMs: number;
}

export interface Ending {
  readonly operation: string;
  readonly account: Account;
  readonly toldMsAgo: number | null;
  readonly toldBy: ToldBy | null;
  /** Kept only where the end counts as done; the first draft of a step wins. */
  readonly draft: Draft | null;
}

export interface Draft {
  readonly step: Step;
  readonly body: string;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface CollectedDocument {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface FrozenBytes {
  readonly raw: Buffer;
  readonly sha256: string;
  readonly messageId: string;
}

export type Claiming = Pick<Claim, 'email' | 'attempt' | 'authority' | 'owner' | 'key' | 'messageId' | 'hash' | 'provider'> & {
  readonly deadlineMs: number;
  /** How long the provider replays a key; null where it never does. */
  readonly replayMs: number | null;
  readonly message: FrozenBytes;
};

/** An action after the end: its idempotency key, and who asks. */
export interface Asking {
  readonly request: string;
  readonly by: string | null;
}

export interface Ordering extends Asking {
  readonly message: string;
}

export interface Resending extends Asking {
  readonly email: string;
  readonly acceptDuplicateRisk: boolean;
}

/** Every decision of a running report, each one transaction under its fence; all may be repeated with the same ids. */
export function createDecisions(database: Database) {
  const decide = (report: string, commandAt: CommandAt, then?: (client: Client, decided: Decided) => Promise<void>): Promise<Decided> =>
    database.transaction(async (client) => {
      const decided = await decideIn(client, report, commandAt);
      if (then !== undefined && decided.decision.kind === 'accepted') await then(client, decided);
      return decided;
    });

  return {
    /** Accepts a cancel, or answers the receipt there is; null where there is no such report. */
    cancel: (report: string, request: CancelRequest): Promise<Report | null> =>
      database.transaction(async (client) => (await cancelIn(client, report, request))?.report ?? null),

    begin: (report: string, { deadlineMs, ...begin }: Beginning): Promise<Decided> =>
      decide(report, (at) => ({ kind: 'begin', ...begin, deadlineAt: later(at, deadlineMs) })),

    keepDocument: (report: string, operation: string, document: CollectedDocument): Promise<Decided> =>
      decide(report, () => ({ kind: 'draft', operation }), (client) => insertDocument(client, report, document)),

    keepSkipped: (report: string, operation: string, skipped: readonly { name: string; why: string }[]): Promise<Decided> =>
      decide(report, () => ({ kind: 'draft', operation }), async (client) => {
        await client.query('update inputs set skipped = $2 where report_id = $1', [report, JSON.stringify(skipped)]);
      }),

    end: (report: string, { operation, account, toldMsAgo, toldBy, draft }: Ending): Promise<Decided> =>
      decide(
        report,
        (at) => ({ kind: 'end', operation, account, toldBy, toldAt: toldMsAgo === null ? null : later(at, -toldMsAgo) }),
        async (client, decided) => {
          const isDone = decided.entries.some((entry) => entry.kind === 'operation_ended' && entry.state === 'done');
          if (isDone && draft !== null) await insertDraft(client, report, draft);
        },
      ),

    /** Records as lost what is past its deadline, or everything that `owner` began and has given up. */
    lose: (report: string, because: Exclude<LostBecause, 'superseded'>, owner = ''): Promise<Decided> =>
      decide(report, () => (because === 'deadline' ? { kind: 'lose', because } : { kind: 'lose', because, owner })),

    fail: (report: string, owner: string, reason: FailureReason): Promise<Decided> => decide(report, () => ({ kind: 'fail', owner, reason })),

    loseWorkflow: (report: string, reason: 'workflow_lost' | 'workflow_refused'): Promise<Decided> =>
      decide(report, () => ({ kind: 'lose_workflow', reason })),

    save: (report: string, body: string, hash: string): Promise<Decided> =>
      decide(report, () => ({ kind: 'save', hash }), async (client, decided) => {
        await client.query('insert into saved_reports (report_id, body, sha256, saved_at) values ($1, $2, $3, $4)', [report, body, hash, decided.at]);
      }),

    claim: (report: string, { deadlineMs, replayMs, message, ...claim }: Claiming): Promise<Decided> =>
      decide(
        report,
        async (at, client, fence) => ({
          kind: 'claim',
          ...claim,
          deadlineAt: later(at, deadlineMs),
          replayUntilAt: replayMs === null ? null : later(at, replayMs),
          ancestor: fence.supersedes === null ? null : await strongestOfAncestors(client, report, claim.email),
        }),
        (client) => insertMessage(client, report, claim, message),
      ),

    outcome: (report: string, outcome: Omit<Outcome, 'kind'>): Promise<Decided> => decide(report, () => ({ kind: 'outcome', ...outcome })),

    findEvidence: (report: string, evidence: Omit<FindEvidence, 'kind'>): Promise<Decided> =>
      decide(report, () => ({ kind: 'find_evidence', ...evidence })),

    giveUp: (report: string, giveUp: Omit<GiveUp, 'kind'>): Promise<Decided> => decide(report, () => ({ kind: 'give_up', ...giveUp })),

    deleteDocument: (report: string, { request, by }: Asking): Promise<Decided> =>
      decide(report, () => ({ kind: 'delete_document', request }), async (client) => {
        await noteWho(client, report, request, by);
        await client.query('update saved_reports set body = null where report_id = $1', [report]);
      }),

    orderCorrection: (report: string, { request, by, message }: Ordering): Promise<Decided> =>
      decide(report, () => ({ kind: 'order_correction', request }), async (client, { entries, at }) => {
        await noteWho(client, report, request, by);
        for (const entry of entries) if (entry.kind === 'correction_ordered') await insertCorrection(client, report, entry, { by, message, at });
      }),

    authoriseResend: (report: string, { request, by, email, acceptDuplicateRisk }: Resending): Promise<Decided> =>
      decide(report, () => ({ kind: 'authorise_resend', request, email, acceptDuplicateRisk }), async (client, { entries }) => {
        await noteWho(client, report, request, by);
        for (const entry of entries) if (entry.kind === 'resend_authorised') await insertResend(client, report, entry);
      }),
  };
}


async function insertDocument(client: Client, report: string, document: CollectedDocument): Promise<void> {
  await client.query(
    `insert into documents (report_id, number, name, body, bytes, sha256)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5 from documents where report_id = $1
     on conflict (report_id, name) do nothing`,
    [report, document.name, document.text, document.bytes, document.sha256],
  );
}

async function insertDraft(client: Client, report: string, draft: Draft): Promise<void> {
  await client.query(
    `insert into drafts (report_id, step, body, model, input_tokens, output_tokens) values ($1, $2, $3, $4, $5, $6)
     on conflict (report_id, step) do nothing`,
    [report, draft.step, draft.body, draft.model, draft.inputTokens, draft.outputTokens],
  );
}

async function insertMessage(client: Client, report: string, claim: { email: string; authority: string }, message: FrozenBytes): Promise<void> {
  await client.query(
    `insert into messages (report_id, email, authority, raw, sha256, message_id) values ($1, $2, $3, $4, $5, $6)
     on conflict (report_id, email, authority) do nothing`,
    [report, claim.email, claim.authority, message.raw, message.sha256, message.messageId],
  );
}

async function noteWho(client: Client, report: string, request: string, by: string | null): Promise<void> {
  await client.query('update action_requests set requested_by = $3 where report_id = $1 and request = $2', [report, request, by]);
}

async function insertCorrection(
  client: Client,
  report: string,
  { correction, emails }: CorrectionOrdered,
  { by, message, at }: { by: string | null; message: string; at: string },
): Promise<void> {
  await client.query(
    'insert into correction_messages (report_id, correction, ordered_at, requested_by, message) values ($1, $2, $3, $4, $5)',
    [report, correction, at, by, message],
  );
  const numbers = emails.map((id) => emailOf(id)?.number ?? 0);
  await insertOrder(client, [report, `correction-${correction}`, '', Math.min(...numbers), Math.max(...numbers)]);
}

async function insertResend(client: Client, report: string, { email, resend }: ResendAuthorised): Promise<void> {
  const number = emailOf(email)?.number ?? 0;
  await insertOrder(client, [report, `resend-${resend}`, email, number, number]);
}

async function insertOrder(client: Client, values: readonly [report: string, authority: string, email: string, first: number, last: number]): Promise<void> {
  await client.query('insert into orders (report_id, authority, email, first_number, last_number) values ($1, $2, $3, $4, $5)', [...values]);
  await notifyDue(client);
}

const weakestFirst = ['not_started', 'refused', 'unconfirmed', 'sending', 'accepted'] as const satisfies readonly EmailState[];

/** The strongest state of any ancestor's email to the same recipient for the same month; null without such an ancestor. */
async function strongestOfAncestors(client: Client, report: string, email: string): Promise<EmailState | null> {
  const { rows } = await client.query<{ fold: Email | null }>({
    name: 'ancestors',
    text: `with recursive line as (
        select fence ->> 'supersedes' as id, month from reports where id = $1
        union
        select parent.fence ->> 'supersedes', line.month from reports parent join line on parent.id = line.id
      )
      select email.fold from line
      join reports ancestor on ancestor.id = line.id and ancestor.month = line.month
      join recipients theirs on theirs.report_id = line.id
      join recipients ours on ours.report_id = $1 and ours.number = $2 and lower(ours.address) = lower(theirs.address)
      join emails email on email.report_id = line.id and email.number = theirs.number and email.correction is null`,
    values: [report, emailOf(email)?.number ?? 0],
  });
  const states = rows.map(({ fold }) => emailState(fold?.attempts ?? []));
  return weakestFirst.findLast((state) => states.includes(state)) ?? null;
}

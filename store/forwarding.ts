import type { Authority } from '../workflows/contract/vocabulary.ts';
import type { Database } from './database.ts';

/** What has to reach Temporal for one report. */
export interface DueForward {
  readonly id: string;
  readonly month: string;
  readonly start: boolean;
  readonly cancel: boolean;
  readonly reconcile: boolean;
  /** What was ordered after the end and has no run yet. */
  readonly orders: readonly DueOrder[];
}

export interface DueOrder {
  readonly authority: Authority;
  /** The email of a resend; empty for a correction, which has many. */
  readonly email: string;
  readonly from: number;
  readonly to: number;
}

/** The row's side of forwarding: what is due, and what Temporal has acknowledged. */
export function createForwardingRows(database: Database) {
  return {
    /** Takes up to `limit` reports with something to forward; each comes again after `leaseMs` unless it is acknowledged. */
    takeDue: (limit: number, leaseMs: number, namespace: string, only: string | null = null): Promise<DueForward[]> =>
      database.query(
        `update reports set forward_due_at = current_instant() + make_interval(secs => $2 / 1000.0)
         where id in (select id from reports where forward_due_at <= current_instant() and ($3::text is null or id = $3)
                        and (start_namespace is null or start_namespace = $4)
                      order by forward_due_at limit $1 for update skip locked)
         returning id, month, start_acknowledged_at is null as start,
           jsonb_typeof(fence -> 'cancel') = 'object' and cancel_forwarded_at is null as cancel, reconcile_due as reconcile,
           (select coalesce(jsonb_agg(jsonb_build_object('authority', authority, 'email', email, 'from', first_number, 'to', last_number)), '[]')
            from orders where report_id = reports.id and acknowledged_at is null) as orders`,
        [limit, leaseMs, only, namespace],
      ),

    acknowledgeStart: (report: string, namespace: string, watchMs: number): Promise<unknown> =>
      database.query(
        `update reports set start_acknowledged_at = coalesce(start_acknowledged_at, current_instant()), start_namespace = $2,
           watch_due_at = case when phase in ('finished', 'cancelled', 'failed') then null else current_instant() + make_interval(secs => $3 / 1000.0) end
         where id = $1`,
        [report, namespace, watchMs],
      ),

    acknowledgeCancel: (report: string): Promise<unknown> =>
      database.query('update reports set cancel_forwarded_at = current_instant() where id = $1', [report]),

    acknowledgeReconcile: (report: string): Promise<unknown> =>
      database.query('update reports set reconcile_due = false where id = $1', [report]),

    acknowledgeOrder: (report: string, { authority, email }: DueOrder): Promise<unknown> =>
      database.query(
        'update orders set acknowledged_at = current_instant() where report_id = $1 and authority = $2 and email = $3',
        [report, authority, email],
      ),

    /** Nothing is due any more once all of it is acknowledged. */
    settle: (report: string): Promise<unknown> =>
      database.query(
        `update reports set forward_due_at = null
         where id = $1 and start_acknowledged_at is not null and not reconcile_due
           and (jsonb_typeof(fence -> 'cancel') = 'null' or cancel_forwarded_at is not null)
           and not exists (select from orders where report_id = $1 and acknowledged_at is null)`,
        [report],
      ),

    /** Makes forwarding an accepted cancel due again: for a run that was never told, as after a reset. */
    dueCancel: (report: string): Promise<unknown> =>
      database.query('update reports set cancel_forwarded_at = null, forward_due_at = current_instant() where id = $1', [report]),
  };
}

/** The row's side of sweeping: what is past its deadline, and whose workflow may have vanished. */
export function createSweepingRows(database: Database) {
  return {
    /** Reports with an operation or a claim past its deadline. */
    pastDeadline: async (limit: number): Promise<readonly string[]> => {
      const rows = await database.query<{ id: string }>(
        `select report_id as id from operations where open_until <= current_instant()
         union select report_id from emails where open_until <= current_instant() limit $1`,
        [limit],
      );
      return rows.map(({ id }) => id);
    },

    /** Takes reports to be looked for in Temporal: acknowledged, not ended, and nothing of them open. */
    takeToWatch: (namespace: string, limit: number, againMs: number): Promise<{ id: string; missingForMs: number | null }[]> =>
      database.query(
        `update reports set watch_due_at = current_instant() + make_interval(secs => $3 / 1000.0)
         where id in (select id from reports where watch_due_at <= current_instant() and start_namespace = $1
                        and (fence ->> 'openOperations')::integer = 0 and (fence ->> 'openClaims')::integer = 0
                      order by watch_due_at limit $2 for update skip locked)
         returning id, (extract(epoch from current_instant() - missing_since) * 1000)::double precision as "missingForMs"`,
        [namespace, limit, againMs],
      ),

    noteMissing: (report: string): Promise<unknown> =>
      database.query('update reports set missing_since = coalesce(missing_since, current_instant()) where id = $1', [report]),

    noteFound: (report: string): Promise<unknown> => database.query('update reports set missing_since = null where id = $1 and missing_since is not null', [report]),
  };
}


-- The clock of every decision. Tests move it ahead; nothing else writes it.
create table clock (
  only_row boolean primary key default true check (only_row),
  ahead interval not null default '0'
);
insert into clock default values;

create function current_instant() returns timestamptz language sql volatile as
  $$ select date_trunc('milliseconds', clock_timestamp() + ahead) from clock $$;

create function iso(instant timestamptz) returns text language sql immutable as
  $$ select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- One row a report: the fence. What the contract folds is in `fence`; the columns beside it are for finding rows and for forwarding.
create table reports (
  id text primary key check (id ~ '^[A-Za-z0-9._-]{1,128}$'),
  number bigint generated always as identity unique,
  fence jsonb not null,
  phase text not null generated always as (fence ->> 'phase') stored
    check (phase in ('queued', 'collecting', 'summarising', 'saved', 'finished', 'cancelled', 'failed')),
  sequence integer not null generated always as ((fence ->> 'sequence')::integer) stored,
  month text not null,
  created_at timestamptz not null,
  requested_by text not null,
  start_namespace text,
  start_acknowledged_at timestamptz,
  cancel_forwarded_at timestamptz,
  reconcile_due boolean not null default false,
  forward_due_at timestamptz,
  watch_due_at timestamptz,
  missing_since timestamptz
);
create index reports_to_forward on reports (forward_due_at) where forward_due_at is not null;
create index reports_to_watch on reports (watch_due_at) where watch_due_at is not null;
create index reports_by_phase on reports (phase, number desc);

create table start_keys (
  caller text not null,
  key text not null,
  report_id text not null references reports,
  primary key (caller, key)
);

create table ledger (
  report_id text not null references reports,
  sequence integer not null check (sequence > 0),
  at timestamptz not null,
  kind text not null,
  entry jsonb not null,
  primary key (report_id, sequence)
);

create table operations (
  report_id text not null references reports,
  id text not null,
  number bigint generated always as identity,
  step text not null,
  fold jsonb not null,
  open_until timestamptz,
  primary key (report_id, id)
);
create index operations_by_step on operations (report_id, step);
create index operations_open on operations (open_until) where open_until is not null;

-- `fold` is null until something happens to the email.
create table emails (
  report_id text not null references reports,
  id text not null,
  number integer not null,
  correction integer,
  fold jsonb,
  open_until timestamptz,
  primary key (report_id, id)
);
create unique index emails_in_order on emails (report_id, (coalesce(correction, 0)), number);
create index emails_open on emails (open_until) where open_until is not null;

-- Requests of the actions after an end, by their idempotency keys.
create table action_requests (
  report_id text not null references reports,
  request text not null,
  kind text not null,
  requested_by text,
  primary key (report_id, request)
);

-- From here on: what can be erased. Neither the ledger nor its verification needs any of it.
create table inputs (
  report_id text primary key references reports,
  title text,
  sources jsonb not null,
  skipped jsonb not null default '[]'
);
create table recipients (
  report_id text not null references reports,
  number integer not null,
  address text not null,
  primary key (report_id, number)
);
create index recipients_by_address on recipients (lower(address));
create table cancel_requests (
  report_id text primary key references reports,
  requested_by text,
  reason text
);
create table correction_messages (
  report_id text not null references reports,
  correction integer not null,
  ordered_at timestamptz not null,
  requested_by text,
  message text not null,
  primary key (report_id, correction)
);
create table documents (
  report_id text not null references reports,
  number integer not null,
  name text not null,
  body text not null,
  bytes integer not null,
  sha256 text not null,
  primary key (report_id, number),
  unique (report_id, name)
);
create table drafts (
  report_id text not null references reports,
  step text not null,
  body text not null,
  model text not null,
  input_tokens integer,
  output_tokens integer,
  primary key (report_id, step)
);
-- What was ordered after an end and is to be sent by a run of its own, until Temporal has acknowledged that run.
create table orders (
  report_id text not null references reports,
  authority text not null,
  email text not null,
  first_number integer not null,
  last_number integer not null,
  acknowledged_at timestamptz,
  primary key (report_id, authority, email)
);
create table saved_reports (
  report_id text primary key references reports,
  body text,
  sha256 text not null,
  saved_at timestamptz not null
);
create table messages (
  report_id text not null references reports,
  email text not null,
  authority text not null,
  raw bytea not null,
  sha256 text not null,
  message_id text not null,
  primary key (report_id, email, authority)
);

-- The database itself refuses what no code may do.
create function refuse_change() returns trigger language plpgsql as
  $$ begin raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'restrict_violation'; end $$;
create trigger ledger_is_append_only before update or delete on ledger for each row execute function refuse_change();
create trigger ledger_is_not_emptied before truncate on ledger for each statement execute function refuse_change();

create function keep_ends_and_receipts() returns trigger language plpgsql as
  $$ begin
    if old.phase in ('finished', 'cancelled', 'failed') and old.fence ->> 'phase' is distinct from new.fence ->> 'phase' then
      raise exception 'report % has ended: % stays %', old.id, old.phase, old.phase using errcode = 'restrict_violation';
    end if;
    if jsonb_typeof(old.fence -> 'cancel') = 'object' and old.fence -> 'cancel' is distinct from new.fence -> 'cancel' then
      raise exception 'report % has its one receipt already', old.id using errcode = 'restrict_violation';
    end if;
    if (new.fence ->> 'sequence')::integer < old.sequence then
      raise exception 'report % cannot go back in its ledger', old.id using errcode = 'restrict_violation';
    end if;
    return new;
  end $$;
create trigger ends_are_immutable before update of fence on reports for each row execute function keep_ends_and_receipts();

create extension if not exists citext;
create extension if not exists fuzzystrmatch;
create extension if not exists pg_trgm;

-- Exact counts, maintained by the generated triggers in repeatable/counters.sql. The value of a counter is the sum of
-- its shards: concurrent writers update different rows.
create table counters (
  scope text not null,
  key uuid not null,
  shard smallint not null,
  value bigint not null default 0,
  primary key (scope, key, shard)
) with (fillfactor = 70);
-- Sums the listed contents of several channels with one index range per channel.
create index counters_channel_listed on counters (key)
  where scope like 'channel:listed:%' and scope <> 'channel:listed:PLAYLIST';

-- The event log. An event is written in the transaction of the change it reports. Readers follow (xact, id) up to the
-- oldest running transaction, so they never skip an event that commits late (ADR 0013).
create table events (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  type text not null,
  channel_id uuid,
  subject_id uuid not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- The event's identifier in the API: a UUID that contains id.
  uid uuid generated always as (('00000000-0000-8000-8000-' || lpad(to_hex(id), 12, '0'))::uuid) stored
);
-- The log of one channel in order. created_at is included because cursors contain it to tell their age.
create index events_channel on events (channel_id, xact, id, created_at) where channel_id is not null;
create index events_order on events (xact, id);
create unique index events_uid on events (uid);
-- Pages of long lists are read in the order of an index. Most parents have few rows and some have a hundred thousand,
-- such as contents with comments. From the average the planner concludes that sorting all rows of a parent is as cheap
-- as walking the index in order, which for long lists costs a thousand times more. With a thousandth of all rows per
-- parent it walks the index, which is right for short and long lists. This affects comparisons with one value only, not
-- joins. Other tables have it for the same reason.
alter table events alter column channel_id set (n_distinct = -0.001);

-- The position of each internal consumer in the log. A consumer writes its effects and its cursor in one transaction.
create table event_cursors (
  consumer text primary key,
  xact xid8 not null default '0',
  event_id bigint not null default 0,
  -- Failed attempts at the event after the cursor. After too many the event is skipped and recorded in event_failures.
  failures smallint not null default 0,
  retry_at timestamptz not null default '-infinity',
  updated_at timestamptz not null default now()
);

create table event_failures (
  consumer text not null references event_cursors (consumer) on delete cascade,
  event_id bigint not null references events on delete cascade,
  error text not null,
  created_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index event_failures_event on event_failures (event_id);

-- Values that hold for the whole installation, such as the fingerprint of SECRET_KEY.
create table platform_metadata (
  name text primary key,
  value text not null
);

-- Settings of this server that operators change in the application. Null: the default, or what the environment says.
create table instance_settings (
  singleton boolean primary key default true check (singleton),
  name text check (char_length(name) between 1 and 40),
  sign_up text check (sign_up in ('open', 'invite', 'closed')),
  terms_url text check (char_length(terms_url) <= 2000),
  privacy_url text check (char_length(privacy_url) <= 2000),
  updated_at timestamptz not null,
  -- Features that are switched off, by their names in server/src/kernel/features.ts.
  features_off text[] not null default '{}',
  -- Quotas of plans that were changed, by plan (or TRIAL) and name of the quota; see server/src/kernel/plans.ts.
  plan_quotas jsonb not null default '{}',
  -- See server/src/kernel/accent-color.ts.
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  -- The number of changes by people: an update that names an earlier one is refused (ADR 0132). So in other tables.
  revision integer not null default 1
);

-- Short messages between processes (ADR 0025). Unlogged: after a crash no receiver is waiting for them.
create unlogged table message_bus (
  -- The receiver: an unguessable string.
  address text primary key check (length(address) >= 1 and length(address) <= 200),
  message text not null check (octet_length(message) <= 4000),
  posted_at timestamptz not null
);
create index message_bus_by_age on message_bus (posted_at);

-- Each worker process updates its row every 20 s. /readyz lists the workers seen within the last minute.
create table workers (
  id uuid primary key,
  host text not null,
  sandbox json not null,
  seen_at timestamptz not null default now(),
  -- What it works on, for operators: kinds of work with their numbers.
  running json not null default '{}'
);
comment on table workers is 'Worker processes that are running, or crashed within the last day.';
comment on column workers.sandbox is
  'state (complete, incomplete, refusing), method, protections and advice, as /readyz shows them.';

-- Processes that work, and what they work on. A process that ends without having stopped was interrupted, with all that
-- it worked on (ADR 0130). Times are of the database.
create table work_processes (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  has_stopped boolean not null default false
);
create index work_processes_seen_at_idx on work_processes (seen_at);
comment on table work_processes is
  'Processes that work. One that is not seen for some seconds and has not stopped has died. Kept for a day.';

create table work_attempts (
  id uuid primary key,
  work text not null,
  process_id uuid not null references work_processes on delete cascade,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('DONE', 'FAILED', 'RETURNED', 'DIED', 'LOST')),
  check ((outcome is null) = (ended_at is null))
);
create index work_attempts_work_idx on work_attempts (work, started_at);
create index work_attempts_process_idx on work_attempts (process_id);
create index work_attempts_ended_at_idx on work_attempts (ended_at) where ended_at is not null;
comment on table work_attempts is
  'Attempts at jobs and at chunks of videos: which process worked on what, and how it ended. Kept for a day.';
comment on column work_attempts.work is 'Name of the kind of work and its id.';
comment on column work_attempts.outcome is
  'RETURNED: handed back by a process that stopped. DIED: its process died. LOST: others had it meanwhile. Null: runs.';

create table interrupted_work (
  work text primary key,
  subject uuid,
  interruptions integer not null,
  deaths integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  state text not null check (state in ('AGAIN', 'APART', 'ALONE'))
);
create index interrupted_work_subject_idx on interrupted_work (subject) where subject is not null;
comment on table interrupted_work is 'Work that was interrupted and has not ended.';
comment on column interrupted_work.subject is 'Job that it is part of, where there is one.';
comment on column interrupted_work.deaths is 'Processes in a row that died while they worked on it.';
comment on column interrupted_work.state is
  'AGAIN: it is tried again. APART: set apart, until no process has died for a while. ALONE: tried alone.';

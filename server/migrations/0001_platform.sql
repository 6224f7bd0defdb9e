create extension if not exists citext;

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
create index counters_channel_listed on counters (key) where scope like 'channel:listed:%' and scope <> 'channel:listed:PLAYLIST';

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
-- A parent has a thousandth of the rows, for the planner: see comments in 0007_social.sql.
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

-- Objects to delete from the object store: a prefix that ends with '/' covers everything below it, any other is the key
-- of one object. The transaction that deletes the owner of an object inserts the row; a worker removes the row once the
-- objects are deleted.
create table object_purges (
  id bigint generated always as identity primary key,
  key_prefix text not null check (length(key_prefix) > 10),
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index object_purges_due on object_purges (due_at);

-- Values that hold for the whole installation, such as the fingerprint of SECRET_KEY.
create table platform_metadata (
  name text primary key,
  value text not null
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
  seen_at timestamptz not null default now()
);
comment on table workers is 'Worker processes that are running, or crashed within the last day.';
comment on column workers.sandbox is 'state (complete, incomplete, refusing), method, protections and advice, as /readyz shows them.';

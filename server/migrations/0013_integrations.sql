-- The event log as the API shows it, webhooks and their deliveries.

-- The identifier of an event in the API: a UUID that holds the number.
alter table events add column uid uuid generated always as (('00000000-0000-8000-8000-' || lpad(to_hex(id), 12, '0'))::uuid) stored;
create unique index events_uid on events (uid);
-- Each channel's part of the log, in its order. created_at is part of the cursors, which say by it how old they are.
create index events_channel on events (channel_id, xact, id, created_at) where channel_id is not null;

create table webhooks (
  id          uuid primary key,
  channel_id  uuid not null references channels on delete cascade,
  url         text not null,
  description text not null default '',
  -- Names of event types.
  events      text[] not null check (cardinality(events) > 0),
  is_enabled  boolean not null default true,
  -- OWNER: switched off by hand; FAILURES: for days every delivery failed; GONE: the endpoint answered 410.
  disabled_reason text check (disabled_reason in ('OWNER', 'FAILURES', 'GONE')),
  -- The secret under AES-256-GCM.
  secret      bytea not null,
  -- The one before the last rotation, which signs too until it is over.
  previous_secret       bytea,
  previous_secret_until timestamptz,
  -- Since when every attempt fails, and how many did; null and 0 after a success.
  failing_since timestamptz,
  failures      integer not null default 0,
  -- While an endpoint fails it is left alone for a while, whatever waits for it.
  resume_at   timestamptz not null default '-infinity',
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  check (is_enabled = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhooks_channel on webhooks (channel_id, created_at desc, id desc);

-- One message to one webhook. What it says is copied, so that every attempt sends the same bytes.
create table webhook_deliveries (
  id            uuid primary key,
  webhook_id    uuid not null references webhooks on delete cascade,
  -- Null for a test message.
  event_id      bigint,
  event_type    text not null,
  -- The `data` of the message.
  data          jsonb not null,
  occurred_at   timestamptz not null,
  status        text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts      smallint not null default 0,
  -- No attempt is made after this instant.
  expires_at    timestamptz not null,
  next_attempt_at timestamptz,
  -- The attempt in progress: who makes it, and when it counts as lost.
  lease         uuid,
  leased_until  timestamptz,
  response_status smallint,
  duration_ms   integer,
  error         text,
  created_at    timestamptz not null default now(),
  finished_at   timestamptz,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'PENDING';
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- Scope 'webhook:deliveries' has the webhook as key.
create function webhook_deliveries_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select webhook_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('webhook:deliveries', r.webhook_id, r.n);
    end loop;
  else
    for r in select webhook_id, count(*) as n from old_rows group by 1 order by 1 loop
      perform counter_add('webhook:deliveries', r.webhook_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger webhook_deliveries_count_insert after insert on webhook_deliveries referencing new table as new_rows for each statement execute function webhook_deliveries_count();
create trigger webhook_deliveries_count_delete after delete on webhook_deliveries referencing old table as old_rows for each statement execute function webhook_deliveries_count();

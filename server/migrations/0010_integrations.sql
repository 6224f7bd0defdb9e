create table webhooks (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  url text not null,
  description text not null default '',
  -- Names of event types.
  events text[] not null check (cardinality(events) > 0),
  is_enabled boolean not null default true,
  -- OWNER: disabled by a member; FAILURES: every delivery failed for days; GONE: the endpoint returned 410.
  disabled_reason text check (disabled_reason in ('OWNER', 'FAILURES', 'GONE')),
  -- The signing secret, encrypted with AES-256-GCM.
  secret bytea not null,
  -- The secret before the last rotation; it also signs until previous_secret_until.
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- Since when every attempt has failed, and how many; null and 0 after a success.
  failing_since timestamptz,
  failures integer not null default 0,
  -- Back-off of a failing endpoint: no delivery before this instant.
  resume_at timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (is_enabled = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhooks_channel on webhooks (channel_id, created_at desc, id desc);

-- One message to one webhook. The payload is copied, so that every attempt sends the same bytes.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  -- Null for a test delivery.
  event_id bigint,
  event_type text not null,
  -- The data property of the message.
  data jsonb not null,
  occurred_at timestamptz not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts smallint not null default 0,
  -- No attempts after this instant.
  expires_at timestamptz not null,
  next_attempt_at timestamptz,
  -- The attempt in progress: its owner, and when it is considered lost.
  lease uuid,
  leased_until timestamptz,
  response_status smallint,
  duration_ms integer,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_deliveries_age on webhook_deliveries (created_at);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'PENDING';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id desc);
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, event_id);

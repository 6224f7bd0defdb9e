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
  revision integer not null default 1,
  -- Whether it keeps the order of the messages about one content.
  delivery_order text not null default 'PARALLEL' check (delivery_order in ('PARALLEL', 'PER_CONTENT')),
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
  about_id uuid,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_deliveries_age on webhook_deliveries (created_at);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'PENDING';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id desc);
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_about on webhook_deliveries (webhook_id, about_id, event_id) where about_id is not null;
comment on column webhook_deliveries.about_id is
  'The content that the event is about, or else its subject: what a webhook may keep the order of; null for tests.';

-- Resources that sessions of agents subscribed to. session: a digest of the session's id; rows end with it.
create table resource_subscriptions (
  session text not null check (length(session) = 43),
  uri text not null check (length(uri) between 1 and 1000),
  expires_at timestamptz not null,
  primary key (session, uri)
);
create index resource_subscriptions_expiry on resource_subscriptions (expires_at);

-- Exports: the objects of a connection as a file of JSON lines, written by workers part by part (ADR 0095).
create table data_exports (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  credential_kind text not null check (credential_kind in ('key', 'token', 'oauth', 'session')),
  credential_id text not null check (length(credential_id) >= 1 and length(credential_id) <= 300),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  query text not null check (length(query) <= 100000),
  variables json not null,
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'COMPLETE', 'ERROR', 'CANCELLED', 'EXPIRED')),
  attempt integer not null default 0 check (attempt >= 0),
  position json not null,
  parts integer not null default 0 check (parts >= 0),
  object_count bigint not null default 0 check (object_count >= 0),
  size_bytes bigint not null default 0 check (size_bytes >= 0),
  error_code text,
  error_message text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  error_text jsonb,
  check ((status = 'ERROR') = (error_message is not null)),
  check ((error_code is null) = (error_message is null)),
  check (status not in ('COMPLETE', 'EXPIRED') or expires_at is not null),
  constraint data_exports_error_text check (error_text is null or error_message is not null)
);
create index data_exports_account on data_exports (account_id, created_at, id);
create index data_exports_open on data_exports (account_id) where status in ('QUEUED', 'RUNNING');
create index data_exports_expiry on data_exports (expires_at) where status = 'COMPLETE';
create index data_exports_age on data_exports (created_at);
comment on column data_exports.credential_id is 'Names the credential that it reads with, and is none.';
comment on column data_exports.name is 'Field of the query, for the name of the file.';
comment on column data_exports.attempt is 'Counts the workers that took it: only the last one may write.';
comment on column data_exports.position is 'Where the part after the last one begins.';
comment on column data_exports.size_bytes is 'Of the lines of all parts, uncompressed.';
comment on column data_exports.expires_at is 'When the file is deleted.';

-- The parts of a file: whole lines, each object compressed with gzip.
create table data_export_parts (
  export_id uuid not null references data_exports on delete cascade,
  number integer not null check (number >= 0),
  object_key text not null,
  lines integer not null check (lines > 0),
  start_byte bigint not null check (start_byte >= 0),
  size_bytes integer not null check (size_bytes > 0),
  stored_bytes integer not null check (stored_bytes > 0),
  primary key (export_id, number)
);
comment on column data_export_parts.start_byte is 'Of its first line in the file.';

-- Archives of what an account has on the server, written by a worker. The file is at object_key until
-- expires_at.
create table account_archives (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETE', 'FAILED', 'EXPIRED')),
  attempt integer not null default 0,
  object_key text,
  size_bytes bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  constraint account_archives_file check (status <> 'COMPLETE'
    or (object_key is not null and size_bytes is not null and expires_at is not null))
);
create index account_archives_account on account_archives (account_id, created_at desc, id desc);
create unique index account_archives_open on account_archives (account_id) where status in ('QUEUED', 'RUNNING');
create index account_archives_expiry on account_archives (expires_at) where status = 'COMPLETE';
create index account_archives_age on account_archives (created_at);
comment on column account_archives.attempt is
  'Counts the workers that took it: only the last one may complete it.';

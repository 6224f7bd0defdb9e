-- Exports: the objects of a connection as a file of JSON lines, written by workers part by part (ADR 0095).
create table data_exports (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  credential_kind text not null check (credential_kind in ('key', 'token', 'oauth', 'session')),
  credential_id text not null check (length(credential_id) >= 1 and length(credential_id) <= 300),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  query text not null check (length(query) <= 100000),
  variables json not null,
  status text not null default 'QUEUED' check (
    status in ('QUEUED', 'RUNNING', 'COMPLETE', 'ERROR', 'CANCELLED', 'EXPIRED')),
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
  check ((status = 'ERROR') = (error_message is not null)),
  check ((error_code is null) = (error_message is null)),
  check (status not in ('COMPLETE', 'EXPIRED') or expires_at is not null)
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

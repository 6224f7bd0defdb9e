-- Archives of what an account has on the server, written by a worker (ADR 0117). The file is at object_key until
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
comment on column account_archives.attempt is 'Counts the workers that took it: only the last one may complete it.';

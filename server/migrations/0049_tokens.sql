-- Scoped tokens. lookup_hash: HMAC-SHA256 of the token; the token itself is not stored. A revoked token is deleted.
create table api_tokens (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  lookup_hash bytea not null unique check (octet_length(lookup_hash) = 32),
  hint text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  -- Null: all channels of the account.
  channel_ids uuid[] check (cardinality(channel_ids) > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create unique index api_tokens_name on api_tokens (account_id, lower(name));
create index api_tokens_newest on api_tokens (account_id, created_at desc, id desc);
create index api_tokens_expired on api_tokens (expires_at) where expires_at is not null;

alter table api_key_audit_log add column token text;
comment on column api_key_audit_log.token is 'Name of the scoped token; null for the key and for connected applications.';

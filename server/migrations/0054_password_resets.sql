-- Links that reset a password. token_hash: HMAC-SHA256 of the token in the link; the token itself is not stored.
create table password_resets (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_account on password_resets (account_id);
create index password_resets_expired on password_resets (expires_at);

alter table attempt_counters drop constraint attempt_counters_kind_check;
alter table attempt_counters add constraint attempt_counters_kind_check check (kind in ('SIGN_IN_ACCOUNT',
  'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS', 'PASSWORD_CHANGE', 'OPERATOR_CODE', 'RESET_ACCOUNT', 'RESET_ADDRESS'));

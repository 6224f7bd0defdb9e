-- Answers of mutations that came with an Idempotency-Key, for 24 hours.

-- state: RUNNING until the answer is stored. token: which request holds the claim; a later one may take it over when the lease has
-- run out and nothing was committed under it. committed: set by the transactions of the mutation themselves.
create table idempotency_keys (
  account_id  uuid not null references accounts on delete cascade,
  key         text not null check (length(key) between 1 and 200),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  state       text not null default 'RUNNING' check (state in ('RUNNING', 'ANSWERED')),
  token       uuid not null,
  lease_until timestamptz not null,
  committed   boolean not null default false,
  -- The answer as it was sent.
  answer      text,
  created_at  timestamptz not null,
  primary key (account_id, key),
  check ((state = 'ANSWERED') = (answer is not null))
);
create index idempotency_keys_old on idempotency_keys (created_at);

-- Sign-ups that wait for their address to be confirmed. They are no accounts, and their names stay free until then.
-- token_hash: HMAC-SHA256 of the token in the link; the token itself is not stored.
create table pending_sign_ups (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  email citext not null,
  username citext not null,
  name text not null,
  password_hash text not null,
  invitation_id uuid references invitations on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_sign_ups_email on pending_sign_ups (email);
create index pending_sign_ups_invitation on pending_sign_ups (invitation_id);
create index pending_sign_ups_expired on pending_sign_ups (expires_at);

-- Links that confirm the address of an account, or replace it by a new one.
create table email_confirmations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  email citext not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_confirmations_account on email_confirmations (account_id);
create index email_confirmations_expired on email_confirmations (expires_at);

alter table attempt_counters drop constraint attempt_counters_kind_check;
alter table attempt_counters add constraint attempt_counters_kind_check check (kind in ('SIGN_IN_ACCOUNT',
  'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS', 'PASSWORD_CHANGE', 'OPERATOR_CODE', 'RESET_ACCOUNT', 'RESET_ADDRESS',
  'CONFIRM_EMAIL'));

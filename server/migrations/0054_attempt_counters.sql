-- How often a password or code was tried, for each account and each client address, over all instances.

create table attempt_counters (
  kind          text not null check (kind in ('SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS', 'PASSWORD_CHANGE', 'OPERATOR_CODE')),
  subject       bytea not null check (octet_length(subject) = 32),
  attempts      integer not null check (attempts >= 0),
  blocked_until timestamptz not null,
  forget_at     timestamptz not null,
  primary key (kind, subject)
);
create index attempt_counters_forget on attempt_counters (forget_at);
comment on column attempt_counters.subject is 'HMAC-SHA256 under SECRET_KEY of an e-mail address, a client address (IPv6: its /64 network) or the id of an account.';
comment on column attempt_counters.blocked_until is 'No further attempt before; -infinity: none is waited for.';
comment on column attempt_counters.forget_at is 'When the row counts no more and may be deleted.';

-- Accounts that operators suspended: they sign in no more, and their keys and tokens are refused.
alter table accounts
  add column suspended_at timestamptz,
  add column suspension_reason text check (char_length(suspension_reason) between 1 and 500),
  add constraint accounts_suspension check ((suspended_at is null) = (suspension_reason is null));
create index accounts_newest on accounts (created_at, id);
-- What the search of operators looks through, in lower case.
create index accounts_search on accounts using gin (lower(username::text || ' ' || email::text || ' ' || name)
  gin_trgm_ops);

-- What operators did. Names are kept, so that a row says who and whom after an account was deleted.
create table operator_actions (
  id uuid primary key,
  at timestamptz not null,
  operator_id uuid references accounts on delete set null,
  operator_name text not null,
  action text not null check (action in ('ACCOUNT_SUSPENDED', 'ACCOUNT_REINSTATED', 'PLAN_SET',
    'PASSWORD_RESET_SENT')),
  account_id uuid references accounts on delete set null,
  account_name text not null,
  details text not null default '' check (char_length(details) <= 500)
);
create index operator_actions_newest on operator_actions (at, id);
create index operator_actions_operator on operator_actions (operator_id);
create index operator_actions_account on operator_actions (account_id);

-- What accounts want to watch later: a list of the account, not a playlist of its channel.
create table watch_later (
  content_id uuid not null references contents on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (content_id, account_id)
);
create index watch_later_account on watch_later (account_id, created_at desc, content_id desc);
-- A parent has a thousandth of the rows, for the planner: see comments in 0007_social.sql.
alter table watch_later alter column account_id set (n_distinct = -0.001);

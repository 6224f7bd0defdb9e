-- What broadcasts take of the owner's minutes per month (UTC). The rows outlive the broadcasts: deleting a recording
-- refunds nothing.
create table broadcast_charges (
  broadcast_id uuid not null,
  -- That owned the channel meanwhile.
  account_id uuid not null references accounts on delete cascade,
  -- First day of the month.
  month date not null check (extract(day from month) = 1),
  duration_ms bigint not null check (duration_ms >= 0),
  primary key (broadcast_id, account_id, month)
);
create index broadcast_charges_account on broadcast_charges (account_id);

-- Why a broadcast ended; null for those that go on, and those that ended before this was noted.
alter table broadcasts
  add column end_reason text check (end_reason in
    ('ENCODER_STOPPED', 'ENCODER_LOST', 'REQUESTED', 'MINUTES_USED_UP', 'REMOVED')),
  add constraint broadcasts_end_reason check (end_reason is null or state in ('ENDED', 'RECORDED'));

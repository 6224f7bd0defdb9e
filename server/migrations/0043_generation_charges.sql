-- Credits that enhancements take from the owner of a channel (ADR 0085). The row outlives the job and its video; a job
-- that fails, is cancelled or gains nothing deletes it.
create table generation_charges (
  job_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  month date not null check (extract(day from month) = 1),
  credits integer not null check (credits > 0)
);
create index generation_charges_account on generation_charges (account_id);
comment on column generation_charges.month is 'First day of the month (UTC) whose credits are taken.';

-- Processes that work, and what they work on. A process that ends without having stopped was interrupted, with all that
-- it worked on. Times are of the database.
create table work_processes (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  has_stopped boolean not null default false
);
comment on table work_processes is
  'Processes that work. One that is not seen for some seconds and has not stopped has died. Kept for a day.';
create index work_processes_seen_at_idx on work_processes (seen_at);

create table work_attempts (
  id uuid primary key,
  work text not null,
  process_id uuid not null references work_processes on delete cascade,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('DONE', 'FAILED', 'RETURNED', 'DIED', 'LOST')),
  check ((outcome is null) = (ended_at is null))
);
comment on table work_attempts is
  'Attempts at jobs and at chunks of videos: which process worked on what, and how it ended. Kept for a day.';
comment on column work_attempts.work is 'Name of the kind of work and its id.';
comment on column work_attempts.outcome is
  'RETURNED: handed back by a process that stopped. DIED: its process died. LOST: others had it meanwhile. Null: runs.';
create index work_attempts_work_idx on work_attempts (work, started_at);
create index work_attempts_process_idx on work_attempts (process_id);
create index work_attempts_ended_at_idx on work_attempts (ended_at) where ended_at is not null;

create table interrupted_work (
  work text primary key,
  subject uuid,
  interruptions integer not null,
  deaths integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  state text not null check (state in ('AGAIN', 'APART', 'ALONE'))
);
comment on table interrupted_work is 'Work that was interrupted and has not ended.';
comment on column interrupted_work.subject is 'Job that it is part of, where there is one.';
comment on column interrupted_work.deaths is 'Processes in a row that died while they worked on it.';
comment on column interrupted_work.state is
  'AGAIN: it is tried again. APART: set apart, until no process has died for a while. ALONE: tried alone.';
create index interrupted_work_subject_idx on interrupted_work (subject) where subject is not null;

-- Attempts count claims from now on; failures are counted apart.
alter table encode_chunks add column failures smallint not null default 0;
update encode_chunks set failures = attempts where kind = 'on-demand' and state <> 'DONE' and attempts >= 10;

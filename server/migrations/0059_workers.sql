-- Each worker process says every 20 s that it runs and how it isolates media tools. /readyz lists those that did so within the last minute.
create table workers (
  id uuid primary key,
  host text not null,
  sandbox json not null,
  seen_at timestamptz not null default now()
);
comment on table workers is 'Worker processes that run, or ended without saying so within the last day.';
comment on column workers.sandbox is 'state (complete, incomplete, refusing), method, protections and advice, as /readyz shows them.';

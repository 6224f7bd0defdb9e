alter table encode_chunks add column started_at timestamptz;
comment on column encode_chunks.started_at is 'When the latest attempt was claimed.';
alter table encode_chunks add column cpu_ms integer check (cpu_ms >= 0);
comment on column encode_chunks.cpu_ms is 'CPU time that encoding took; null until it is done.';

alter table encode_plans add column finish_cost_ms integer not null default 1000 check (finish_cost_ms > 0);
alter table encode_plans alter column finish_cost_ms drop default;
comment on column encode_plans.finish_cost_ms is 'Estimated CPU time of what follows the last chunk.';

create table encode_speeds (
  kind text primary key check (kind in ('audio', 'video', 'finish')),
  cost_ms double precision not null check (cost_ms >= 0),
  cpu_ms double precision not null check (cpu_ms >= 0),
  wall_ms double precision not null check (wall_ms >= 0),
  peak_bytes double precision not null check (peak_bytes >= 0),
  bytes double precision not null check (bytes >= 0)
);
comment on table encode_speeds is
  'What encoding took on this installation, recent work first: estimated and measured CPU time, time, bytes at the '
  'highest bit rates and real bytes.';

create table encode_workers (
  id uuid primary key,
  lanes smallint not null check (lanes > 0),
  seen_at timestamptz not null default now()
);
comment on table encode_workers is 'Running workers, and how many chunks each encodes at a time.';

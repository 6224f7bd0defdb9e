-- Enhancements are measured apart from the encoding of uploads, and what comes before chunks too.
alter table encode_speeds drop constraint encode_speeds_kind_check;
alter table encode_speeds add constraint encode_speeds_kind_check check (kind in
  ('audio', 'video', 'finish', 'speech', 'translation', 'plan', 'upmix', 'upmix-plan', 'upscale', 'upscale-plan'));

-- What an enhancement that has no plan yet was estimated to take: jobs after it wait for it.
alter table transcode_jobs add column plan_cost_ms integer, add column encode_cost_ms integer;
comment on column transcode_jobs.plan_cost_ms is
  'CPU time that was estimated for what comes before the chunks, in ms; null where that is about the same for all.';
comment on column transcode_jobs.encode_cost_ms is 'CPU time that was estimated for its chunks, in ms; null: not known.';
create index transcode_jobs_open on transcode_jobs (id) where status in ('QUEUED', 'TRANSCODING');

-- It returns other columns now.
drop function if exists encode_jobs_open();

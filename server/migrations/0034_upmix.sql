alter table transcode_jobs drop constraint transcode_jobs_purpose_check;
alter table transcode_jobs add constraint transcode_jobs_purpose_check
  check (purpose in ('PROCESS', 'REPEAT', 'RENDITIONS', 'ENHANCE'));
comment on column transcode_jobs.purpose is
  'PROCESS: of an uploaded video; REPEAT: of a video that is played meanwhile as it was processed before; RENDITIONS: '
  'encodes renditions of such a video, not shown as a job; ENHANCE: adds renditions that a member of the channel asked '
  'for.';

alter table renditions add column upmix boolean;
comment on column renditions.upmix is 'Whether it is sound in 5.1 that was made of a track with fewer channels.';

-- Videos whose main track is or will be offered in 5.1 beside the original.
create table upmixes (
  video_asset_id uuid primary key references video_assets on delete cascade,
  job_id uuid not null references transcode_jobs on delete cascade,
  -- Once it is complete: what was measured and decided, the name of the package, and what is stored in it.
  receipt jsonb,
  folder text,
  stored_bytes bigint,
  stored_files integer
);
create index upmixes_job on upmixes (job_id);

alter table transcode_jobs add column purpose text not null default 'PROCESS'
  check (purpose in ('PROCESS', 'REPEAT', 'RENDITIONS'));
comment on column transcode_jobs.purpose is
  'PROCESS: of an uploaded video; REPEAT: of a video that is played meanwhile as it was processed before; RENDITIONS: '
  'encodes renditions of such a video, not shown as a job.';
alter table transcode_jobs add column priority smallint not null default 0;
comment on column transcode_jobs.priority is 'Chunks of jobs with a higher one are encoded first.';

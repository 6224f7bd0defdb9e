-- What each worker works on, for operators: kinds of work with their numbers.
alter table workers add column running json not null default '{}';
-- Jobs of all channels, as operators list and count them.
create index transcode_jobs_newest on transcode_jobs (created_at, id);
create index transcode_jobs_status on transcode_jobs (status, created_at, id);

-- Why a job failed, as a message with its values: whoever reads it gets it in their language.
alter table transcode_jobs add column error_text jsonb,
  add constraint transcode_jobs_error_text check (error_text is null or error_message is not null);
alter table ingestions add column error_text jsonb,
  add constraint ingestions_error_text check (error_text is null or error_message is not null);
alter table youtube_publish_jobs add column error_text jsonb,
  add constraint youtube_publish_jobs_error_text check (error_text is null or error_message is not null);
alter table data_exports add column error_text jsonb,
  add constraint data_exports_error_text check (error_text is null or error_message is not null);

comment on column transcode_jobs.error_text is
  'error_message as a message with its values, {"key", "values"}; null if it has none. So in the other tables.';

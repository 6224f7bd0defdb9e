alter table transcode_jobs drop constraint transcode_jobs_purpose_check;
alter table transcode_jobs add constraint transcode_jobs_purpose_check
  check (purpose in ('PROCESS', 'REPEAT', 'RENDITIONS', 'ENHANCE', 'CAPTIONS'));
comment on column transcode_jobs.purpose is
  'PROCESS: of an uploaded video; REPEAT: of a video that is played meanwhile as it was processed before; RENDITIONS: '
  'encodes renditions of such a video, not shown as a job; ENHANCE: adds renditions that a member of the channel asked '
  'for; CAPTIONS: makes captions.';

alter table captions add column automatic text check (automatic in ('SPEECH', 'TRANSLATION'));
comment on column captions.automatic is
  'What made them: recognition of the speech, or translation of other captions; null once a person wrote or edited them.';
alter table captions add column spoken_in uuid references video_assets on delete cascade;
comment on column captions.spoken_in is 'The video whose speech automatic captions have; they are deleted with it.';
create index captions_spoken_in on captions (spoken_in) where spoken_in is not null;

create table caption_jobs (
  job_id uuid primary key references transcode_jobs on delete cascade,
  content_id uuid not null references contents on delete cascade,
  kind text not null check (kind in ('SPEECH', 'TRANSLATION')),
  language text,
  source_id uuid references captions on delete set null,
  captions_id uuid references captions on delete set null,
  receipt jsonb
);
comment on table caption_jobs is 'Jobs that make captions.';
comment on column caption_jobs.language is 'Of the captions, as a BCP 47 tag; null if it is that which is detected.';
comment on column caption_jobs.source_id is 'The captions that are translated.';
comment on column caption_jobs.captions_id is 'What it made; null until then, without speech, and once that was deleted.';
comment on column caption_jobs.receipt is 'Once it is complete: what was done.';
create index caption_jobs_content on caption_jobs (content_id);
create index caption_jobs_source on caption_jobs (source_id) where source_id is not null;
create index caption_jobs_captions on caption_jobs (captions_id) where captions_id is not null;

create table caption_parts (
  job_id uuid not null references caption_jobs on delete cascade,
  number integer not null check (number >= 0),
  result jsonb not null,
  primary key (job_id, number)
);
comment on table caption_parts is 'Parts of the work of caption jobs that are done, so that an attempt continues there.';

alter table encode_speeds drop constraint encode_speeds_kind_check;
alter table encode_speeds add constraint encode_speeds_kind_check
  check (kind in ('audio', 'video', 'finish', 'speech', 'translation'));

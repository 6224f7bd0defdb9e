create table transcode_jobs (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  content_id uuid not null references contents on delete cascade,
  video_asset_id uuid references video_assets on delete set null,
  status text not null default 'QUEUED' check (status in ('CANCELLED', 'CANCELLING', 'COMPLETE', 'ERROR', 'IDLE',
    'NONE', 'QUEUED', 'TRANSCODING', 'UNKNOWN')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- Whether the output is stored and served.
  deployed boolean not null default false,
  attempts smallint not null default 0,
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Storage reserved for running work: the announced size of a fetch, or what processing may write.
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  purpose text not null default 'PROCESS'
    check (purpose in ('PROCESS', 'REPEAT', 'RENDITIONS', 'ENHANCE', 'CAPTIONS')),
  priority smallint not null default 0,
  codec text check (codec in ('AV1', 'HEVC')),
  -- Whoever reads it gets it in their language.
  error_text jsonb,
  -- What an enhancement makes, which its row in enhancements says only until another one takes its place.
  enhancement text check (enhancement in ('UPMIX', 'UPSCALE')),
  -- Whether the file is decoded whole and measured before it is encoded, because what was encoded of it was not as
  -- planned.
  decodes_whole boolean not null default false,
  -- What an enhancement that has no plan yet was estimated to take: jobs after it wait for it.
  plan_cost_ms integer,
  encode_cost_ms integer,
  constraint transcode_jobs_error_text check (error_text is null or error_message is not null)
);
create index transcode_jobs_channel on transcode_jobs (channel_id, created_at desc, id desc);
create index transcode_jobs_content on transcode_jobs (content_id, created_at desc, id desc);
create index transcode_jobs_reserved on transcode_jobs (channel_id)
  where reserved_bytes > 0 and (status in ('QUEUED', 'TRANSCODING'));
-- The unfinished jobs of a channel.
create index transcode_jobs_running on transcode_jobs (channel_id, created_at desc, id desc)
  where status in ('QUEUED', 'TRANSCODING', 'CANCELLING');
create index transcode_jobs_video on transcode_jobs (video_asset_id);
create unique index transcode_jobs_codec on transcode_jobs (video_asset_id, codec)
  where codec is not null and status <> 'CANCELLED';
-- Jobs of videos that may be encoded in the codec again.
create index transcode_jobs_cancelled_codec on transcode_jobs (codec) where codec is not null and status = 'CANCELLED';
-- Jobs of all channels, as operators list and count them.
create index transcode_jobs_newest on transcode_jobs (created_at, id);
create index transcode_jobs_status on transcode_jobs (status, created_at, id);
create index transcode_jobs_open on transcode_jobs (id) where status in ('QUEUED', 'TRANSCODING');
-- For the planner: see events in 0001_baseline_platform.sql.
alter table transcode_jobs alter column channel_id set (n_distinct = -0.001);
comment on column transcode_jobs.reserved_bytes is
  'Counts while the job is QUEUED or TRANSCODING; each claim and each end of an attempt sets it to 0.';
comment on column transcode_jobs.purpose is
  'PROCESS: of an uploaded video; REPEAT: of a video that is played meanwhile as it was processed before; RENDITIONS: '
  'encodes renditions of such a video, not shown as a job; ENHANCE: adds renditions that a member of the channel asked '
  'for; CAPTIONS: makes captions.';
comment on column transcode_jobs.priority is 'Chunks of jobs with a higher one are encoded first.';
comment on column transcode_jobs.codec is
  'Of jobs with the purpose RENDITIONS that encode a video in another codec.';
comment on column transcode_jobs.error_text is
  'error_message as a message with its values, {"key", "values"}; null if it has none. So in the other tables.';
comment on column transcode_jobs.plan_cost_ms is
  'CPU time that was estimated for what comes before the chunks, in ms; null where that is about the same for all.';
comment on column transcode_jobs.encode_cost_ms is
  'CPU time that was estimated for its chunks, in ms; null: not known.';

-- How a job encodes its video: exists from the inspection of the file until the job ends.
create table encode_plans (
  job_id uuid primary key references transcode_jobs on delete cascade,
  -- Of the job; its files are below the package prefix of this attempt.
  attempt smallint not null,
  -- The owner of the channel, among whom workers are shared fairly.
  account_id uuid not null,
  -- As server/src/media/encode/encode-plan.ts describes it, without its chunks.
  plan jsonb not null,
  mime_type text not null,
  -- Maximum size of the encoded video in bytes.
  max_bytes bigint not null check (max_bytes > 0),
  created_at timestamptz not null default now(),
  finish_cost_ms integer not null check (finish_cost_ms > 0),
  remuxed_key text,
  source_tag text,
  folder text
);
comment on column encode_plans.finish_cost_ms is 'Estimated CPU time of what follows the last chunk.';
comment on column encode_plans.remuxed_key is
  'The copy that is encoded in place of the uploaded file: every moment of it is found by an index.';
comment on column encode_plans.source_tag is 'Size and ETag of the file that is encoded.';
comment on column encode_plans.folder is
  'The package of a video whose evicted renditions are encoded again; null for a package of the job itself.';

-- Parts of the video and tracks of sound, which any worker encodes; and segments of the video's smaller quality that
-- viewers wait for meanwhile, which are encoded one by one (on-demand).
create table encode_chunks (
  job_id uuid not null references encode_plans on delete cascade,
  kind text not null check (kind in ('audio', 'on-demand', 'video')),
  number integer not null check (number >= 0),
  -- As the plan describes it.
  chunk jsonb not null,
  state text not null default 'WAITING' check (state in ('DONE', 'RUNNING', 'WAITING')),
  -- Counts claims; failures are counted apart.
  attempts smallint not null default 0,
  -- Of a waiting chunk: when it may start. Of a running one: when it goes to another worker unless the lease is
  -- renewed.
  available_at timestamptz not null default now(),
  -- Estimated CPU time in milliseconds.
  cost_ms integer not null check (cost_ms > 0),
  progress real not null default 0 check (progress between 0 and 1),
  -- What was encoded: sizes and durations of the segments. Null until the chunk is done.
  result jsonb,
  encoded_bytes bigint not null default 0 check (encoded_bytes >= 0),
  refusals smallint not null default 0,
  started_at timestamptz,
  cpu_ms integer check (cpu_ms >= 0),
  -- When a viewer asked last; null for chunks of the plan.
  wanted_at timestamptz,
  -- The sizes of a video are chosen by its first chunks.
  is_sample boolean not null default false,
  failures smallint not null default 0,
  primary key (job_id, kind, number),
  check ((state = 'DONE') = (result is not null)),
  check ((kind = 'on-demand') = (wanted_at is not null))
);
create index encode_chunks_open on encode_chunks (job_id) where state <> 'DONE';
comment on column encode_chunks.refusals is 'Attempts whose result did not pass verification.';
comment on column encode_chunks.started_at is 'When the latest attempt was claimed.';
comment on column encode_chunks.cpu_ms is 'CPU time that encoding took; null until it is done.';
comment on column encode_chunks.is_sample is
  'Whether its outputs tell which sizes the video needs. Encoded before others.';

-- Enhancements are measured apart from the encoding of uploads, and what comes before chunks too.
create table encode_speeds (
  kind text primary key check (kind in
    ('audio', 'video', 'finish', 'speech', 'translation', 'plan', 'upmix', 'upmix-plan', 'upscale', 'upscale-plan')),
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

-- How videos were encoded, to encode some of it again.
create table encoded_videos (
  video_asset_id uuid primary key references video_assets on delete cascade,
  -- As in encode_plans.
  plan jsonb not null,
  source_tag text not null
);

-- What encoded renditions consist of, by chunk.
create table rendition_outputs (
  video_asset_id uuid not null,
  folder text not null,
  -- The initialization segment, in base64.
  init text not null,
  -- Of each chunk, in their order: the digest of all that its bytes depend on, and its segments.
  outputs jsonb not null,
  primary key (video_asset_id, folder),
  foreign key (video_asset_id, folder) references renditions on delete cascade
);

-- Segments of sound that viewers wait for, of videos whose pictures are played as they were uploaded.
create table sound_segments (
  video_asset_id uuid not null references video_assets on delete cascade,
  number integer not null check (number >= 0),
  state text not null default 'WAITING' check (state in ('DONE', 'RUNNING', 'WAITING')),
  attempts integer not null default 0,
  failures smallint not null default 0,
  available_at timestamptz not null default now(),
  wanted_at timestamptz not null default now(),
  primary key (video_asset_id, number)
);
create index sound_segments_open on sound_segments (wanted_at) where state <> 'DONE';
comment on table sound_segments is
  'Sound that is encoded on request beside copied pictures; forgotten after a day.';
comment on column sound_segments.number is 'Of the segment, from 0.';
comment on column sound_segments.attempts is 'Counts claims: writes of earlier ones have no effect.';
comment on column sound_segments.failures is 'Attempts that failed; interrupted ones do not count.';
comment on column sound_segments.available_at is
  'When it may be claimed; of one that is being encoded, when it is given to another worker.';
comment on column sound_segments.wanted_at is 'When a viewer asked for it last.';

-- When segments of videos were last requested, to the day: renditions of those that nobody watches are evicted.
create table video_fetches (
  video_asset_id uuid primary key references video_assets on delete cascade,
  fetched_on date not null
);
create index video_fetches_day on video_fetches (fetched_on);

-- The waveform of a video's sound, for editors: made when it is asked for.
create table waveforms (
  -- That of the video.
  id uuid primary key references video_assets on delete cascade,
  requested_at timestamptz not null default now(),
  failed_at timestamptz,
  milliseconds_per_pair integer,
  -- The lowest and the highest sample of each interval, one signed byte each.
  pairs bytea,
  check ((pairs is null) = (milliseconds_per_pair is null)),
  check (failed_at is null or pairs is null)
);

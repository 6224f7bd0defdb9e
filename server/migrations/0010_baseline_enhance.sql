create table enhancements (
  video_asset_id uuid not null references video_assets on delete cascade,
  job_id uuid not null references transcode_jobs on delete cascade,
  receipt jsonb,
  folder text,
  stored_bytes bigint,
  stored_files integer,
  kind text not null check (kind in ('UPMIX', 'UPSCALE')),
  -- UPMIX: {layout}; UPSCALE: the target and the model.
  input jsonb not null default '{}',
  primary key (video_asset_id, kind)
);
create index enhancements_job on enhancements (job_id);
comment on table enhancements is
  'What members of a channel had made of a video beside the original. Once it is complete: what was measured and '
  'decided, the name of the package, and what is stored in it; without a package where nothing was gained.';
comment on column enhancements.kind is
  'UPMIX: the main track in 5.1; UPSCALE: the pictures at a larger size, with the target and the model as input.';

-- As the worker found them that looked last.
create table upscale_models (
  name text primary key,
  source text not null check (source in ('BUILT_IN', 'OPERATOR')),
  state text not null check (state in ('READY', 'REFUSED')),
  reason text,
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  probe_version integer,
  facts jsonb,
  cost double precision check (cost > 0),
  provider text,
  measured jsonb not null default '[]',
  found_at timestamptz not null,
  check ((state = 'REFUSED') = (reason is not null)),
  check (source = 'BUILT_IN' or state = 'REFUSED' or (digest is not null and facts is not null and cost is not null))
);
comment on table upscale_models is
  'Models that enlarge videos; without rows, no worker has looked. Those of the platform are refused where the workers '
  'cannot run models.';
comment on column upscale_models.digest is 'SHA-256 of the file, in hexadecimal; null where it was not read.';
comment on column upscale_models.facts is 'What the probe found out: see ModelFacts.';
comment on column upscale_models.cost is 'CPU seconds for a million pixels, on one core of an ordinary server.';
comment on column upscale_models.provider is
  'The execution provider of ONNX Runtime that is used; null: the CPU, unmeasured.';
comment on column upscale_models.measured is 'What was measured of each provider: see MeasuredProvider.';

create table caption_jobs (
  job_id uuid primary key references transcode_jobs on delete cascade,
  content_id uuid not null references contents on delete cascade,
  kind text not null check (kind in ('SPEECH', 'TRANSLATION')),
  language text,
  source_id uuid references captions on delete set null,
  captions_id uuid references captions on delete set null,
  receipt jsonb
);
create index caption_jobs_content on caption_jobs (content_id);
create index caption_jobs_source on caption_jobs (source_id) where source_id is not null;
create index caption_jobs_captions on caption_jobs (captions_id) where captions_id is not null;
comment on table caption_jobs is 'Jobs that make captions.';
comment on column caption_jobs.language is 'Of the captions, as a BCP 47 tag; null if it is that which is detected.';
comment on column caption_jobs.source_id is 'The captions that are translated.';
comment on column caption_jobs.captions_id is
  'What it made; null until then, without speech, and once that was deleted.';
comment on column caption_jobs.receipt is 'Once it is complete: what was done.';

create table caption_parts (
  job_id uuid not null references caption_jobs on delete cascade,
  number integer not null check (number >= 0),
  result jsonb not null,
  primary key (job_id, number)
);
comment on table caption_parts is
  'Parts of the work of caption jobs that are done, so that an attempt continues there.';

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
  created_at timestamptz not null default now()
);

-- Parts of the video and tracks of sound, which any worker encodes.
create table encode_chunks (
  job_id uuid not null references encode_plans on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  number integer not null check (number >= 0),
  -- As the plan describes it.
  chunk jsonb not null,
  state text not null default 'WAITING' check (state in ('DONE', 'RUNNING', 'WAITING')),
  attempts smallint not null default 0,
  -- Of a waiting chunk: when it may start. Of a running one: when it goes to another worker unless the lease is renewed.
  available_at timestamptz not null default now(),
  -- Estimated CPU time in milliseconds.
  cost_ms integer not null check (cost_ms > 0),
  progress real not null default 0 check (progress between 0 and 1),
  -- What was encoded: sizes and durations of the segments. Null until the chunk is done.
  result jsonb,
  encoded_bytes bigint not null default 0 check (encoded_bytes >= 0),
  primary key (job_id, kind, number),
  check ((state = 'DONE') = (result is not null))
);
create index encode_chunks_open on encode_chunks (job_id) where state <> 'DONE';

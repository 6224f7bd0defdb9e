-- Videos that are sent to the external site (ADR 0039).
create table youtube_publish_jobs (
  id uuid primary key,
  content_id uuid not null references contents (id) on delete cascade,
  channel_id uuid not null references channel_ids (id) on delete cascade,
  -- Whose connection to the site is used.
  account_id uuid not null references accounts (id) on delete cascade,
  -- The channel on the site that was connected when it was asked for.
  youtube_channel_id text not null,
  privacy_status text not null check (privacy_status in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  status text not null default 'PENDING' check (status in ('PENDING', 'UPLOADING', 'PROCESSING', 'COMPLETE', 'ERROR')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- The file that is sent: it never changes under its key, so that a broken-off upload goes on with the same bytes.
  object_key text not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- What the site has confirmed.
  sent_bytes bigint not null default 0,
  -- The address the site gave out for this upload, which is its own permission; null before and after.
  sealed_session_url bytea,
  -- Attempts of workers to send it: a later one makes the writes of an earlier one ineffective.
  attempts smallint not null default 0,
  -- Looks at what the site makes of it, which fence each other in the same way.
  status_checks smallint not null default 0,
  youtube_video_id text,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the whole file had arrived.
  sent_at timestamptz,
  finished_at timestamptz
);
create unique index youtube_publish_jobs_active on youtube_publish_jobs (content_id) where status in ('PENDING', 'UPLOADING', 'PROCESSING');
create index youtube_publish_jobs_content on youtube_publish_jobs (content_id, created_at desc, id desc);
create index youtube_publish_jobs_channel on youtube_publish_jobs (channel_id);
create index youtube_publish_jobs_account on youtube_publish_jobs (account_id);

-- OAuth authorizations with Google in progress.
create table youtube_consents (
  -- SHA-256 of the state parameter.
  state_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  -- The PKCE code verifier (RFC 7636), encrypted with AES-256-GCM.
  sealed_verifier bytea not null,
  expires_at timestamptz not null
);
create index youtube_consents_account on youtube_consents (account_id);
create index youtube_consents_expires on youtube_consents (expires_at);

create table youtube_connections (
  account_id uuid primary key references accounts on delete cascade,
  -- Id, title and thumbnail of the YouTube channel at the time of connecting.
  channel_id text not null,
  channel_title text not null,
  channel_thumbnail text,
  -- The YouTube playlist that contains all uploads of the channel.
  uploads_playlist_id text not null,
  -- The granted OAuth scopes.
  scopes text[] not null,
  -- Encrypted with AES-256-GCM. Access tokens are kept in memory only.
  sealed_refresh_token bytea not null,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  -- Since when Google rejects the token; null while it works.
  broken_at timestamptz
);

-- The YouTube video a content was imported from. While the content exists, the video is not imported again.
create table youtube_imports (
  content_id uuid primary key references contents on delete cascade,
  video_id text not null,
  youtube_channel_id text not null,
  created_at timestamptz not null
);
create index youtube_imports_video on youtube_imports (video_id);

-- Videos to publish on YouTube.
create table youtube_publish_jobs (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null references channel_ids on delete cascade,
  -- The account whose connection is used.
  account_id uuid not null references accounts on delete cascade,
  -- The YouTube channel connected at the time of the request.
  youtube_channel_id text not null,
  privacy_status text not null check (privacy_status in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  status text not null default 'PENDING' check (status in ('PENDING', 'UPLOADING', 'PROCESSING', 'COMPLETE', 'ERROR')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- The file to send. Objects are immutable, so an interrupted upload resumes with the same bytes.
  object_key text not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- Bytes confirmed by YouTube.
  sent_bytes bigint not null default 0,
  -- The resumable upload URL, which needs no other credential; null before and after the upload.
  sealed_session_url bytea,
  -- Upload attempts. A fencing token: writes of earlier attempts have no effect.
  attempts smallint not null default 0,
  -- Polls of the processing status on YouTube; a fencing token as well.
  status_checks smallint not null default 0,
  youtube_video_id text,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the upload was complete.
  sent_at timestamptz,
  finished_at timestamptz,
  error_text jsonb,
  constraint youtube_publish_jobs_error_text check (error_text is null or error_message is not null)
);
create index youtube_publish_jobs_account on youtube_publish_jobs (account_id);
create unique index youtube_publish_jobs_active on youtube_publish_jobs (content_id)
  where status in ('PENDING', 'UPLOADING', 'PROCESSING');
create index youtube_publish_jobs_channel on youtube_publish_jobs (channel_id);
create index youtube_publish_jobs_content on youtube_publish_jobs (content_id, created_at desc, id desc);

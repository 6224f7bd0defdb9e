-- Uploads in progress or finished. The upload URL contains a token derived from the id and SECRET_KEY, so no token is
-- stored.
create table ingestions (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  -- Null for a channel's own images.
  content_id uuid references contents on delete cascade,
  media_kind text not null check (media_kind in ('VIDEO', 'IMAGE')),
  -- VIDEO: a VideoContentType; IMAGE: an ImagePurpose.
  hint text not null,
  -- IMAGE: what the picture shows.
  alt text not null default '',
  filename text not null,
  -- As declared by the client. The content decides what the file is.
  filetype text not null,
  asset_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  received_bytes bigint not null default 0,
  state text not null default 'OPEN' check (state in ('OPEN', 'FINISHED', 'FAILED', 'EXPIRED')),
  -- VIDEO: whether processing starts automatically after the last byte.
  auto_process boolean not null default false,
  object_key text not null,
  error_code text,
  error_message text,
  -- Extended by every chunk that arrives.
  expires_at timestamptz not null,
  -- A lease that its holder renews: one request at a time, across instances, writes to an upload.
  lock_owner uuid,
  locked_until timestamptz,
  -- Another request is waiting for the lease; the holder releases it early.
  lock_requested boolean not null default false,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  playlist_id uuid references playlists on delete cascade,
  -- Until when storage is reserved for the missing bytes: an hour after the upload was opened, resumed, or advanced
  -- (ADR 0040).
  reserved_until timestamptz not null default now() + interval '1 hour',
  reserved_at_bytes bigint not null default 0 check (reserved_at_bytes >= 0),
  check (content_id is not null or media_kind = 'IMAGE'),
  check (playlist_id is null or content_id is null)
);
create index ingestions_channel on ingestions (channel_id, created_at desc, id desc);
-- Counts a channel's open uploads when another is opened.
create index ingestions_channel_open on ingestions (channel_id) where state = 'OPEN';
create index ingestions_content on ingestions (content_id, created_at desc, id desc);
create index ingestions_open on ingestions (expires_at) where state = 'OPEN';
create index ingestions_playlist on ingestions (playlist_id) where playlist_id is not null;
create index ingestions_received on ingestions (id) where state = 'OPEN' and received_bytes = size_bytes;
comment on column ingestions.reserved_until is 'Afterwards the missing bytes of an open upload no longer count as reserved storage.';
comment on column ingestions.reserved_at_bytes is 'Bytes received when the reservation was last extended; 1 % of the file more extends it again.';

create table video_assets (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  content_id uuid not null references contents on delete cascade,
  ingestion_id uuid references ingestions on delete set null,
  hint text not null,
  filename text not null,
  source_key text not null,
  size_bytes bigint not null,
  mime_type text,
  width integer,
  height integer,
  duration_ms bigint,
  -- The result of ffprobe, as written by media/inspect.
  probe jsonb,
  -- [{label,width,height,bandwidthBps,averageBandwidthBps,codecs,frameRate,path}], highest first; null until packaged.
  renditions jsonb,
  -- {pattern,count,intervalMs} of the seek bar thumbnails below package_prefix; null for audio.
  thumbnails jsonb,
  -- Object key prefix of the HLS package and the file name of its master playlist in it; null until packaged.
  package_prefix text,
  ready_at timestamptz,
  created_at timestamptz not null default now(),
  -- Other files of the package: {encoder,videoDownload,audioDownload,preview,stills}, with paths below package_prefix;
  -- null until packaged.
  extras jsonb,
  -- Generated files: streams, downloads, previews. Counted separately from the uploaded file (ADR 0040).
  derived_bytes bigint not null default 0 check (derived_bytes >= 0),
  derived_files integer not null default 0 check (derived_files >= 0)
);
create index video_assets_channel on video_assets (channel_id, created_at desc, id desc);
create index video_assets_content on video_assets (content_id, created_at desc, id desc);
create index video_assets_ingestion on video_assets (ingestion_id) where ingestion_id is not null;
create index video_assets_source on video_assets (source_key);
-- The storage a channel uses.
create index video_assets_storage on video_assets (channel_id) include (size_bytes);
comment on column video_assets.derived_bytes is 'Size of the package, measured when it was stored.';
comment on column video_assets.derived_files is 'Number of files in the package.';

create table transcode_jobs (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  content_id uuid not null references contents on delete cascade,
  video_asset_id uuid references video_assets on delete set null,
  status text not null default 'QUEUED' check (status in ('CANCELLED', 'CANCELLING', 'COMPLETE', 'ERROR', 'IDLE', 'NONE', 'QUEUED', 'TRANSCODING', 'UNKNOWN')),
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
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0)
);
create index transcode_jobs_channel on transcode_jobs (channel_id, created_at desc, id desc);
create index transcode_jobs_content on transcode_jobs (content_id, created_at desc, id desc);
create index transcode_jobs_reserved on transcode_jobs (channel_id) where reserved_bytes > 0 and (status in ('QUEUED', 'TRANSCODING'));
-- The unfinished jobs of a channel.
create index transcode_jobs_running on transcode_jobs (channel_id, created_at desc, id desc) where status in ('QUEUED', 'TRANSCODING', 'CANCELLING');
create index transcode_jobs_video on transcode_jobs (video_asset_id);
-- A parent has a thousandth of the rows, for the planner: see comments in 0007_social.sql.
alter table transcode_jobs alter column channel_id set (n_distinct = -0.001);
comment on column transcode_jobs.reserved_bytes is 'Counts while the job is QUEUED or TRANSCODING; each claim and each end of an attempt sets it to 0.';

create table image_assets (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  -- Null for a channel's own images (avatar, banner).
  content_id uuid references contents on delete cascade,
  purpose text not null,
  alt text not null default '',
  width integer not null,
  height integer not null,
  mime_type text not null,
  size_bytes bigint not null,
  object_prefix text not null,
  -- [{file,width,height,format,sizeBytes}], largest first; file is relative to object_prefix.
  variants jsonb not null,
  dominant_color text not null,
  blurhash text not null,
  created_at timestamptz not null default now(),
  playlist_id uuid references playlists on delete cascade,
  check (playlist_id is null or content_id is null)
);
create index image_assets_channel on image_assets (channel_id, created_at desc, id desc) where content_id is null and playlist_id is null;
create index image_assets_content on image_assets (content_id, created_at desc, id desc) where content_id is not null;
create index image_assets_newest on image_assets (channel_id, created_at desc, id desc);
create index image_assets_playlist on image_assets (playlist_id, created_at desc, id desc) where playlist_id is not null;
create index image_assets_storage on image_assets (channel_id) include (size_bytes);

-- Captions as WebVTT: added by creators or found in the video file.
create table captions (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  content_id uuid not null references contents on delete cascade,
  -- A BCP 47 language tag.
  language text not null,
  label text not null,
  kind text not null check (kind in ('SUBTITLES', 'CAPTIONS', 'DESCRIPTIONS')),
  -- At most one per content; enforced by the commands.
  is_default boolean not null default false,
  vtt text not null,
  -- Part of the file's URL; incremented with every new text.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  video_asset_id uuid references video_assets on delete cascade
);
create index captions_channel on captions (channel_id);
create index captions_content on captions (content_id, created_at, id);
create index captions_video on captions (video_asset_id) where video_asset_id is not null;
comment on column captions.video_asset_id is 'The video whose file contained them; null for captions added by creators.';

-- Processing minutes charged to the owner's monthly quota (UTC months). The row outlives the video: deleting a video
-- refunds nothing, failed processing does.
create table upload_charges (
  video_asset_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- First day of the month.
  month date not null,
  duration_ms bigint not null check (duration_ms >= 0)
);
create index upload_charges_account on upload_charges (account_id);

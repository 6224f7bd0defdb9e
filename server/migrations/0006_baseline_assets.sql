-- Objects to delete from the object store: a prefix that ends with '/' covers everything below it, any other is the key
-- of one object. The transaction that deletes the owner of an object inserts the row; a worker removes the row once the
-- objects are deleted.
create table object_purges (
  id bigint generated always as identity primary key,
  key_prefix text not null check (length(key_prefix) > 10),
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index object_purges_due on object_purges (due_at);

create table video_assets (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  content_id uuid not null references contents on delete cascade,
  ingestion_id uuid,
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
  derived_files integer not null default 0 check (derived_files >= 0),
  original_deleted_at timestamptz,
  loudness jsonb,
  -- TRIM: cut from the file of an earlier video of the content, which stays so that the whole video can be played
  -- again; REVERT: that file again.
  edit text check (edit in ('TRIM', 'REVERT')),
  -- Of TRIM: [{"startMs":0,"endMs":1000},...] of the original.
  kept_ranges jsonb,
  original_key text,
  original_bytes bigint not null default 0 check (original_bytes >= 0),
  -- Of TRIM: captions and chapters as they are for the original, {"captions":[{id,version,vtt}],"chapters",
  -- "chaptersAfter"}.
  texts_before jsonb,
  -- What is missing at the end of the video, because its file is cut off or damaged; 0 where it is complete.
  missing_ms integer not null default 0 check (missing_ms >= 0),
  is_damaged boolean not null default false,
  constraint video_assets_trim check (
    (edit is not distinct from 'TRIM') = (original_key is not null)
    and (original_key is null) = (kept_ranges is null)
    and (original_key is not null or original_bytes = 0))
);
create index video_assets_channel on video_assets (channel_id, created_at desc, id desc);
create index video_assets_content on video_assets (content_id, created_at desc, id desc);
create index video_assets_ingestion on video_assets (ingestion_id) where ingestion_id is not null;
create index video_assets_source on video_assets (source_key);
-- The storage a channel uses.
create index video_assets_storage on video_assets (channel_id) include (size_bytes);
create index video_assets_original on video_assets (original_key) where original_key is not null;
-- The videos that need the most storage, for operators; with the original of those that were trimmed.
create index video_assets_largest on video_assets
  ((original_bytes + case when original_deleted_at is null then size_bytes else 0 end + derived_bytes), id);
comment on column video_assets.renditions is 'Qualities of videos that have no rows in renditions.';
comment on column video_assets.derived_bytes is 'Size of the package, measured when it was stored.';
comment on column video_assets.derived_files is 'Number of files in the package.';
comment on column video_assets.original_deleted_at is
  'When the uploaded file was given up because of channels.keep_originals: it no longer counts as storage, and its '
  'object is deleted a day later.';
comment on column video_assets.loudness is
  '{integratedLufs,rangeLu,truePeakDbtp} of the default audio track; null for silence, and where it was not measured.';
comment on column video_assets.original_key is 'Of a trimmed video: the object of the uploaded file.';
comment on column video_assets.original_bytes is 'Of a trimmed video: size of the uploaded file.';
comment on column video_assets.is_damaged is
  'Whether decoding found damaged parts, which the decoder concealed; true once a part of the file with one was '
  'encoded.';

-- The streams of playable videos: their manifests are generated from these rows. A video without rows has manifests in
-- its package.
create table renditions (
  video_asset_id uuid not null references video_assets on delete cascade,
  -- With its playlists and segments, below media/<content>/<video>/. Its first part changes with each packaging, so
  -- that files never change at their addresses.
  folder text not null,
  kind text not null check (kind in ('VIDEO', 'AUDIO')),
  origin text not null check (origin in ('ENCODE', 'COPY', 'ON_DEMAND')),
  -- Pictures from large to small, then audio, the default first.
  position smallint not null,
  -- RFC 6381.
  codecs text not null,
  -- Bits per second of this rendition alone.
  peak_bps bigint not null,
  average_bps bigint not null,
  -- Pictures: a label such as 1080p, and the frame rate as a fraction.
  label text,
  width integer,
  height integer,
  frame_rate text,
  -- Of the keyframes alone; null without an I-frame playlist.
  iframe_peak_bps bigint,
  iframe_average_bps bigint,
  -- Audio: renditions of one track of the source have the same number and name.
  track smallint,
  name text,
  language text,
  channels smallint,
  sample_rate integer,
  is_default boolean,
  -- Of its segments: units per second, and runs [duration, count] of equal durations.
  timescale integer not null,
  durations jsonb not null,
  state text not null default 'STORED' check (state in ('STORED', 'EVICTED')),
  on_demand_peak_bps bigint,
  upmix boolean,
  enhanced boolean,
  primary key (video_asset_id, folder),
  check (kind <> 'VIDEO' or (label is not null and width > 0 and height > 0 and frame_rate is not null)),
  check (kind <> 'AUDIO' or (track is not null and name is not null and channels > 0 and sample_rate > 0
    and is_default is not null)),
  check ((state = 'EVICTED') = (on_demand_peak_bps is not null))
);
comment on column renditions.state is
  'EVICTED: its segments were deleted, because nobody watched the video; they are encoded one by one when requested.';
comment on column renditions.on_demand_peak_bps is
  'While it is evicted: highest bit rate of segments encoded one by one.';
comment on column renditions.upmix is 'Whether it is sound in 5.1 that was made of a track with fewer channels.';
comment on column renditions.enhanced is 'Whether it was upscaled: viewers choose it, players do not by themselves.';

-- Videos whose segments are cut from their uploaded files, or from copies of these: what is stored for that.
create table media_indexes (
  video_asset_id uuid primary key references video_assets on delete cascade,
  -- Of the index, playlists and initialization segments.
  key_prefix text not null,
  -- Whether a copy of the uploaded file is there, too, from which they are cut.
  is_remuxed boolean not null,
  stored_bytes bigint not null check (stored_bytes > 0),
  stored_files integer not null check (stored_files > 0)
);

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
  -- An image of a test channel itself, so that reading it need not look for the channel. Set by a trigger.
  is_test boolean not null default false,
  video_asset_id uuid references video_assets on delete cascade,
  check (playlist_id is null or content_id is null),
  constraint image_assets_of_video check (video_asset_id is null or content_id is not null)
);
create index image_assets_channel on image_assets (channel_id, created_at desc, id desc)
  where content_id is null and playlist_id is null;
create index image_assets_content on image_assets (content_id, created_at desc, id desc) where content_id is not null;
create index image_assets_newest on image_assets (channel_id, created_at desc, id desc);
create index image_assets_playlist on image_assets (playlist_id, created_at desc, id desc)
  where playlist_id is not null;
create index image_assets_storage on image_assets (channel_id) include (size_bytes);
create index image_assets_video on image_assets (video_asset_id) where video_asset_id is not null;
comment on column image_assets.video_asset_id is
  'Of a poster that nobody chose: the video that it was taken from; null for images that were uploaded or chosen.';

-- Captions as WebVTT: added by creators, found in the video file, or made from speech.
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
  video_asset_id uuid references video_assets on delete cascade,
  is_forced boolean not null default false,
  automatic text check (automatic in ('SPEECH', 'TRANSLATION')),
  spoken_in uuid references video_assets on delete cascade,
  revision integer not null default 1
);
create index captions_channel on captions (channel_id);
create index captions_content on captions (content_id, created_at, id);
create index captions_video on captions (video_asset_id) where video_asset_id is not null;
create index captions_spoken_in on captions (spoken_in) where spoken_in is not null;
comment on column captions.video_asset_id is
  'The video whose file contained them; null for captions added by creators.';
comment on column captions.is_forced is
  'Shown to viewers who chose none; at most one per content and language, which the commands enforce.';
comment on column captions.automatic is
  'What made them: recognition of the speech, or translation of other captions; null once a person wrote or edited '
  'them.';
comment on column captions.spoken_in is 'The video whose speech automatic captions have; they are deleted with it.';

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

-- Credits that enhancements take from the owner of a channel. The row outlives the job and its video; a job
-- that fails, is cancelled or gains nothing deletes it.
create table generation_charges (
  job_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  month date not null check (extract(day from month) = 1),
  credits integer not null check (credits > 0)
);
create index generation_charges_account on generation_charges (account_id);
comment on column generation_charges.month is 'First day of the month (UTC) whose credits are taken.';

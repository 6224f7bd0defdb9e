-- The streams of playable videos: their manifests are generated from these rows. Videos that were processed before have
-- none; their manifests are in their packages.
create table renditions (
  video_asset_id uuid not null references video_assets on delete cascade,
  -- With its playlists and segments, below media/<content>/<video>/. Its first part changes with each packaging, so that
  -- files never change at their addresses.
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
  primary key (video_asset_id, folder),
  check (kind <> 'VIDEO' or (label is not null and width > 0 and height > 0 and frame_rate is not null)),
  check (kind <> 'AUDIO' or (track is not null and name is not null and channels > 0 and sample_rate > 0
    and is_default is not null))
);
comment on column video_assets.renditions is 'Qualities of videos that have no rows in renditions.';

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

-- Videos that are played while their uploads arrive (ADR 0166), until their last segment is stored.
create table arriving_videos (
  video_asset_id uuid primary key references video_assets on delete cascade,
  ingestion_id uuid not null unique references ingestions on delete cascade,
  -- Whether its content was published for it, so that it is withdrawn with it.
  has_published boolean not null,
  -- When a segment was stored last.
  stored_at timestamptz not null
);
comment on table arriving_videos is 'The video of an upload that is played while it arrives.';

-- Their segments in the object store.
create table arriving_segments (
  video_asset_id uuid not null references arriving_videos on delete cascade,
  number integer not null check (number >= 0),
  -- Of its initialization segments, from 0, and whether it does not continue the segment before it.
  init smallint not null check (init >= 0),
  is_discontinuity boolean not null,
  video_seconds double precision not null check (video_seconds > 0),
  -- 0 where there is no sound meanwhile; null without sound.
  audio_seconds double precision check (audio_seconds >= 0),
  bytes integer not null check (bytes > 0),
  primary key (video_asset_id, number)
);

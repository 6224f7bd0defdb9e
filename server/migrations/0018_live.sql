-- Where encoders publish to. A channel has several.
create table live_inputs (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- The stream key, encrypted with AES-256-GCM, and a keyed hash by which a publisher is looked up.
  stream_key bytea not null,
  stream_key_hash bytea not null unique check (octet_length(stream_key_hash) = 32),
  -- LOW: parts of segments are played before the segments are complete.
  latency text not null default 'LOW' check (latency in ('LOW', 'NORMAL')),
  -- What is kept of a broadcast: all of it, what viewers could rewind to at its end, or nothing.
  recording text not null default 'ALL' check (recording in ('ALL', 'ROLLING', 'NONE')),
  -- Of the streams that it makes.
  visibility text not null default 'PRIVATE' check (visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  -- How long a broadcast waits for an encoder that is gone.
  reconnect_window_ms integer not null default 60000 check (reconnect_window_ms between 0 and 300000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1
);
create index live_inputs_channel on live_inputs (channel_id, created_at desc, id desc);

-- One broadcast of an input, from the encoder's connection to the recording.
create table broadcasts (
  id uuid primary key,
  -- Null once the input is deleted.
  input_id uuid references live_inputs on delete set null,
  channel_id uuid not null references channel_ids on delete cascade,
  -- CONNECTED: an encoder was accepted; LIVE: it can be played; RECONNECTING: the encoder is gone; ENDED: nothing
  -- follows; RECORDED: what is kept of it is a video.
  state text not null check (state in ('CONNECTED', 'LIVE', 'RECONNECTING', 'ENDED', 'RECORDED')),
  -- The stream and its video, from LIVE on.
  content_id uuid unique references contents on delete cascade,
  video_asset_id uuid,
  -- As the input had them when it began.
  latency text not null check (latency in ('LOW', 'NORMAL')),
  recording text not null check (recording in ('ALL', 'ROLLING', 'NONE')),
  reconnect_window_ms integer not null,
  connected_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  recorded_at timestamptz,
  -- Whether its channel ended it, so that an encoder that connects again is refused for a minute.
  ended_by_request boolean not null default false,
  -- The connection of the encoder, null without one, and when the process that has it last said so.
  connection_id uuid,
  heartbeat_at timestamptz,
  -- Of RECONNECTING: when it ends.
  reconnect_until timestamptz,
  -- {"bitrateBps","frameRate","keyframeMs","lagMs"} of the last seconds; null without an encoder.
  health jsonb,
  -- What could not be stored.
  missing_ms integer not null default 0 check (missing_ms >= 0),
  check ((content_id is null) = (state = 'CONNECTED')),
  check ((content_id is null) = (video_asset_id is null)),
  check ((state = 'RECONNECTING') = (reconnect_until is not null)),
  check (state not in ('CONNECTED', 'LIVE') or connection_id is not null),
  check (state not in ('ENDED', 'RECORDED') or (connection_id is null and ended_at is not null))
);
-- A second publisher of an input is refused while the first one lives.
create unique index broadcasts_open on broadcasts (input_id) where state in ('CONNECTED', 'LIVE', 'RECONNECTING');
create index broadcasts_input on broadcasts (input_id, connected_at desc, id desc);
create index broadcasts_channel on broadcasts (channel_id);
create index broadcasts_unfinished on broadcasts (state) where state <> 'RECORDED';
comment on column broadcasts.channel_id is 'Kept as long as the channel exists, as that of its stream is.';

-- The segments of a broadcast in the object store, which are its recording.
create table broadcast_segments (
  broadcast_id uuid not null references broadcasts on delete cascade,
  number integer not null check (number >= 0),
  -- Of its initialization segments, from 0, and whether it does not continue the segment before it.
  init smallint not null check (init >= 0),
  is_discontinuity boolean not null,
  -- In 1/90000 s from the beginning of the broadcast, and in units of the track.
  start_ticks bigint not null,
  video_duration integer not null check (video_duration > 0),
  video_bytes integer not null check (video_bytes > 0),
  -- 0 where there was no sound meanwhile.
  audio_duration integer not null check (audio_duration >= 0),
  audio_bytes integer not null check (audio_bytes >= 0),
  -- When its first picture arrived.
  arrived_at timestamptz not null,
  primary key (broadcast_id, number)
);

alter table renditions drop constraint renditions_origin_check;
alter table renditions add constraint renditions_origin_check check (origin in ('ENCODE', 'COPY', 'ON_DEMAND', 'LIVE'));

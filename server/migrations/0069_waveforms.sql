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

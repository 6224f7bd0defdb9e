-- Segments of sound that viewers wait for, of videos whose pictures are played as they were uploaded.
create table sound_segments (
  video_asset_id uuid not null references video_assets (id) on delete cascade,
  number integer not null check (number >= 0),
  state text not null default 'WAITING' check (state in ('DONE', 'RUNNING', 'WAITING')),
  attempts integer not null default 0,
  failures smallint not null default 0,
  available_at timestamptz not null default now(),
  wanted_at timestamptz not null default now(),
  primary key (video_asset_id, number)
);
comment on table sound_segments is 'Sound that is encoded on request beside copied pictures; forgotten after a day.';
comment on column sound_segments.number is 'Of the segment, from 0.';
comment on column sound_segments.attempts is 'Counts claims: writes of earlier ones have no effect.';
comment on column sound_segments.failures is 'Attempts that failed; interrupted ones do not count.';
comment on column sound_segments.available_at is 'When it may be claimed; of one that is being encoded, when it is given to another worker.';
comment on column sound_segments.wanted_at is 'When a viewer asked for it last.';
create index sound_segments_open on sound_segments (wanted_at) where state <> 'DONE';

-- Segments of the sizes in which a broadcast is encoded while it is live, beside that of its encoder.
create table broadcast_track_segments (
  broadcast_id uuid not null references broadcasts on delete cascade,
  track text not null,
  number integer not null check (number >= 0),
  bytes integer not null check (bytes > 0),
  primary key (broadcast_id, number, track)
);

-- Times of presentation of segments, which DASH manifests list: how long after its decoding the first picture is shown,
-- in 1/90000 s, and when the sound begins, in units of its track; null without sound.
alter table broadcast_segments
  add column video_shift integer not null default 0,
  add column audio_start bigint;

-- Of broadcasts that go on: the sound of an encoder begins with its pictures.
update broadcast_segments s set audio_start = round(s.start_ticks * r.timescale / 90000.0)
from broadcasts b join renditions r on r.video_asset_id = b.video_asset_id and r.kind = 'AUDIO'
where b.id = s.broadcast_id and s.audio_bytes > 0;

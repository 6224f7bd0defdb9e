alter table channels add column encode_av1 boolean not null default false;
comment on column channels.encode_av1 is 'Whether videos get renditions in AV1.';
alter table channels add column encode_hevc boolean not null default false;
comment on column channels.encode_hevc is 'Whether videos get renditions in HEVC.';

alter table transcode_jobs add column codec text check (codec in ('AV1', 'HEVC'));
comment on column transcode_jobs.codec is 'Of jobs with the purpose RENDITIONS that encode a video in another codec.';
create unique index transcode_jobs_codec on transcode_jobs (video_asset_id, codec)
  where codec is not null and status <> 'CANCELLED';

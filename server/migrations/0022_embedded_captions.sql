-- Captions that were found in a video file are listed beside those that creators add, and go with their video.
alter table captions add column video_asset_id uuid references video_assets on delete cascade;
comment on column captions.video_asset_id is 'The video in whose file they were found; null for those that creators added.';
create index captions_video on captions (video_asset_id) where video_asset_id is not null;

-- Posters that the server took from a video without being asked to: they go with it.
alter table image_assets add column video_asset_id uuid references video_assets on delete cascade,
  add constraint image_assets_of_video check (video_asset_id is null or content_id is not null);
create index image_assets_video on image_assets (video_asset_id) where video_asset_id is not null;
comment on column image_assets.video_asset_id is
  'Of a poster that nobody chose: the video that it was taken from; null for images that were uploaded or chosen.';

-- Those that became ready in one transaction with their video.
update image_assets i set video_asset_id = v.id
from events p join events r on r.xact = p.xact and r.type = 'asset.ready' join video_assets v on v.content_id = r.subject_id
where p.type = 'image.ready' and p.subject_id = i.id and i.purpose = 'POSTER' and i.content_id = r.subject_id
  and v.id::text = r.payload ->> 'videoAssetId';

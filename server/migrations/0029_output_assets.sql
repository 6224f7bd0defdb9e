-- What a package has besides the stream, as written by media/extras: {encoder,videoDownload,audioDownload,preview,stills}, with paths below
-- package_prefix; null until packaged.
alter table video_assets add column extras jsonb;

-- Packages made before had one encoder and no extras.
update video_assets
set extras = jsonb_build_object('encoder', case when width is not null then 'X264' end, 'videoDownload', null, 'audioDownload', null, 'preview', null, 'stills', '[]'::jsonb)
where package_prefix is not null;

-- Whether whoever may watch it may also download it; members of the channel always may.
alter table contents add column allow_download boolean not null default false;

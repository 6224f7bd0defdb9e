alter table encode_plans add column source_tag text;
comment on column encode_plans.source_tag is 'Size and ETag of the file that is encoded.';

-- How videos were encoded, to encode some of it again.
create table encoded_videos (
  video_asset_id uuid primary key references video_assets on delete cascade,
  -- As in encode_plans.
  plan jsonb not null,
  source_tag text not null
);

-- What encoded renditions consist of, by chunk.
create table rendition_outputs (
  video_asset_id uuid not null,
  folder text not null,
  -- The initialization segment, in base64.
  init text not null,
  -- Of each chunk, in their order: the digest of all that its bytes depend on, and its segments.
  outputs jsonb not null,
  primary key (video_asset_id, folder),
  foreign key (video_asset_id, folder) references renditions on delete cascade
);

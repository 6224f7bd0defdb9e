-- The largest videos, with the original of those that were trimmed.
drop index video_assets_largest;
create index video_assets_largest on video_assets
  ((original_bytes + case when original_deleted_at is null then size_bytes else 0 end + derived_bytes), id);

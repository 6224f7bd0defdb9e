-- Bytes of the uploaded files of videos, by channel: a counter that triggers keep from now on.
insert into counters (scope, key, shard, value)
select 'channel:originals', channel_id, 0, sum(size_bytes)
from video_assets where original_deleted_at is null group by channel_id having sum(size_bytes) <> 0;
-- The videos that need the most storage, for operators.
create index video_assets_largest on video_assets
  ((case when original_deleted_at is null then size_bytes else 0 end + derived_bytes), id);

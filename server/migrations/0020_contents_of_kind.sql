-- What members list of a channel when they ask for some kinds only, such as its series.
create index contents_channel_kind on contents (channel_id, kind, created_at desc, id desc) where deleted_at is null;

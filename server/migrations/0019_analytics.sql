-- The comments of a channel by the time they were written, for its analytics.
create index comments_channel_written on comments (channel_id, created_at) where deleted_at is null;

-- Lists of a channel's comments, newest first; it serves what counts them by time, too.
create index comments_channel on comments (channel_id, created_at desc, id desc) where deleted_at is null;
drop index comments_channel_written;

-- The open uploads of a channel, counted when another is opened.
create index ingestions_channel_open on ingestions (channel_id) where state = 'OPEN';

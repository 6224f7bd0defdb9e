-- Counts who watches a broadcast now.
drop index watch_sessions_content;
create index watch_sessions_content on watch_sessions (content_id, last_at);

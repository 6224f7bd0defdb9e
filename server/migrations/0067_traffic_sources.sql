-- Where a playback began, as its player reported; views counted before have none.
alter table watch_sessions add column source text;
alter table content_views add column source text not null default 'DIRECT';

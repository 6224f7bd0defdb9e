-- Different viewers are counted in the index: of a view no more than when and who is asked.

drop index content_views_channel;
drop index content_views_content;
create index content_views_channel on content_views (channel_id, at, viewer);
create index content_views_content on content_views (content_id, at, viewer);

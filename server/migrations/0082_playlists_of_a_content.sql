-- Whether a playlist contains a content is asked for each of an account's playlists: a popular content is in thousands
-- of others.
drop index playlist_items_content;
create index playlist_items_content on playlist_items (content_id, playlist_id);

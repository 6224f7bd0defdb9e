-- Pages of long lists are read in the order of an index.
--
-- Most contents have few comments and some have a hundred thousand. From the average of a few the planner concludes that reading all of a
-- parent's rows and sorting them is as cheap as walking the index that has them in order, which for the long lists costs thousands of times more. So it is
-- told that a parent has a thousandth of all rows: an index walk that stops after a page is right for short and long lists. This
-- concerns comparisons with one value only; joins go by the number of values on their other side. Answers are told a twentieth: the checks of
-- their foreign keys, one for each comment that is deleted, are to use the index in small tables too.

alter table comments alter column content_id set (n_distinct = -0.001), alter column parent_id set (n_distinct = -0.05),
  alter column root_id set (n_distinct = -0.05), alter column account_id set (n_distinct = -0.001), alter column channel_id set (n_distinct = -0.001);
alter table contents alter column channel_id set (n_distinct = -0.001), alter column parent_id set (n_distinct = -0.001);
alter table content_listings alter column channel_id set (n_distinct = -0.001);
alter table playlists alter column channel_id set (n_distinct = -0.001);
alter table playlist_items alter column playlist_id set (n_distinct = -0.001);
alter table follows alter column channel_id set (n_distinct = -0.001), alter column account_id set (n_distinct = -0.001);
alter table likes alter column account_id set (n_distinct = -0.001);
alter table watch_positions alter column account_id set (n_distinct = -0.001);
alter table transcode_jobs alter column channel_id set (n_distinct = -0.001);
alter table events alter column channel_id set (n_distinct = -0.001);
analyze comments, contents, content_listings, playlists, playlist_items, follows, likes, watch_positions, transcode_jobs, events;

-- Work that grows with a channel or a content is done in pieces; and foreign keys have an index, so that a deletion looks up what refers to the
-- row instead of reading whole tables.

create index watch_sessions_content on watch_sessions (content_id);
create index video_assets_ingestion on video_assets (ingestion_id) where ingestion_id is not null;
create index accounts_primary_channel on accounts (primary_channel_id);
create index event_failures_event on event_failures (event_id);
create index reports_account on reports (account_id);

-- Deletes what people left at these contents, at most p_limit rows of one table; answers how many. Answers go before the comments they
-- answer. What somebody else is deleting is passed over.
create function purge_contents_batch(p_ids uuid[], p_limit integer) returns bigint language plpgsql as $$
declare
  part text;
  cleared bigint;
begin
  delete from comments where id = any(array(
    select id from comments where content_id = any(p_ids) order by created_at desc, id desc limit p_limit for update skip locked));
  get diagnostics cleared = row_count;
  if cleared > 0 then return cleared; end if;
  foreach part in array array['likes', 'content_views', 'watch_15min', 'content_daily', 'content_retention', 'watch_positions', 'watch_sessions', 'playlist_items'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where content_id = any($1) limit $2 for update skip locked))', part)
    using p_ids, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return cleared; end if;
  end loop;
  return 0;
end $$;

-- Channels whose documents are still to be written with a new name: those after this one, in the order of their identifiers.
create table search_rename_queue (
  channel_id uuid primary key,
  after_id   uuid not null
);
drop index search_documents_channel;
create index search_documents_channel on search_documents (channel_id, id);

-- Writes p_limit documents of contents and playlists of a channel anew, those after p_after; answers the last of them, or null where there are no
-- more. Whoever writes documents of the channel is waited for, so that nothing older than theirs is written.
create function search_refresh_channel(p_channel uuid, p_after uuid, p_limit integer) returns uuid language plpgsql as $$
declare ids uuid[];
begin
  perform search_lock_channels(array[p_channel], true);
  ids := array(select id from search_documents where channel_id = p_channel and id > p_after and kind <> 'CHANNEL' order by id limit p_limit);
  perform search_write_contents(array(select id from search_documents where id = any(ids) and kind <> 'PLAYLIST'));
  perform search_write_playlists(array(select id from search_documents where id = any(ids) and kind = 'PLAYLIST'));
  return case when cardinality(ids) = p_limit then ids[p_limit] end;
end $$;

-- Goes on with a channel that was renamed; answers whether there was one.
create function search_refresh_renamed(p_limit integer) returns boolean language plpgsql as $$
declare
  channel uuid;
  place uuid;
begin
  select channel_id into channel from search_rename_queue limit 1;
  if channel is null then return false; end if;
  -- Before the row, as renaming does.
  perform search_lock_channels(array[channel], true);
  select after_id into place from search_rename_queue where channel_id = channel for update;
  if place is null then return true; end if;
  place := search_refresh_channel(channel, place, p_limit);
  if place is null then
    delete from search_rename_queue where channel_id = channel;
  else
    update search_rename_queue set after_id = place where channel_id = channel;
  end if;
  return true;
end $$;

-- Their contents and playlists are found by the names of channels too: the first 200 at once, workers write the others.
create or replace function channels_search() returns trigger language plpgsql as $$
declare
  changed uuid[];
  renamed uuid[];
  channel uuid;
  place uuid;
begin
  if tg_op = 'INSERT' then
    perform search_write_channels(array(select id from new_rows));
    return null;
  end if;
  select array_agg(n.id), array_agg(n.id order by n.id) filter (where (n.name, n.handle) is distinct from (o.name, o.handle))
  into changed, renamed from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.handle, n.title, n.summary, n.short_summary, n.keywords)
    is distinct from (o.name, o.handle, o.title, o.summary, o.short_summary, o.keywords);
  if changed is not null then perform search_write_channels(changed); end if;
  if renamed is null then return null; end if;
  perform search_lock_channels(renamed, true);
  foreach channel in array renamed loop
    place := search_refresh_channel(channel, '00000000-0000-0000-0000-000000000000', 200);
    if place is not null then
      insert into search_rename_queue (channel_id, after_id) values (channel, place) on conflict (channel_id) do update set after_id = excluded.after_id;
    end if;
  end loop;
  return null;
end $$;

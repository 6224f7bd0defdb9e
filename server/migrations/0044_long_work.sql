-- Work that grows with a channel or a content is done in pieces; and foreign keys have an index, so that a deletion looks up what refers to the
-- row instead of reading whole tables.

create index watch_sessions_content on watch_sessions (content_id);
create index video_assets_ingestion on video_assets (ingestion_id) where ingestion_id is not null;
create index accounts_primary_channel on accounts (primary_channel_id);
create index event_failures_event on event_failures (event_id);
create index reports_account on reports (account_id);

-- Deletes what people left at these contents, at most p_most rows of one table; answers how many. Answers go before the comments they
-- answer. What somebody else is deleting is passed over.
create function contents_clear(p_ids uuid[], p_most integer) returns bigint language plpgsql as $$
declare
  part text;
  cleared bigint;
begin
  delete from comments where id = any(array(
    select id from comments where content_id = any(p_ids) order by created_at desc, id desc limit p_most for update skip locked));
  get diagnostics cleared = row_count;
  if cleared > 0 then return cleared; end if;
  foreach part in array array['likes', 'content_views', 'watch_quarters', 'content_days', 'content_retention', 'watch_positions', 'watch_sessions', 'playlist_items'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where content_id = any($1) limit $2 for update skip locked))', part)
    using p_ids, p_most;
    get diagnostics cleared = row_count;
    if cleared > 0 then return cleared; end if;
  end loop;
  return 0;
end $$;

-- Channels whose documents are still to be written with a new name: those after this one, in the order of their identifiers.
create table renamed_channels (
  channel_id uuid primary key,
  after      uuid not null
);
drop index search_documents_channel;
create index search_documents_channel on search_documents (channel_id, id);

-- Writes p_most documents of contents and playlists of a channel anew, those after p_after; answers the last of them, or null where there are no
-- more. Whoever writes documents of the channel is waited for, so that nothing older than theirs is written.
create function search_rename(p_channel uuid, p_after uuid, p_most integer) returns uuid language plpgsql as $$
declare ids uuid[];
begin
  perform search_wait(array[p_channel], true);
  ids := array(select id from search_documents where channel_id = p_channel and id > p_after and kind <> 'CHANNEL' order by id limit p_most);
  perform search_write_contents(array(select id from search_documents where id = any(ids) and kind <> 'PLAYLIST'));
  perform search_write_playlists(array(select id from search_documents where id = any(ids) and kind = 'PLAYLIST'));
  return case when cardinality(ids) = p_most then ids[p_most] end;
end $$;

-- Goes on with a channel that was renamed; answers whether there was one.
create function search_renew_renamed(p_most integer) returns boolean language plpgsql as $$
declare
  channel uuid;
  place uuid;
begin
  select channel_id into channel from renamed_channels limit 1;
  if channel is null then return false; end if;
  -- Before the row, as renaming does.
  perform search_wait(array[channel], true);
  select after into place from renamed_channels where channel_id = channel for update;
  if place is null then return true; end if;
  place := search_rename(channel, place, p_most);
  if place is null then
    delete from renamed_channels where channel_id = channel;
  else
    update renamed_channels set after = place where channel_id = channel;
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
  perform search_wait(renamed, true);
  foreach channel in array renamed loop
    place := search_rename(channel, '00000000-0000-0000-0000-000000000000', 200);
    if place is not null then
      insert into renamed_channels (channel_id, after) values (channel, place) on conflict (channel_id) do update set after = excluded.after;
    end if;
  end loop;
  return null;
end $$;

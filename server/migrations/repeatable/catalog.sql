-- Checks that the parent has the right kind and channel, and takes over its effective visibility. The lock waits for a
-- concurrent change of the parent's visibility, so none is missed (ADR 0016). Contents of test channels are private.
create or replace function contents_set_parent() returns trigger language plpgsql as $$
declare p record;
begin
  if new.parent_id is null then
    new.parent_effective_visibility := case when exists (select from channels h where h.id = new.channel_id
      and h.is_test) then 'PRIVATE' else 'PUBLIC' end;
    return new;
  end if;
  select kind, channel_id, effective_visibility into p from contents where id = new.parent_id for share;
  if not found then return new; end if; -- the foreign key says so
  if p.channel_id <> new.channel_id or not ((p.kind = 'SERIES' and new.kind = 'SEASON') or (p.kind in ('SEASON',
    'MINISERIES') and new.kind = 'EPISODE')) then
    raise exception 'a % cannot be below this %', new.kind, p.kind using errcode = 'check_violation',
      constraint = 'contents_parent_kind';
  end if;
  new.parent_effective_visibility := p.effective_visibility;
  return new;
end $$;
create or replace trigger contents_set_parent before insert or update of parent_id, channel_id, kind
  on contents for each row
  execute function contents_set_parent();

-- Propagates a change of effective visibility to the children; that statement propagates it to the next level.
create or replace function contents_propagate_visibility() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_rows n join old_rows o on o.id = n.id
                 where n.effective_visibility <> o.effective_visibility and n.kind in ('SERIES', 'SEASON',
                   'MINISERIES')) then
    return null;
  end if;
  update contents c set parent_effective_visibility = n.effective_visibility
  from new_rows n join old_rows o on o.id = n.id
  where n.effective_visibility <> o.effective_visibility and c.parent_id = n.id
    and c.parent_effective_visibility <> n.effective_visibility;
  return null;
end $$;
create or replace trigger contents_propagate_visibility after update
  on contents referencing old table as old_rows new table as new_rows
  for each statement execute function contents_propagate_visibility();

-- Replaces the categories and genres of a content; null keeps them. The order of the ids is their position.
create or replace function assign_taxonomy_terms(p_content uuid, p_categories uuid[],
  p_genres uuid[]) returns void language plpgsql as $$
begin
  if p_categories is not null then
    with gone as (delete from content_categories where content_id = p_content and category_id <> all (p_categories))
    insert into content_categories (content_id, category_id, position)
    select p_content, g.id, g.position from unnest(p_categories) with ordinality g (id, position)
    on conflict (content_id, category_id) do update set position = excluded.position;
  end if;
  if p_genres is not null then
    with gone as (delete from content_genres where content_id = p_content and genre_id <> all (p_genres))
    insert into content_genres (content_id, genre_id, position)
    select p_content, g.id, g.position from unnest(p_genres) with ordinality g (id, position)
    on conflict (content_id, genre_id) do update set position = excluded.position;
  end if;
end $$;

-- Hides at most p_limit contents of a channel, or, when all are hidden, its playlists. Returns how many.
create or replace function hide_channel_batch(p_channel uuid, p_limit integer) returns bigint language plpgsql as $$
declare hidden bigint;
begin
  update contents set deleted_at = now(), release_at = null, publish_when_ready = false where id = any(array(
    select id from contents where channel_id = p_channel and deleted_at is null order by created_at desc, id desc
      limit p_limit));
  get diagnostics hidden = row_count;
  if hidden > 0 then return hidden; end if;
  update playlists set visibility = 'PRIVATE' where id = any(array(
    select id from playlists where channel_id = p_channel and visibility <> 'PRIVATE' order by created_at desc, id desc
      limit p_limit));
  get diagnostics hidden = row_count;
  return hidden;
end $$;

-- Deletes at most p_limit playlists of test channels made before p_made_before, and marks as many of their contents as
-- deleted at p_deleted_at, so that they are due for purging. Returns whether there may be more.
create or replace function expire_test_data(p_made_before timestamptz, p_deleted_at timestamptz,
  p_limit integer) returns boolean language plpgsql as $$
declare expired bigint;
begin
  with gone as (
    delete from playlists where id = any(array(
      select p.id from channels h join playlists p on p.channel_id = h.id
      where h.is_test and p.created_at < p_made_before limit p_limit))
    returning id, channel_id
  )
  insert into events (type, channel_id, subject_id) select 'playlist.deleted', channel_id, id from gone order by id;
  get diagnostics expired = row_count;
  if expired >= p_limit then return true; end if;
  update contents set deleted_at = p_deleted_at, trashed_with = null, release_at = null, publish_when_ready = false
  where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.is_test and c.created_at < p_made_before and (c.deleted_at is null or c.deleted_at > p_deleted_at)
    limit p_limit for update of c skip locked));
  get diagnostics expired = row_count;
  return expired >= p_limit;
end $$;

-- Deletes at most p_limit rows of one table that belong to these contents; returns how many. Replies are deleted before
-- their parents. Rows locked by others are skipped.
create or replace function purge_contents_batch(p_ids uuid[], p_limit integer) returns bigint language plpgsql as $$
declare
  part text;
  cleared bigint;
begin
  delete from comments where id = any(array(
    select id from comments where content_id = any(p_ids) order by created_at desc, id desc
      limit p_limit for update skip locked));
  get diagnostics cleared = row_count;
  if cleared > 0 then return cleared; end if;
  foreach part in array array['likes', 'content_views', 'watch_15min', 'content_daily', 'content_retention',
    'watch_positions', 'watch_sessions', 'watch_later', 'playlist_items', 'notifications',
    'chat_messages'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where content_id = any($1) limit $2 '
      'for update skip locked))', part)
    using p_ids, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return cleared; end if;
  end loop;
  return 0;
end $$;

-- Deletes at most p_limit rows that a deleted channel left, at last its id: of p_channel, or of the channel deleted
-- first. Returns whether there was something to do. Rows locked by other workers are skipped.
create or replace function purge_channel_batch(p_channel uuid, p_limit integer) returns boolean language plpgsql as $$
declare
  channel uuid;
  part text;
  ids uuid[];
  cleared bigint;
begin
  select id into channel from channel_ids where deleted_at is not null and (p_channel is null or id = p_channel)
  order by deleted_at limit 1 for no key update skip locked;
  -- Contents that were being made while the channel was deleted.
  if channel is null or hide_channel_batch(channel, p_limit) > 0 then return channel is not null; end if;
  -- First of all what others still see counted: the channels they follow.
  delete from follows where ctid = any(array(select ctid from follows where channel_id = channel
    limit p_limit for update skip locked));
  if found then return true; end if;
  with recursive tree as (
    (select id from contents where channel_id = channel and deleted_at is not null and trashed_with is null
      order by deleted_at desc, id desc limit 20)
    union
    select c.id from contents c join tree on c.parent_id = tree.id
  )
  select coalesce(array_agg(id), '{}') into ids from tree;
  if purge_contents_batch(ids, p_limit) > 0 then return true; end if;
  delete from contents where id = any(ids);
  if found then return true; end if;
  delete from playlist_items where id = any(array(
    select i.id from playlists p join playlist_items i on i.playlist_id = p.id where p.channel_id = channel
      limit p_limit));
  if found then return true; end if;
  foreach part in array array['playlists', 'follow_changes', 'channel_15min', 'comment_rate_limits', 'image_assets',
    'ingestions'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where channel_id = $1 limit $2 '
      'for update skip locked))', part)
    using channel, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return true; end if;
  end loop;
  delete from channel_ids where id = channel;
  return true;
end $$;

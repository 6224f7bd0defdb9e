-- Deleting a channel hides everything at once; what it leaves is deleted in pieces. What there can be very much of refers to an identifier
-- that outlives the channel, so that the channel itself, with its handle, members and webhooks, goes at once.
create table channel_ids (
  id         uuid primary key,
  deleted_at timestamptz
);
comment on column channel_ids.deleted_at is 'When the channel was deleted; the row goes with the last of what it left.';
insert into channel_ids (id) select id from channels;
create index channel_ids_deleted on channel_ids (deleted_at) where deleted_at is not null;

do $$
declare part text;
begin
  foreach part in array array['contents', 'playlists', 'follows', 'follow_changes', 'channel_15min', 'comment_rate_limits', 'image_assets', 'ingestions',
                              'captions', 'video_assets', 'transcode_jobs'] loop
    execute format('alter table %1$I drop constraint %2$I, add constraint %2$I foreign key (channel_id) references channel_ids on delete cascade',
                   part, part || '_channel_id_fkey');
  end loop;
end $$;

-- Hides contents of a channel from everybody, at most p_limit, then its playlists; answers how many.
create function hide_channel_batch(p_channel uuid, p_limit integer) returns bigint language plpgsql as $$
declare hidden bigint;
begin
  update contents set deleted_at = now(), release_at = null, publish_when_ready = false where id = any(array(
    select id from contents where channel_id = p_channel and deleted_at is null order by created_at desc, id desc limit p_limit));
  get diagnostics hidden = row_count;
  if hidden > 0 then return hidden; end if;
  update playlists set visibility = 'PRIVATE' where id = any(array(
    select id from playlists where channel_id = p_channel and visibility <> 'PRIVATE' order by created_at desc, id desc limit p_limit));
  get diagnostics hidden = row_count;
  return hidden;
end $$;

create function channels_add_id() returns trigger language plpgsql as $$
begin
  insert into channel_ids (id) values (new.id);
  return null;
end $$;
create trigger channels_add_id after insert on channels for each row execute function channels_add_id();

-- Whoever deletes very much hides it in pieces before.
create function channels_mark_deleted() returns trigger language plpgsql as $$
begin
  while hide_channel_batch(old.id, null) > 0 loop end loop;
  delete from ingestions where channel_id = old.id and state = 'OPEN';
  delete from transcode_jobs where channel_id = old.id and status in ('QUEUED', 'TRANSCODING', 'CANCELLING');
  update channel_ids set deleted_at = now() where id = old.id;
  return null;
end $$;
create trigger channels_mark_deleted after delete on channels for each row execute function channels_mark_deleted();

-- Deletes at most p_limit rows of what a deleted channel left, at last its identifier; the channel deleted first, or this one. Answers whether
-- there was something to do. What another worker has in hand is passed over.
create function purge_channel_batch(p_channel uuid, p_limit integer) returns boolean language plpgsql as $$
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
  delete from follows where ctid = any(array(select ctid from follows where channel_id = channel limit p_limit for update skip locked));
  if found then return true; end if;
  with recursive tree as (
    (select id from contents where channel_id = channel and deleted_at is not null and trashed_with is null order by deleted_at desc, id desc limit 20)
    union
    select c.id from contents c join tree on c.parent_id = tree.id
  )
  select coalesce(array_agg(id), '{}') into ids from tree;
  if purge_contents_batch(ids, p_limit) > 0 then return true; end if;
  delete from contents where id = any(ids);
  if found then return true; end if;
  delete from playlist_items where id = any(array(
    select i.id from playlists p join playlist_items i on i.playlist_id = p.id where p.channel_id = channel limit p_limit));
  if found then return true; end if;
  foreach part in array array['playlists', 'follow_changes', 'channel_15min', 'comment_rate_limits', 'image_assets', 'ingestions'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where channel_id = $1 limit $2 for update skip locked))', part)
    using channel, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return true; end if;
  end loop;
  delete from channel_ids where id = channel;
  return true;
end $$;

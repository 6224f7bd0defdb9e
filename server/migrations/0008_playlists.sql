-- Playlists: contents in an order of somebody's choice, the same one once or more.

create table playlists (
  id            uuid primary key,
  channel_id    uuid not null references channels on delete cascade,
  title         text not null,
  summary       text not null default '',
  short_summary text not null default '',
  keywords      text[] not null default '{}',
  visibility    text not null default 'PUBLIC' check (visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- What anyone may list; the partial index and the counters use the same expression.
  listed        boolean not null generated always as (visibility = 'PUBLIC') stored
);
create index playlists_listed on playlists (created_at desc, id desc) where listed;
create index playlists_channel on playlists (channel_id, created_at desc, id desc);

-- position: a key between those of the neighbours (fractional index), so that moving an item writes one row. Changes of a
-- playlist's items hold the lock of its row; the constraint is checked at the end of a statement, which may renumber them all.
-- open: whether anyone with the link may watch the content; kept by the triggers below.
create table playlist_items (
  id          uuid primary key,
  playlist_id uuid not null references playlists on delete cascade,
  content_id  uuid not null references contents on delete cascade,
  position    text collate "C" not null,
  open        boolean not null,
  created_at  timestamptz not null default now(),
  constraint playlist_items_position unique (playlist_id, position) include (open) deferrable initially immediate
);
create index playlist_items_content on playlist_items (content_id);

-- The lock makes an insert wait for a change of the content that is on its way, so that none is missed.
create function playlist_items_see_content() returns trigger language plpgsql as $$
begin
  select effective_visibility <> 'PRIVATE' into new.open from contents where id = new.content_id for share;
  new.open := coalesce(new.open, false); -- no such content: the foreign key says so
  return new;
end $$;
create trigger playlist_items_see_content before insert on playlist_items for each row execute function playlist_items_see_content();

create function contents_open_in_playlists() returns trigger language plpgsql as $$
begin
  update playlist_items set open = (new.effective_visibility <> 'PRIVATE') where content_id = new.id and open <> (new.effective_visibility <> 'PRIVATE');
  return null;
end $$;
create trigger contents_open_in_playlists after update on contents for each row
  when ((old.effective_visibility <> 'PRIVATE') <> (new.effective_visibility <> 'PRIVATE')) execute function contents_open_in_playlists();

-- counters ------------------------------------------------------------------------------------------------
-- 'listed:PLAYLIST' has key 0; 'channel:playlists' and 'channel:listed:PLAYLIST' have the channel; 'playlist:items' and
-- 'playlist:open' have the playlist.

create function playlists_count_apply(p_channel uuid, p_kept bigint, p_listed bigint) returns void language plpgsql as $$
begin
  if p_listed <> 0 then
    perform counter_add('channel:listed:PLAYLIST', p_channel, p_listed);
  end if;
  if p_kept <> 0 then
    perform counter_add('channel:playlists', p_channel, p_kept);
  end if;
  if p_listed <> 0 then
    perform counter_add('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000', p_listed);
  end if;
end $$;

create function playlists_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as kept, count(*) filter (where listed) as listed from new_rows group by 1 order by 1 loop
      perform playlists_count_apply(r.channel_id, r.kept, r.listed);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select channel_id, count(*) as kept, count(*) filter (where listed) as listed from old_rows group by 1 order by 1 loop
      perform playlists_count_apply(r.channel_id, -r.kept, -r.listed);
    end loop;
  else
    for r in select channel_id, sum(kept)::bigint as kept, sum(listed)::bigint as listed from (
               select channel_id, 1 as kept, listed::int as listed from new_rows
               union all
               select channel_id, -1, -listed::int from old_rows) d
             group by 1 having sum(kept) <> 0 or sum(listed) <> 0 order by 1 loop
      perform playlists_count_apply(r.channel_id, r.kept, r.listed);
    end loop;
  end if;
  return null;
end $$;
create trigger playlists_count_insert after insert on playlists referencing new table as new_rows for each statement execute function playlists_count();
create trigger playlists_count_update after update on playlists referencing old table as old_rows new table as new_rows for each statement execute function playlists_count();
create trigger playlists_count_delete after delete on playlists referencing old table as old_rows for each statement execute function playlists_count();

create function playlist_items_count_apply(p_playlist uuid, p_items bigint, p_open bigint) returns void language plpgsql as $$
begin
  if p_items <> 0 then
    perform counter_add('playlist:items', p_playlist, p_items);
  end if;
  if p_open <> 0 then
    perform counter_add('playlist:open', p_playlist, p_open);
  end if;
end $$;

create function playlist_items_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select playlist_id, count(*) as items, count(*) filter (where open) as open from new_rows group by 1 order by 1 loop
      perform playlist_items_count_apply(r.playlist_id, r.items, r.open);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select playlist_id, count(*) as items, count(*) filter (where open) as open from old_rows group by 1 order by 1 loop
      perform playlist_items_count_apply(r.playlist_id, -r.items, -r.open);
    end loop;
  else
    for r in select playlist_id, sum(items)::bigint as items, sum(open)::bigint as open from (
               select playlist_id, 1 as items, open::int as open from new_rows
               union all
               select playlist_id, -1, -open::int from old_rows) d
             group by 1 having sum(items) <> 0 or sum(open) <> 0 order by 1 loop
      perform playlist_items_count_apply(r.playlist_id, r.items, r.open);
    end loop;
  end if;
  return null;
end $$;
create trigger playlist_items_count_insert after insert on playlist_items referencing new table as new_rows for each statement execute function playlist_items_count();
create trigger playlist_items_count_update after update on playlist_items referencing old table as old_rows new table as new_rows for each statement execute function playlist_items_count();
create trigger playlist_items_count_delete after delete on playlist_items referencing old table as old_rows for each statement execute function playlist_items_count();

-- covers --------------------------------------------------------------------------------------------------

alter table ingestions add column playlist_id uuid references playlists on delete cascade check (playlist_id is null or content_id is null);
create index ingestions_playlist on ingestions (playlist_id) where playlist_id is not null;
alter table image_assets add column playlist_id uuid references playlists on delete cascade check (playlist_id is null or content_id is null);
create index image_assets_playlist on image_assets (playlist_id, created_at desc, id desc) where playlist_id is not null;
drop index image_assets_channel;
create index image_assets_channel on image_assets (channel_id, created_at desc, id desc) where content_id is null and playlist_id is null;

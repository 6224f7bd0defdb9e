-- Generated from server/migrations/declarations/counters.ts by npm run gen.

create or replace function channels_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger channels_count_insert after insert on channels referencing new table as new_rows
  for each statement execute function channels_count();
create or replace trigger channels_count_update after update on channels referencing old table as old_rows new table as new_rows
  for each statement execute function channels_count();
create or replace trigger channels_count_delete after delete on channels referencing old table as old_rows
  for each statement execute function channels_count();

create or replace function channel_members_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('account:channels', t.account_id, 1),
        ('channel:members', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('account:channels', t.account_id, 1),
        ('channel:members', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger channel_members_count_insert after insert on channel_members referencing new table as new_rows
  for each statement execute function channel_members_count();
create or replace trigger channel_members_count_delete after delete on channel_members referencing old table as old_rows
  for each statement execute function channel_members_count();

create or replace function channel_blocks_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:blocks', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:blocks', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger channel_blocks_count_insert after insert on channel_blocks referencing new table as new_rows
  for each statement execute function channel_blocks_count();
create or replace trigger channel_blocks_count_delete after delete on channel_blocks referencing old table as old_rows
  for each statement execute function channel_blocks_count();

create or replace function contents_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and (c.scope not in ('children:kept', 'children:shown') or exists (select 1 from contents o where o.id = c.key))
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('children:kept', 'children:shown', 'content:likes', 'content:comments', 'content:threads', 'content:views') and key in (select id from old_rows);
  end if;
  return null;
end $$;
create or replace trigger contents_count_insert after insert on contents referencing new table as new_rows
  for each statement execute function contents_count();
create or replace trigger contents_count_update after update on contents referencing old table as old_rows new table as new_rows
  for each statement execute function contents_count();
create or replace trigger contents_count_delete after delete on contents referencing old table as old_rows
  for each statement execute function contents_count();

create or replace function playlists_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('playlist:items', 'playlist:open') and key in (select id from old_rows);
  end if;
  return null;
end $$;
create or replace trigger playlists_count_insert after insert on playlists referencing new table as new_rows
  for each statement execute function playlists_count();
create or replace trigger playlists_count_update after update on playlists referencing old table as old_rows new table as new_rows
  for each statement execute function playlists_count();
create or replace trigger playlists_count_delete after delete on playlists referencing old table as old_rows
  for each statement execute function playlists_count();

create or replace function playlist_items_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from playlists o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger playlist_items_count_insert after insert on playlist_items referencing new table as new_rows
  for each statement execute function playlist_items_count();
create or replace trigger playlist_items_count_update after update on playlist_items referencing old table as old_rows new table as new_rows
  for each statement execute function playlist_items_count();
create or replace trigger playlist_items_count_delete after delete on playlist_items referencing old table as old_rows
  for each statement execute function playlist_items_count();

create or replace function ingestions_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger ingestions_count_insert after insert on ingestions referencing new table as new_rows
  for each statement execute function ingestions_count();
create or replace trigger ingestions_count_delete after delete on ingestions referencing old table as old_rows
  for each statement execute function ingestions_count();
create or replace trigger ingestions_count_update after update of state, size_bytes on ingestions
  for each row when (old.state is distinct from new.state or old.size_bytes is distinct from new.size_bytes) execute function ingestions_count();

create or replace function video_assets_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger video_assets_count_insert after insert on video_assets referencing new table as new_rows
  for each statement execute function video_assets_count();
create or replace trigger video_assets_count_delete after delete on video_assets referencing old table as old_rows
  for each statement execute function video_assets_count();
create or replace trigger video_assets_count_update after update of derived_bytes, derived_files, original_deleted_at on video_assets
  for each row when (old.derived_bytes is distinct from new.derived_bytes or old.derived_files is distinct from new.derived_files or old.original_deleted_at is distinct from new.original_deleted_at) execute function video_assets_count();

create or replace function image_assets_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger image_assets_count_insert after insert on image_assets referencing new table as new_rows
  for each statement execute function image_assets_count();
create or replace trigger image_assets_count_delete after delete on image_assets referencing old table as old_rows
  for each statement execute function image_assets_count();
create or replace trigger image_assets_count_update after update of variants on image_assets
  for each row when (old.variants is distinct from new.variants) execute function image_assets_count();

create or replace function transcode_jobs_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:jobs', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:jobs', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger transcode_jobs_count_insert after insert on transcode_jobs referencing new table as new_rows
  for each statement execute function transcode_jobs_count();
create or replace trigger transcode_jobs_count_delete after delete on transcode_jobs referencing old table as old_rows
  for each statement execute function transcode_jobs_count();

create or replace function upload_charges_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger upload_charges_count_insert after insert on upload_charges referencing new table as new_rows
  for each statement execute function upload_charges_count();
create or replace trigger upload_charges_count_delete after delete on upload_charges referencing old table as old_rows
  for each statement execute function upload_charges_count();

create or replace function broadcast_charges_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger broadcast_charges_count_insert after insert on broadcast_charges referencing new table as new_rows
  for each statement execute function broadcast_charges_count();
create or replace trigger broadcast_charges_count_delete after delete on broadcast_charges referencing old table as old_rows
  for each statement execute function broadcast_charges_count();
create or replace trigger broadcast_charges_count_update after update of duration_ms on broadcast_charges
  for each row when (old.duration_ms is distinct from new.duration_ms) execute function broadcast_charges_count();

create or replace function generation_charges_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('generation:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.credits)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('generation:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.credits)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger generation_charges_count_insert after insert on generation_charges referencing new table as new_rows
  for each statement execute function generation_charges_count();
create or replace trigger generation_charges_count_delete after delete on generation_charges referencing old table as old_rows
  for each statement execute function generation_charges_count();

create or replace function likes_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:likes', t.content_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:likes', t.content_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from contents o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger likes_count_insert after insert on likes referencing new table as new_rows
  for each statement execute function likes_count();
create or replace trigger likes_count_delete after delete on likes referencing old table as old_rows
  for each statement execute function likes_count();

create or replace function follows_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:followers', t.channel_id, 1),
        ('account:follows', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:followers', t.channel_id, 1),
        ('account:follows', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger follows_count_insert after insert on follows referencing new table as new_rows
  for each statement execute function follows_count();
create or replace trigger follows_count_delete after delete on follows referencing old table as old_rows
  for each statement execute function follows_count();

create or replace function comments_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and (c.scope not in ('content:comments', 'content:threads') or exists (select 1 from contents o where o.id = c.key))
        and (c.scope not in ('comment:replies', 'comment:thread') or exists (select 1 from comments o where o.id = c.key))
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('comment:replies', 'comment:thread') and key in (select id from old_rows);
  end if;
  return null;
end $$;
create or replace trigger comments_count_insert after insert on comments referencing new table as new_rows
  for each statement execute function comments_count();
create or replace trigger comments_count_update after update on comments referencing old table as old_rows new table as new_rows
  for each statement execute function comments_count();
create or replace trigger comments_count_delete after delete on comments referencing old table as old_rows
  for each statement execute function comments_count();

create or replace function reports_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger reports_count_insert after insert on reports referencing new table as new_rows
  for each statement execute function reports_count();
create or replace trigger reports_count_update after update on reports referencing old table as old_rows new table as new_rows
  for each statement execute function reports_count();
create or replace trigger reports_count_delete after delete on reports referencing old table as old_rows
  for each statement execute function reports_count();

create or replace function content_daily_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from contents o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger content_daily_count_insert after insert on content_daily referencing new table as new_rows
  for each statement execute function content_daily_count();
create or replace trigger content_daily_count_update after update on content_daily referencing old table as old_rows new table as new_rows
  for each statement execute function content_daily_count();
create or replace trigger content_daily_count_delete after delete on content_daily referencing old table as old_rows
  for each statement execute function content_daily_count();

create or replace function watch_positions_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('account:history', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('account:history', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger watch_positions_count_insert after insert on watch_positions referencing new table as new_rows
  for each statement execute function watch_positions_count();
create or replace trigger watch_positions_count_delete after delete on watch_positions referencing old table as old_rows
  for each statement execute function watch_positions_count();

create or replace function content_listing_terms_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('term:listed:' || t.kind, t.term_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('term:listed:' || t.kind, t.term_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger content_listing_terms_count_insert after insert on content_listing_terms referencing new table as new_rows
  for each statement execute function content_listing_terms_count();
create or replace trigger content_listing_terms_count_delete after delete on content_listing_terms referencing old table as old_rows
  for each statement execute function content_listing_terms_count();

create or replace function webhook_deliveries_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('webhook:deliveries', t.webhook_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('webhook:deliveries', t.webhook_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger webhook_deliveries_count_insert after insert on webhook_deliveries referencing new table as new_rows
  for each statement execute function webhook_deliveries_count();
create or replace trigger webhook_deliveries_count_delete after delete on webhook_deliveries referencing old table as old_rows
  for each statement execute function webhook_deliveries_count();

create or replace function comment_likes_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select comment_id, count(*) as n from new_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count + r.n where id = r.comment_id;
    end loop;
  else
    for r in select comment_id, count(*) as n from old_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count - r.n where id = r.comment_id;
    end loop;
  end if;
  return null;
end $$;
create or replace trigger comment_likes_count_insert after insert on comment_likes referencing new table as new_rows
  for each statement execute function comment_likes_count();
create or replace trigger comment_likes_count_delete after delete on comment_likes referencing old table as old_rows
  for each statement execute function comment_likes_count();
-- Generated from server/migrations/declarations/search-documents.ts by npm run gen.

create or replace function search_documents_remove() returns trigger language plpgsql as $$
begin
  delete from search_documents where id in (select id from old_rows);
  return null;
end $$;

-- Writes the documents of these rows.
create or replace function search_write_channels(p_ids uuid[]) returns void language plpgsql as $$
begin
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from channels t where t.id = d.id and not (t.is_test or t.is_hidden));
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, 'CHANNEL', t.id, t.name, t.summary, array_to_string(search_words(t.name), ' '),
    search_vector(concat_ws(' ', t.name, t.handle, t.title), array_to_string(t.keywords, ' '), concat_ws(' ', t.short_summary, t.summary),
      array['kind/CHANNEL', 'channel/' || t.id] || array(select 'category/' || category_id from channel_categories where channel_id = t.id)),
    t.created_at, null, search_popularity(counter_value('channel:followers', t.id), 0)
  from channels t
  where t.id = any(p_ids) and not (t.is_test or t.is_hidden) order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform search_vocabulary_add(p_ids);
end $$;

create or replace function channels_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.handle, n.is_hidden, n.title, n.summary, n.short_summary, n.keywords)
        is distinct from
          (o.name, o.handle, o.is_hidden, o.title, o.summary, o.short_summary, o.keywords);
  end if;
  if ids is not null then perform search_write_channels(ids); end if;
  return null;
end $$;
create or replace trigger channels_search_insert after insert on channels referencing new table as new_rows
  for each statement execute function channels_search();
create or replace trigger channels_search_update after update on channels referencing old table as old_rows new table as new_rows
  for each statement execute function channels_search();
create or replace trigger channels_search_delete after delete on channels referencing old table as old_rows
  for each statement execute function search_documents_remove();

-- Writes the documents of these rows, always in the order of their ids. Waits while their channel is being renamed.
create or replace function search_write_contents(p_ids uuid[]) returns void language plpgsql as $$
begin
  perform search_lock_channels(array(select distinct channel_id from contents where id = any(p_ids)),
    false);
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from contents t where t.id = d.id and t.listed);
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, t.kind, t.channel_id, t.title, t.summary, array_to_string(search_words(t.title), ' '),
    search_vector(t.title, concat_ws(' ', array_to_string(t.keywords, ' '), h.name, h.handle), concat_ws(' ', t.short_summary, t.summary),
      search_tags(t)),
    t.published_at, t.duration_ms, search_popularity(counter_value('content:views', t.id), counter_value('content:likes', t.id))
  from contents t join channels h on h.id = t.channel_id
  where t.id = any(p_ids) and t.listed order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform content_listings_write(p_ids);
  perform search_vocabulary_add(p_ids);
end $$;

create or replace function contents_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows where listed;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.listed or o.listed)
      and (n.listed, n.kind, n.channel_id, n.title, n.summary, n.short_summary, n.keywords, n.layout, n.language, n.rating_id, n.published_at, n.duration_ms)
        is distinct from
          (o.listed, o.kind, o.channel_id, o.title, o.summary, o.short_summary, o.keywords, o.layout, o.language, o.rating_id, o.published_at, o.duration_ms);
  end if;
  if ids is not null then perform search_write_contents(ids); end if;
  return null;
end $$;
create or replace trigger contents_search_insert after insert on contents referencing new table as new_rows
  for each statement execute function contents_search();
create or replace trigger contents_search_update after update on contents referencing old table as old_rows new table as new_rows
  for each statement execute function contents_search();
create or replace trigger contents_search_delete after delete on contents referencing old table as old_rows
  for each statement execute function search_documents_remove();

-- Writes the documents of these rows, always in the order of their ids. Waits while their channel is being renamed.
create or replace function search_write_playlists(p_ids uuid[]) returns void language plpgsql as $$
begin
  perform search_lock_channels(array(select distinct channel_id from playlists where id = any(p_ids)),
    false);
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from playlists t where t.id = d.id and t.listed);
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, 'PLAYLIST', t.channel_id, t.title, t.summary, array_to_string(search_words(t.title), ' '),
    search_vector(t.title, concat_ws(' ', array_to_string(t.keywords, ' '), h.name, h.handle), concat_ws(' ', t.short_summary, t.summary),
      array['kind/PLAYLIST', 'channel/' || t.channel_id]),
    t.created_at, null, 0
  from playlists t join channels h on h.id = t.channel_id
  where t.id = any(p_ids) and t.listed order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform search_vocabulary_add(p_ids);
end $$;

create or replace function playlists_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows where listed;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.listed or o.listed)
      and (n.listed, n.channel_id, n.title, n.summary, n.short_summary, n.keywords)
        is distinct from
          (o.listed, o.channel_id, o.title, o.summary, o.short_summary, o.keywords);
  end if;
  if ids is not null then perform search_write_playlists(ids); end if;
  return null;
end $$;
create or replace trigger playlists_search_insert after insert on playlists referencing new table as new_rows
  for each statement execute function playlists_search();
create or replace trigger playlists_search_update after update on playlists referencing old table as old_rows new table as new_rows
  for each statement execute function playlists_search();
create or replace trigger playlists_search_delete after delete on playlists referencing old table as old_rows
  for each statement execute function search_documents_remove();

-- The lock serializes two changes of one row, so that each writes what both assigned.
create or replace function contents_tags_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct content_id) into ids from new_rows;
  else
    select array_agg(distinct content_id) into ids from old_rows;
  end if;
  if ids is null then return null; end if;
  perform 1 from contents where id = any(ids) order by id for no key update;
  perform search_write_contents(array(select id from contents where id = any(ids) and listed));
  return null;
end $$;
create or replace trigger content_categories_search_insert after insert on content_categories referencing new table as new_rows
  for each statement execute function contents_tags_search();
create or replace trigger content_categories_search_delete after delete on content_categories referencing old table as old_rows
  for each statement execute function contents_tags_search();
create or replace trigger content_genres_search_insert after insert on content_genres referencing new table as new_rows
  for each statement execute function contents_tags_search();
create or replace trigger content_genres_search_delete after delete on content_genres referencing old table as old_rows
  for each statement execute function contents_tags_search();

-- The lock serializes two changes of one row, so that each writes what both assigned.
create or replace function channels_tags_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct channel_id) into ids from new_rows;
  else
    select array_agg(distinct channel_id) into ids from old_rows;
  end if;
  if ids is null then return null; end if;
  perform 1 from channels where id = any(ids) order by id for no key update;
  perform search_write_channels(ids);
  return null;
end $$;
create or replace trigger channel_categories_search_insert after insert on channel_categories referencing new table as new_rows
  for each statement execute function channels_tags_search();
create or replace trigger channel_categories_search_delete after delete on channel_categories referencing old table as old_rows
  for each statement execute function channels_tags_search();
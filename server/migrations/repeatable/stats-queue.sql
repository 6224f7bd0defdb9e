-- Generated from server/migrations/declarations/stats-queue.ts by npm run gen.

-- Queues the contents for the next refresh of lists, with the change of their likes by day.
create or replace function stats_queue_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id, day, likes)
    select t.content_id, (t.created_at at time zone 'UTC')::date, count(*) from new_rows t group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id, day, likes)
    select t.content_id, (t.created_at at time zone 'UTC')::date, -count(*) from old_rows t group by 1, 2;
  end if;
  return null;
end $$;
create or replace trigger likes_stats_insert after insert on likes referencing new table as new_rows
  for each statement execute function stats_queue_likes();
create or replace trigger likes_stats_delete after delete on likes referencing old table as old_rows
  for each statement execute function stats_queue_likes();

-- Queues the contents for the next refresh of lists: for every change of their views and for every five minutes of
-- watching, which trends count like a view.
create or replace function stats_queue_content_daily() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id) select distinct t.content_id from new_rows t;
  elsif tg_op = 'UPDATE' then
    insert into stats_dirty_queue (id)
    select distinct n.content_id from new_rows n join old_rows o on (o.content_id, o.day) = (n.content_id, n.day)
    where n.views <> o.views or n.watch_ms / 300000 <> o.watch_ms / 300000;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id) select distinct t.content_id from old_rows t;
  end if;
  return null;
end $$;
create or replace trigger content_daily_stats_insert after insert on content_daily referencing new table as new_rows
  for each statement execute function stats_queue_content_daily();
create or replace trigger content_daily_stats_update after update on content_daily referencing old table as old_rows new table as new_rows
  for each statement execute function stats_queue_content_daily();
create or replace trigger content_daily_stats_delete after delete on content_daily referencing old table as old_rows
  for each statement execute function stats_queue_content_daily();

-- Queues the channels for the next refresh of lists.
create or replace function stats_queue_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id) select distinct t.channel_id from new_rows t;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id) select distinct t.channel_id from old_rows t;
  end if;
  return null;
end $$;
create or replace trigger follows_stats_insert after insert on follows referencing new table as new_rows
  for each statement execute function stats_queue_follows();
create or replace trigger follows_stats_delete after delete on follows referencing old table as old_rows
  for each statement execute function stats_queue_follows();

-- Queues new documents for the next refresh of lists: their views and likes are of a snapshot that may be older than
-- the latest changes.
create or replace function stats_queue_search_documents() returns trigger language plpgsql as $$
begin
  insert into stats_dirty_queue (id) select distinct t.id from new_rows t where t.kind <> 'PLAYLIST';
  return null;
end $$;
create or replace trigger search_documents_stats_insert after insert on search_documents referencing new table as new_rows
  for each statement execute function stats_queue_search_documents();
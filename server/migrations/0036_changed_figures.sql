-- What got or lost views, likes or followers since the lists were last renewed: then only these are looked at, however much there is.

-- Only appended to and emptied, several rows for one thing allowed: nobody who likes the same content waits here.
create table stats_dirty_queue (
  -- Of a content or a channel.
  id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1);

create function stats_queue_content_daily() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue select distinct content_id from new_rows;
  elsif tg_op = 'UPDATE' then
    insert into stats_dirty_queue
    select distinct n.content_id from new_rows n join old_rows o on (o.content_id, o.day) = (n.content_id, n.day) where n.views <> o.views;
  else
    insert into stats_dirty_queue select distinct content_id from old_rows;
  end if;
  return null;
end $$;
create trigger likes_stats_insert after insert on likes referencing new table as new_rows for each statement execute function stats_queue_content_daily();
create trigger likes_stats_delete after delete on likes referencing old table as old_rows for each statement execute function stats_queue_content_daily();
create trigger content_daily_stats_insert after insert on content_daily referencing new table as new_rows for each statement execute function stats_queue_content_daily();
create trigger content_daily_stats_update after update on content_daily referencing old table as old_rows new table as new_rows for each statement execute function stats_queue_content_daily();
create trigger content_daily_stats_delete after delete on content_daily referencing old table as old_rows for each statement execute function stats_queue_content_daily();

create function stats_queue_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue select distinct channel_id from new_rows;
  else
    insert into stats_dirty_queue select distinct channel_id from old_rows;
  end if;
  return null;
end $$;
create trigger follows_stats_insert after insert on follows referencing new table as new_rows for each statement execute function stats_queue_follows();
create trigger follows_stats_delete after delete on follows referencing old table as old_rows for each statement execute function stats_queue_follows();

-- What is listed anew was given its figures in a transaction that may not have seen those of the last moments.
create function stats_queue_listed() returns trigger language plpgsql as $$
begin
  insert into stats_dirty_queue select id from new_rows where kind <> 'PLAYLIST';
  return null;
end $$;
create trigger search_documents_stats after insert on search_documents referencing new table as new_rows for each statement execute function stats_queue_listed();

insert into stats_dirty_queue select id from search_documents where kind <> 'PLAYLIST';

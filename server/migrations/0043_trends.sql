-- Trends are scored when a content gets attention and when a day of attention is a week ago, instead of all of them each time; and documents
-- change their tiers in pieces.

-- Likes by the UTC day they were given on, of the last days. Summed up by workers of what stats_dirty_queue says: nobody who likes the same
-- content waits here. A like that is taken back counts on the day it was given.
create table likes_daily (
  day        date not null,
  content_id uuid not null,
  likes      bigint not null,
  primary key (day, content_id)
);

-- Of likes that were given or taken back: the day they were given on, and how many more there are.
alter table stats_dirty_queue add column day date, add column likes bigint;

create function stats_queue_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id, day, likes)
    select content_id, (created_at at time zone 'UTC')::date, count(*) from new_rows group by 1, 2;
  else
    insert into stats_dirty_queue (id, day, likes)
    select content_id, (created_at at time zone 'UTC')::date, -count(*) from old_rows group by 1, 2;
  end if;
  return null;
end $$;
-- What is liked from here on is noted, what was liked before is summed up below.
lock table likes in share row exclusive mode;
drop trigger likes_stats_insert on likes;
drop trigger likes_stats_delete on likes;
create trigger likes_stats_insert after insert on likes referencing new table as new_rows for each statement execute function stats_queue_likes();
create trigger likes_stats_delete after delete on likes referencing old table as old_rows for each statement execute function stats_queue_likes();
insert into likes_daily (day, content_id, likes)
select (created_at at time zone 'UTC')::date, content_id, count(*) from likes where created_at >= now() - interval '9 days' group by 1, 2;
drop index likes_recent;

-- Watching is noted every five minutes of it, which trends count like a view.
create or replace function stats_queue_content_daily() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id) select distinct content_id from new_rows;
  elsif tg_op = 'UPDATE' then
    insert into stats_dirty_queue (id)
    select distinct n.content_id from new_rows n join old_rows o on (o.content_id, o.day) = (n.content_id, n.day)
    where n.views <> o.views or n.watch_ms / 300000 <> o.watch_ms / 300000;
  else
    insert into stats_dirty_queue (id) select distinct content_id from old_rows;
  end if;
  return null;
end $$;

-- The order of trends: the binary logarithm of the points as they would be on a certain day if half of them went every day, in billionths.
-- So it stays right as days pass, and only a content that gets attention, or loses a day of it, moves. p_points are counted on p_day.
create function trend_score(p_points double precision, p_day date) returns bigint language sql immutable parallel safe as $$
  select case when p_points > 0 then round((ln(p_points) / ln(2::float8) + (p_day - date '2020-01-01')) * 1000000000)::bigint else 0 end;
$$;

-- The contents that got attention a week ago are noted once more, in the order of (day, content_id): so far.
create table trend_decay_cursor (
  singleton   boolean primary key default true check (singleton),
  day        date not null,
  content_id uuid not null
);
insert into trend_decay_cursor (day, content_id) values ((now() at time zone 'UTC')::date - 8, '00000000-0000-0000-0000-000000000000');

-- Scores of before are worth nothing among the new ones, which workers make of what is noted here.
update content_listings set trend = 0 where trend <> 0;
drop index content_listing_terms_trending;
update content_listing_terms f set views = l.views, likes = l.likes, trend = 0
from content_listings l where l.content_id = f.content_id and (f.views, f.likes, f.trend) is distinct from (l.views, l.likes, 0);
insert into stats_dirty_queue (id)
select content_id from content_daily where day >= (now() at time zone 'UTC')::date - 8 union select content_id from likes_daily;

-- Puts documents into their tiers, p_limit at most (null: all), and what is new into the indexes; answers how many changed theirs. What is
-- being written meanwhile is left for the next time.
drop function search_refresh_tiers();
create function search_refresh_tiers(p_limit integer default null) returns bigint language plpgsql as $$
declare moved bigint;
begin
  with bounds as (
    select array_agg(coalesce((select -weight from search_documents order by weight desc offset size limit 1), 'infinity') order by size) as ends
    from unnest(array[1000, 3000, 10000, 30000, 100000]) size),
  placed as (
    select d.id, d.tier, width_bucket(-d.weight, b.ends) as wanted
    from bounds b cross join lateral (
      select id, tier, weight from search_documents where tier < 5
      union all select id, tier, weight from search_documents where tier >= 5 and weight > -b.ends[5]) d),
  changed as (
    select d.id, case when p.wanted < 5 then p.wanted else search_sample_tier(d.id) end as wanted
    from placed p join search_documents d on d.id = p.id where least(p.tier, 5) <> p.wanted order by d.id limit p_limit for update of d skip locked)
  update search_documents d set tier = c.wanted from changed c where d.id = c.id;
  get diagnostics moved = row_count;
  perform gin_clean_pending_list(indexrelid) from pg_index
  where indrelid = 'search_documents'::regclass and indexrelid::regclass::text like 'search_documents_tier%';
  return moved;
end $$;

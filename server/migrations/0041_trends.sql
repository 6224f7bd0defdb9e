-- Trends are scored, and documents change their tiers, in pieces of a bounded number of rows.

-- Likes by the UTC day they were given on, of the days that trends look at. Summed up by workers of what the notes of changed figures
-- say: nobody who likes the same content waits here. Taking a like back counts on the day it was given.
create table like_days (
  day        date not null,
  content_id uuid not null,
  likes      bigint not null,
  primary key (day, content_id)
);

-- Of likes given and taken back: the day, and how many more.
alter table changed_figures add column day date, add column likes bigint;

create function figures_of_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changed_figures (id, day, likes)
    select content_id, (created_at at time zone 'UTC')::date, count(*) from new_rows group by 1, 2;
  else
    insert into changed_figures (id, day, likes)
    select content_id, (created_at at time zone 'UTC')::date, -count(*) from old_rows group by 1, 2;
  end if;
  return null;
end $$;
-- Likes that are being given meanwhile are noted: none is missed, none counted twice.
lock table likes in share row exclusive mode;
drop trigger likes_figures_insert on likes;
drop trigger likes_figures_delete on likes;
create trigger likes_figures_insert after insert on likes referencing new table as new_rows for each statement execute function figures_of_likes();
create trigger likes_figures_delete after delete on likes referencing old table as old_rows for each statement execute function figures_of_likes();
insert into like_days (day, content_id, likes)
select (created_at at time zone 'UTC')::date, content_id, count(*) from likes where created_at >= now() - interval '8 days' group by 1, 2;
drop index likes_recent;

-- Trends of contents and of their filings are written together now.
drop index listed_filings_trending;
update listed_filings f set views = l.views, likes = l.likes, trend = l.trend
from listed_contents l where l.content_id = f.content_id and (f.views, f.likes, f.trend) is distinct from (l.views, l.likes, l.trend);

-- Puts documents into their tiers, p_most at most (null: all), and what is new into the indexes; answers how many changed theirs. What is
-- being written meanwhile is left for the next time.
drop function search_renew_tiers();
create function search_renew_tiers(p_most integer default null) returns bigint language plpgsql as $$
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
    select d.id, case when p.wanted < 5 then p.wanted else search_sample(d.id) end as wanted
    from placed p join search_documents d on d.id = p.id where least(p.tier, 5) <> p.wanted order by d.id limit p_most for update of d skip locked)
  update search_documents d set tier = c.wanted from changed c where d.id = c.id;
  get diagnostics moved = row_count;
  perform gin_clean_pending_list(indexrelid) from pg_index
  where indrelid = 'search_documents'::regclass and indexrelid::regclass::text like 'search_documents_tier%';
  return moved;
end $$;

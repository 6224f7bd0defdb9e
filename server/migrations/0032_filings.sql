-- Lists of a category or a genre: each content's row of listed_contents once more for everything it is filed under, so that a page walks
-- one index, however large or rare the category is, and its total is a counter.

-- The categories and genres the content is filed under.
alter table listed_contents add column filed uuid[] not null default '{}';

-- Written wherever listed_contents is. Filters and sort values as there.
create table listed_filings (
  content_id   uuid not null references listed_contents on delete cascade,
  -- A category or a genre.
  filed_under  uuid not null,
  channel_id   uuid not null,
  kind         text not null,
  layout       text not null,
  language     text,
  rating_id    uuid,
  name         text collate "C" not null,
  published_at timestamptz not null,
  duration_ms  bigint not null,
  views        bigint not null,
  likes        bigint not null,
  trend        bigint not null,
  primary key (content_id, filed_under)
);

create function content_filings(p_id uuid) returns uuid[] language sql stable as $$
  select array(select category_id from content_categories where content_id = p_id union all select genre_id from content_genres where content_id = p_id);
$$;

update listed_contents set filed = content_filings(content_id) where content_filings(content_id) <> '{}';
insert into listed_filings
select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at, l.duration_ms, l.views, l.likes, l.trend
from listed_contents l cross join unnest(l.filed) f (id);
create index listed_filings_newest on listed_filings (filed_under, published_at desc, content_id desc);
create index listed_filings_views on listed_filings (filed_under, views desc, content_id desc);
create index listed_filings_likes on listed_filings (filed_under, likes desc, content_id desc);
create index listed_filings_name on listed_filings (filed_under, name, content_id);
create index listed_filings_duration on listed_filings (filed_under, duration_ms desc, content_id desc);
create index listed_filings_trend on listed_filings (filed_under, trend desc, published_at desc, content_id desc);
-- A page of a category is read in the order of an index (see 0030_long_lists.sql).
alter table listed_filings alter column filed_under set (n_distinct = -0.001);
analyze listed_filings;

-- Scope 'filed:listed:<KIND>': the listed contents of a kind under a category or genre.
create function listed_filings_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select kind, filed_under, count(*) as n from new_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('filed:listed:' || r.kind, r.filed_under, r.n);
    end loop;
  else
    for r in select kind, filed_under, count(*) as n from old_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('filed:listed:' || r.kind, r.filed_under, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger listed_filings_count_insert after insert on listed_filings referencing new table as new_rows for each statement execute function listed_filings_count();
create trigger listed_filings_count_delete after delete on listed_filings referencing old table as old_rows for each statement execute function listed_filings_count();
insert into counters (scope, key, shard, value) select 'filed:listed:' || kind, filed_under, 0, count(*) from listed_filings group by 1, 2;

-- Writes the filings of these contents as listed_contents has them; a row whose kind changed is counted anew.
create function listed_file(p_ids uuid[]) returns void language plpgsql as $$
begin
  delete from listed_filings f where f.content_id = any(p_ids)
    and not exists (select 1 from listed_contents l where l.content_id = f.content_id and l.kind = f.kind and f.filed_under = any(l.filed));
  insert into listed_filings
  select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at, l.duration_ms, l.views, l.likes, l.trend
  from listed_contents l cross join unnest(l.filed) f (id) where l.content_id = any(p_ids) order by l.content_id, f.id
  on conflict (content_id, filed_under) do update set channel_id = excluded.channel_id, layout = excluded.layout, language = excluded.language,
    rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at, duration_ms = excluded.duration_ms,
    views = excluded.views, likes = excluded.likes, trend = excluded.trend;
end $$;

create or replace function search_write_contents(p_ids uuid[]) returns void language plpgsql as $$
declare filed_ids uuid[];
begin
  perform search_wait(array(select distinct channel_id from contents where id = any(p_ids)), false);
  delete from search_documents d where d.id = any(p_ids) and not exists (select 1 from contents c where c.id = d.id and c.listed);
  delete from listed_contents l where l.content_id = any(p_ids) and not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  insert into search_documents (id, kind, channel_id, title, summary, name, words, published_at, duration_ms, popularity)
  select c.id, c.kind, c.channel_id, c.title, c.summary, array_to_string(search_words(c.title), ' '),
         search_vector(c.title, concat_ws(' ', array_to_string(c.keywords, ' '), h.name, h.handle), concat_ws(' ', c.short_summary, c.summary), search_tags(c)),
         c.published_at, c.duration_ms,
         search_attention(counter_value('content:views', c.id), counter_value('content:likes', c.id))
  from contents c join channels h on h.id = c.channel_id
  where c.id = any(p_ids) and c.listed order by c.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title, summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at, duration_ms = excluded.duration_ms;
  with written as (
    insert into listed_contents (content_id, channel_id, kind, layout, language, rating_id, name, published_at, duration_ms, views, likes, filed)
    select c.id, c.channel_id, c.kind, c.layout, c.language, c.rating_id, search_fold(c.title), c.published_at, coalesce(c.duration_ms, 0),
           counter_value('content:views', c.id), counter_value('content:likes', c.id), content_filings(c.id)
    from contents c where c.id = any(p_ids) and c.listed order by c.id
    on conflict (content_id) do update set channel_id = excluded.channel_id, kind = excluded.kind, layout = excluded.layout,
      language = excluded.language, rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms, filed = excluded.filed
    returning new.content_id, new.filed <> '{}' or old.filed <> '{}' as filed)
  select array_agg(content_id) filter (where filed) into filed_ids from written;
  if filed_ids is not null then perform listed_file(filed_ids); end if;
  perform search_learn(p_ids);
end $$;

-- How many contents the followed channels of an account list: all kinds of a channel together in one range of an index.
create index counters_channel_listed on counters (key) where scope like 'channel:listed:%' and scope <> 'channel:listed:PLAYLIST';

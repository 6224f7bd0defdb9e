-- Lists of a category or a genre: each content's row of content_listings once more for everything it is filed under, so that a page walks
-- one index, however large or rare the category is, and its total is a counter.

-- The categories and genres the content is filed under.
alter table content_listings add column term_ids uuid[] not null default '{}';

-- Written wherever content_listings is. Filters and sort values as there.
create table content_listing_terms (
  content_id   uuid not null references content_listings on delete cascade,
  -- A category or a genre.
  term_id  uuid not null,
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
  primary key (content_id, term_id)
);

create function content_term_ids(p_id uuid) returns uuid[] language sql stable as $$
  select array(select category_id from content_categories where content_id = p_id union all select genre_id from content_genres where content_id = p_id);
$$;

update content_listings set term_ids = content_term_ids(content_id) where content_term_ids(content_id) <> '{}';
insert into content_listing_terms
select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at, l.duration_ms, l.views, l.likes, l.trend
from content_listings l cross join unnest(l.term_ids) f (id);
create index content_listing_terms_newest on content_listing_terms (term_id, published_at desc, content_id desc);
create index content_listing_terms_views on content_listing_terms (term_id, views desc, content_id desc);
create index content_listing_terms_likes on content_listing_terms (term_id, likes desc, content_id desc);
create index content_listing_terms_name on content_listing_terms (term_id, name, content_id);
create index content_listing_terms_duration on content_listing_terms (term_id, duration_ms desc, content_id desc);
create index content_listing_terms_trend on content_listing_terms (term_id, trend desc, published_at desc, content_id desc);
-- A page of a category is read in the order of an index (see 0030_long_lists.sql).
alter table content_listing_terms alter column term_id set (n_distinct = -0.001);
analyze content_listing_terms;

-- Scope 'term:listed:<KIND>': the listed contents of a kind under a category or genre.
create function content_listing_terms_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select kind, term_id, count(*) as n from new_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('term:listed:' || r.kind, r.term_id, r.n);
    end loop;
  else
    for r in select kind, term_id, count(*) as n from old_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('term:listed:' || r.kind, r.term_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger content_listing_terms_count_insert after insert on content_listing_terms referencing new table as new_rows for each statement execute function content_listing_terms_count();
create trigger content_listing_terms_count_delete after delete on content_listing_terms referencing old table as old_rows for each statement execute function content_listing_terms_count();
insert into counters (scope, key, shard, value) select 'term:listed:' || kind, term_id, 0, count(*) from content_listing_terms group by 1, 2;

-- Writes the filings of these contents as content_listings has them; a row whose kind changed is counted anew.
create function content_listing_terms_write(p_ids uuid[]) returns void language plpgsql as $$
begin
  delete from content_listing_terms f where f.content_id = any(p_ids)
    and not exists (select 1 from content_listings l where l.content_id = f.content_id and l.kind = f.kind and f.term_id = any(l.term_ids));
  insert into content_listing_terms
  select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at, l.duration_ms, l.views, l.likes, l.trend
  from content_listings l cross join unnest(l.term_ids) f (id) where l.content_id = any(p_ids) order by l.content_id, f.id
  on conflict (content_id, term_id) do update set channel_id = excluded.channel_id, layout = excluded.layout, language = excluded.language,
    rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at, duration_ms = excluded.duration_ms,
    views = excluded.views, likes = excluded.likes, trend = excluded.trend;
end $$;

create or replace function search_write_contents(p_ids uuid[]) returns void language plpgsql as $$
declare ids_with_terms uuid[];
begin
  perform search_lock_channels(array(select distinct channel_id from contents where id = any(p_ids)), false);
  delete from search_documents d where d.id = any(p_ids) and not exists (select 1 from contents c where c.id = d.id and c.listed);
  delete from content_listings l where l.content_id = any(p_ids) and not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  insert into search_documents (id, kind, channel_id, title, summary, name, words, published_at, duration_ms, popularity)
  select c.id, c.kind, c.channel_id, c.title, c.summary, array_to_string(search_words(c.title), ' '),
         search_vector(c.title, concat_ws(' ', array_to_string(c.keywords, ' '), h.name, h.handle), concat_ws(' ', c.short_summary, c.summary), search_tags(c)),
         c.published_at, c.duration_ms,
         search_popularity(counter_value('content:views', c.id), counter_value('content:likes', c.id))
  from contents c join channels h on h.id = c.channel_id
  where c.id = any(p_ids) and c.listed order by c.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title, summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at, duration_ms = excluded.duration_ms;
  with written as (
    insert into content_listings (content_id, channel_id, kind, layout, language, rating_id, name, published_at, duration_ms, views, likes, term_ids)
    select c.id, c.channel_id, c.kind, c.layout, c.language, c.rating_id, search_fold(c.title), c.published_at, coalesce(c.duration_ms, 0),
           counter_value('content:views', c.id), counter_value('content:likes', c.id), content_term_ids(c.id)
    from contents c where c.id = any(p_ids) and c.listed order by c.id
    on conflict (content_id) do update set channel_id = excluded.channel_id, kind = excluded.kind, layout = excluded.layout,
      language = excluded.language, rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms, term_ids = excluded.term_ids
    returning new.content_id, new.term_ids <> '{}' or old.term_ids <> '{}' as has_terms)
  select array_agg(content_id) filter (where has_terms) into ids_with_terms from written;
  if ids_with_terms is not null then perform content_listing_terms_write(ids_with_terms); end if;
  perform search_vocabulary_add(p_ids);
end $$;

-- How many contents the followed channels of an account list: all kinds of a channel together in one range of an index.
create index counters_channel_listed on counters (key) where scope like 'channel:listed:%' and scope <> 'channel:listed:PLAYLIST';

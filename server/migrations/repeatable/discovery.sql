-- The sort key of trends: the binary logarithm of the points as they would be on a fixed day if they halved every day,
-- in billionths. It stays correct as days pass, so only contents that gain attention or lose a day of it change.
-- p_points are counted on p_day.
create or replace function trend_score(p_points double precision,
  p_day date) returns bigint language sql immutable parallel safe as $$
  select case when p_points > 0 then round((ln(p_points) / ln(2::float8) + (p_day - date '2020-01-01')) *
    1000000000)::bigint else 0 end;
$$;

-- The categories and genres of a content.
create or replace function content_term_ids(p_id uuid) returns uuid[] language sql stable as $$
  select array(select category_id from content_categories where content_id = p_id union all select genre_id
    from content_genres where content_id = p_id);
$$;

-- Brings the rows of content_listing_terms in line with content_listings. The counters are touched first, in a fixed
-- order, so that two writers never wait for each other; a row whose kind changed is inserted again.
create or replace function content_listing_terms_write(p_ids uuid[]) returns void language plpgsql as $$
declare r record;
begin
  for r in
    select f.kind, f.term_id from content_listing_terms f where f.content_id = any(p_ids)
      and not exists (select 1 from content_listings l where l.content_id = f.content_id and l.kind = f.kind
        and f.term_id = any(l.term_ids))
    union
    select l.kind, n.id from content_listings l cross join unnest(l.term_ids) n (id) where l.content_id = any(p_ids)
      and not exists (select 1 from content_listing_terms f where f.content_id = l.content_id and f.term_id = n.id
        and f.kind = l.kind)
    order by 1, 2
  loop
    perform counter_add('term:listed:' || r.kind, r.term_id, 0);
  end loop;
  delete from content_listing_terms f where f.content_id = any(p_ids)
    and not exists (select 1 from content_listings l where l.content_id = f.content_id and l.kind = f.kind
      and f.term_id = any(l.term_ids));
  insert into content_listing_terms
  select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at,
    l.duration_ms, l.views, l.likes, l.trend
  from content_listings l cross join unnest(l.term_ids) f (id) where l.content_id = any(p_ids) order by l.content_id,
    f.id
  on conflict (content_id, term_id) do update set channel_id = excluded.channel_id, layout = excluded.layout,
    language = excluded.language,
    rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms,
    views = excluded.views, likes = excluded.likes, trend = excluded.trend;
end $$;

-- At most 50 listed contents related to this one: neighbouring episodes, contents that share categories, genres and
-- keywords, and the latest of its channel. Each source reads a bounded number of rows.
create or replace function content_related(p_id uuid) returns TABLE(id uuid,
  score integer) language sql stable rows 50 as $$
  with self as (select * from contents where id = p_id),
  hits (id, points) as (
    select n.id, 10000 - 100 * n.place::integer from (
      select n.id, row_number() over (order by n.number, n.id) as place from self s join contents n
        on n.parent_id = s.parent_id
      where n.listed and n.deleted_at is null and n.number > s.number order by n.number, n.id limit 10) n
    union all
    select n.id, 5000 - 100 * n.place::integer from (
      select n.id, row_number() over (order by n.number desc, n.id desc) as place from self s join contents n
        on n.parent_id = s.parent_id
      where n.listed and n.deleted_at is null and n.number < s.number order by n.number desc, n.id desc limit 5) n
    union all
    select x.content_id, 100 from self s join content_categories c on c.content_id = s.id cross join lateral (
      select o.content_id from content_categories o where o.category_id = c.category_id order by o.content_id desc
        limit 50) x
    union all
    select x.content_id, 80 from self s join content_genres g on g.content_id = s.id cross join lateral (
      select o.content_id from content_genres o where o.genre_id = g.genre_id order by o.content_id desc limit 50) x
    union all
    select x.id, 120 from self s cross join lateral unnest(s.keywords[1:5]) k cross join lateral (
      select d.id from search_tiers d
      where d.words @@ format('''keyword/%s''', array_to_string(search_words(k), ' '))::tsquery limit 50) x
    union all
    select x.content_id, 60 from self s cross join lateral (
      select l.content_id from content_listings l where l.channel_id = s.channel_id order by l.published_at desc,
        l.content_id desc limit 30) x)
  select l.content_id, sum(h.points)::integer + round(100 * max(similarity(l.name, search_fold(s.title))))::integer
  from hits h join content_listings l on l.content_id = h.id cross join self s
  where h.id <> p_id
  group by l.content_id order by 2 desc, 1 desc limit 50;
$$;

-- Writes the listings of these contents, always in the order of their ids, and the rows of their categories and genres.
create or replace function content_listings_write(p_ids uuid[]) returns void language plpgsql as $$
declare ids_with_terms uuid[];
begin
  delete from content_listings l where l.content_id = any(p_ids) and not exists (select 1 from contents c
    where c.id = l.content_id and c.listed);
  with written as (
    insert into content_listings (content_id, channel_id, kind, layout, language, rating_id, name, published_at,
      duration_ms, views, likes, term_ids)
    select c.id, c.channel_id, c.kind, c.layout, c.language, c.rating_id, search_fold(c.title), c.published_at,
      coalesce(c.duration_ms, 0),
           counter_value('content:views', c.id), counter_value('content:likes', c.id), content_term_ids(c.id)
    from contents c where c.id = any(p_ids) and c.listed order by c.id
    on conflict (content_id) do update set channel_id = excluded.channel_id, kind = excluded.kind,
      layout = excluded.layout,
      language = excluded.language, rating_id = excluded.rating_id, name = excluded.name,
        published_at = excluded.published_at,
      duration_ms = excluded.duration_ms, term_ids = excluded.term_ids
    returning new.content_id, new.term_ids <> '{}' or old.term_ids <> '{}' as has_terms)
  select array_agg(content_id) filter (where has_terms) into ids_with_terms from written;
  if ids_with_terms is not null then perform content_listing_terms_write(ids_with_terms); end if;
end $$;

-- Filing one content elsewhere while another takes the opposite way never makes the two wait for each other in a circle: counters are touched in one
-- order, whatever goes and comes.

-- Writes the filings of these contents as content_listings has them; a row whose kind changed is counted anew.
create or replace function content_listing_terms_write(p_ids uuid[]) returns void language plpgsql as $$
declare r record;
begin
  for r in
    select f.kind, f.term_id from content_listing_terms f where f.content_id = any(p_ids)
      and not exists (select 1 from content_listings l where l.content_id = f.content_id and l.kind = f.kind and f.term_id = any(l.term_ids))
    union
    select l.kind, n.id from content_listings l cross join unnest(l.term_ids) n (id) where l.content_id = any(p_ids)
      and not exists (select 1 from content_listing_terms f where f.content_id = l.content_id and f.term_id = n.id and f.kind = l.kind)
    order by 1, 2
  loop
    perform counter_add('term:listed:' || r.kind, r.term_id, 0);
  end loop;
  delete from content_listing_terms f where f.content_id = any(p_ids)
    and not exists (select 1 from content_listings l where l.content_id = f.content_id and l.kind = f.kind and f.term_id = any(l.term_ids));
  insert into content_listing_terms
  select l.content_id, f.id, l.channel_id, l.kind, l.layout, l.language, l.rating_id, l.name, l.published_at, l.duration_ms, l.views, l.likes, l.trend
  from content_listings l cross join unnest(l.term_ids) f (id) where l.content_id = any(p_ids) order by l.content_id, f.id
  on conflict (content_id, term_id) do update set channel_id = excluded.channel_id, layout = excluded.layout, language = excluded.language,
    rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at, duration_ms = excluded.duration_ms,
    views = excluded.views, likes = excluded.likes, trend = excluded.trend;
end $$;

-- In one statement each, so that what follows from it sees what goes and what comes together.
create or replace function assign_taxonomy_terms(p_content uuid, p_categories uuid[], p_genres uuid[]) returns void language plpgsql as $$
begin
  if p_categories is not null then
    with gone as (delete from content_categories where content_id = p_content and category_id <> all (p_categories))
    insert into content_categories (content_id, category_id, position)
    select p_content, g.id, g.position from unnest(p_categories) with ordinality g (id, position)
    on conflict (content_id, category_id) do update set position = excluded.position;
  end if;
  if p_genres is not null then
    with gone as (delete from content_genres where content_id = p_content and genre_id <> all (p_genres))
    insert into content_genres (content_id, genre_id, position)
    select p_content, g.id, g.position from unnest(p_genres) with ordinality g (id, position)
    on conflict (content_id, genre_id) do update set position = excluded.position;
  end if;
end $$;

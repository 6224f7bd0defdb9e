-- Of documents with the words, at most 10,000 are held against dates and lengths: no index knows these, and a common word with a date before everything
-- read all documents. They come tier by tier, so that those that are new or get attention are looked at first.
create or replace function search_ranked(p_wanted tsquery, p_query tsquery, p_name text, p_after timestamptz, p_before timestamptz, p_min_ms bigint, p_max_ms bigint, p_limit integer)
returns table (id uuid, score integer) language plpgsql stable as $$
begin
  return query
    select d.id, search_rank_score(d.words, d.name, d.popularity, p_query, p_name)
    from (select * from search_tiers t where t.words @@ p_wanted limit 10000) d
    where (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms)
    limit p_limit;
end $$;

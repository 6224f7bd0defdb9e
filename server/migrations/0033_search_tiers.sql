-- What a search costs no longer grows with the number of documents that fit: it looks at those of most weight first and stops at 1,000.

-- 0 to 4: the 1,000, 3,000, 10,000, 30,000 and 100,000 documents of most weight, each without those before. 5 to 15: samples of the others,
-- each as large as all samples before it together; 15 is half of them. However common or rare a word is, a search that reads tier after
-- tier until 1,000 documents fit reads not many more than these, of which an index of everything would give all. What is new is in tier 0
-- until the tiers are renewed; whatever happened since, a document is in exactly one.
alter table search_documents add column tier smallint not null default 0 check (tier between 0 and 15);

create function search_sample_tier(p_id uuid) returns integer language sql immutable parallel safe as $$
  select 5 + length(ltrim((uuid_hash(p_id) & 1023)::bit(10)::text, '0'));
$$;

-- As before, and the words of the title once more as lexemes 'title/…', so that the index finds titles alone.
create or replace function search_vector(p_a text, p_b text, p_c text, p_tags text[]) returns tsvector language sql immutable parallel safe as $$
  select coalesce(string_agg(lexeme, ' '), '')::tsvector from (
    select format('''%s'':%sA ''title/%s''', word, least(n, 16383), word) from unnest(search_words(p_a)) with ordinality w (word, n)
    union all select format('''%s'':%sB', word, least(n, 16383)) from unnest(search_words(p_b)) with ordinality w (word, n)
    union all select format('''%s'':%sC', word, least(n, 16383)) from unnest(search_words(p_c)) with ordinality w (word, n)
    union all select format('''%s''', tag) from unnest(p_tags) tag where tag is not null) l (lexeme);
$$;

drop index search_documents_words;
drop index search_documents_weight;
with ranked as (select id, row_number() over (order by weight desc, id desc) as place from search_documents)
update search_documents d
set tier = case when r.place <= 100000 then width_bucket(r.place - 1, array[1000, 3000, 10000, 30000]) else search_sample_tier(d.id) end,
  words = d.words || coalesce((select string_agg(format('''title/%s''', word), ' ') from unnest(search_words(d.title)) word), '')::tsvector
from ranked r where r.id = d.id;
do $$ begin
  for tier in 0 .. 15 loop
    execute format('create index search_documents_tier%1$s on search_documents using gin (words) where tier = %1$s', tier);
  end loop;
end $$;
create index search_documents_weight on search_documents (weight desc, tier);
create index search_documents_top on search_documents (tier, weight) include (id) where tier < 5;
analyze search_documents;

-- The documents tier after tier: an Append reads its parts in this order, and none once a limit is reached.
do $$ begin
  execute 'create view search_tiers as ' || (
    select string_agg(format('select id, words, name, popularity, published_at, duration_ms from search_documents where tier = %s', tier), ' union all ' order by tier)
    from generate_series(0, 15) tier);
end $$;

-- Puts every document into its tier, and what is new into the indexes. What is being written meanwhile is left for the next time.
create function search_refresh_tiers() returns void language sql as $$
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
    from placed p join search_documents d on d.id = p.id where least(p.tier, 5) <> p.wanted order by d.id for update of d skip locked)
  update search_documents d set tier = c.wanted from changed c where d.id = c.id;
  select gin_clean_pending_list(indexrelid) from pg_index
  where indrelid = 'search_documents'::regclass and indexrelid::regclass::text like 'search_documents_tier%';
$$;

-- How well a document fits: where the words are, whether the title is or begins with them, and the attention it got.
create function search_rank_score(p_words tsvector, p_title text, p_popularity real, p_query tsquery, p_name text) returns integer
language sql immutable parallel safe as $$
  select round(1000000 * (ts_rank('{0.05, 0.2, 0.5, 1}', p_words, p_query)
    + case when p_title = p_name then 1.0 when starts_with(p_title, p_name || ' ') then 0.5 else 0 end) * (1 + p_popularity / 20))::integer;
$$;

drop function search_ranked(tsquery, tsquery, text, tsquery, timestamptz, timestamptz, bigint, bigint);
drop function search_score(search_documents, tsquery, text);

-- What fits p_wanted, ranked by p_query: at most p_limit documents, those of the first tiers before others.
create function search_ranked(p_wanted tsquery, p_query tsquery, p_name text, p_after timestamptz, p_before timestamptz, p_min_ms bigint, p_max_ms bigint, p_limit integer)
returns table (id uuid, score integer) language plpgsql stable rows 1000 as $$
begin
  return query
    select d.id, search_rank_score(d.words, d.name, d.popularity, p_query, p_name) from search_tiers d
    where d.words @@ p_wanted and (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms)
    limit p_limit;
end $$;

-- What a person who typed p_query looks for: all of the first 12 words, the last of which may be the beginning of one. Of more than 1,000
-- documents those with all words in the title come before others, and those of the first tiers before others. Where fewer than 10
-- have them, also documents with words that are spelled alike, for half the score. terms: the words that were looked for, with
-- a * behind the beginning of one.
create or replace function search_find(p_query text, p_tags tsquery, p_after timestamptz, p_before timestamptz, p_min_ms bigint, p_max_ms bigint)
returns setof search_hit language plpgsql stable rows 1000 as $$
declare
  most constant integer := 1000;
  words text[] := (search_words(p_query))[1:12];
  name text := array_to_string(words, ' ');
  query tsquery;
  titles tsquery;
  wide tsquery;
  part tsquery;
  terms text[] := '{}';
  similar_words text[];
  may_end text;
  found bigint;
  more bigint;
begin
  for i in 1 .. cardinality(words) loop
    may_end := case when i = cardinality(words) and octet_length(words[i]) > 1 then ':*' else '' end;
    part := format('''%s''%s', words[i], may_end)::tsquery;
    query := case when query is null then part else query && part end;
    part := format('''title/%s''%s', words[i], may_end)::tsquery;
    titles := case when titles is null then part else titles && part end;
    terms := terms || case when may_end = '' then words[i] else words[i] || '*' end;
  end loop;
  if query is null then return; end if;
  return query select r.id, r.score, terms
    from search_ranked(case when p_tags is null then titles else titles && p_tags end, query, name, p_after, p_before, p_min_ms, p_max_ms, most) r;
  get diagnostics found = row_count;
  if found >= most then return; end if;
  wide := query && !!titles;
  return query select r.id, r.score, terms
    from search_ranked(case when p_tags is null then wide else wide && p_tags end, query, name, p_after, p_before, p_min_ms, p_max_ms, (most - found)::integer) r;
  get diagnostics more = row_count;
  if found + more >= 10 then return; end if;

  wide := null;
  for i in 1 .. cardinality(words) loop
    part := format(case when i = cardinality(words) and octet_length(words[i]) > 1 then '''%s'':*' else '''%s''' end, words[i])::tsquery;
    if length(words[i]) >= 4 then
      similar_words := search_similar(words[i]);
      terms := terms || similar_words;
      if cardinality(similar_words) > 0 then
        part := part || (select string_agg(format('''%s''', word), ' | ')::tsquery from unnest(similar_words) word);
      end if;
    end if;
    wide := case when wide is null then part else wide && part end;
  end loop;
  if wide = query then return; end if;
  part := wide && !!query;
  return query select r.id, r.score / 2, terms
    from search_ranked(case when p_tags is null then part else part && p_tags end, wide, name, p_after, p_before, p_min_ms, p_max_ms, most) r;
end $$;

create or replace function search_rebuild() returns bigint language plpgsql as $$
begin
  lock table search_documents, content_listings, search_vocabulary in share row exclusive mode;
  delete from search_documents;
  delete from search_vocabulary;
  delete from content_listings l where not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  perform search_write_channels(array(select id from channels));
  perform search_write_contents(array(select id from contents where listed));
  perform search_write_playlists(array(select id from playlists where listed));
  perform search_refresh_tiers();
  return (select count(*) from search_documents);
end $$;

-- At most 50 listed contents that somebody who watched this one may want to watch: the episodes around it, what shares its categories,
-- genres and keywords, and what its channel published last. Each of these is read for a bounded number of rows.
create or replace function content_related(p_id uuid) returns table (id uuid, score integer) language sql stable rows 50 as $$
  with self as (select * from contents where id = p_id),
  hits (id, points) as (
    select n.id, 10000 - 100 * n.place::integer from (
      select n.id, row_number() over (order by n.number, n.id) as place from self s join contents n on n.parent_id = s.parent_id
      where n.listed and n.deleted_at is null and n.number > s.number order by n.number, n.id limit 10) n
    union all
    select n.id, 5000 - 100 * n.place::integer from (
      select n.id, row_number() over (order by n.number desc, n.id desc) as place from self s join contents n on n.parent_id = s.parent_id
      where n.listed and n.deleted_at is null and n.number < s.number order by n.number desc, n.id desc limit 5) n
    union all
    select x.content_id, 100 from self s join content_categories c on c.content_id = s.id cross join lateral (
      select o.content_id from content_categories o where o.category_id = c.category_id order by o.content_id desc limit 50) x
    union all
    select x.content_id, 80 from self s join content_genres g on g.content_id = s.id cross join lateral (
      select o.content_id from content_genres o where o.genre_id = g.genre_id order by o.content_id desc limit 50) x
    union all
    select x.id, 120 from self s cross join lateral unnest(s.keywords[1:5]) k cross join lateral (
      select d.id from search_tiers d
      where d.words @@ format('''keyword/%s''', array_to_string(search_words(k), ' '))::tsquery limit 50) x
    union all
    select x.content_id, 60 from self s cross join lateral (
      select l.content_id from content_listings l where l.channel_id = s.channel_id order by l.published_at desc, l.content_id desc limit 30) x)
  select l.content_id, sum(h.points)::integer + round(100 * max(similarity(l.name, search_fold(s.title))))::integer
  from hits h join content_listings l on l.content_id = h.id cross join self s
  where h.id <> p_id
  group by l.content_id order by 2 desc, 1 desc limit 50;
$$;

-- The text without accents, case and compatibility forms. Highlighting folds in the same way
-- (discovery/search/highlight.ts).
create or replace function search_fold(p_text text) returns text language sql immutable parallel safe as $$
  select normalize(translate(replace(replace(replace(casefold(
    regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g')
    collate "pg_unicode_fast"), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđħı', 'oldhi'), NFKC);
$$;

-- The words of a text in order. Characters of scripts without spaces, and emoji, are words of their own.
create or replace function search_words(p_text text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(left(m[1], 60) order by n), '{}')
  from regexp_matches(
    regexp_replace(search_fold(p_text),
      '([\u2600-\u27bf\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f300-\U0001faff])',
        ' \1 ', 'g')
      collate "pg_unicode_fast",
    '[[:alnum:]]+|[\u2600-\u27bf\U0001f300-\U0001faff]', 'g') with ordinality as w (m, n);
$$;

-- The search vector: words with their weights, words of the title again as lexemes 'title/…', so that the index can
-- search titles alone, and tags.
create or replace function search_vector(p_a text, p_b text, p_c text,
  p_tags text[]) returns tsvector language sql immutable parallel safe as $$
  select coalesce(string_agg(lexeme, ' '), '')::tsvector from (
    select format('''%s'':%sA ''title/%s''', word, least(n, 16383), word) from unnest(search_words(p_a))
      with ordinality w (word, n)
    union all select format('''%s'':%sB', word, least(n, 16383)) from unnest(search_words(p_b)) with ordinality w (word,
      n)
    union all select format('''%s'':%sC', word, least(n, 16383)) from unnest(search_words(p_c)) with ordinality w (word,
      n)
    union all select format('''%s''', tag) from unnest(p_tags) tag where tag is not null) l (lexeme);
$$;

-- The lexemes that filters search for.
create or replace function search_tags(c contents) returns text[] language sql stable as $$
  select array['kind/' || c.kind, 'channel/' || c.channel_id, 'language/' || split_part(c.language, '-', 1),
    'language/' || c.language]
    || array(select 'category/' || category_id from content_categories where content_id = c.id)
    || array(select 'genre/' || genre_id from content_genres where content_id = c.id)
    || array(select distinct 'keyword/' || array_to_string(search_words(k), ' ') from unnest(c.keywords) k);
$$;

-- The popularity of a document, in half steps of the binary logarithm.
create or replace function search_popularity(p_views bigint,
  p_likes bigint) returns real language sql immutable parallel safe as $$
  select (round(2 * ln((1 + p_views + 10 * p_likes)::float8) / ln(2::float8)) / 2)::real;
$$;

-- The tier of a document that is not among the 100,000 of greatest weight.
create or replace function search_sample_tier(p_id uuid) returns integer language sql immutable parallel safe as $$
  select 5 + length(ltrim((uuid_hash(p_id) & 1023)::bit(10)::text, '0'));
$$;

-- Serializes renaming a channel with writing documents of the channel, until the end of the transaction. An advisory
-- lock, so that other transactions that lock the channel's row are not affected.
create or replace function search_lock_channels(p_channels uuid[],
  p_renamed boolean) returns void language plpgsql as $$
declare bucket integer;
begin
  for bucket in select distinct abs(hashtext(id::text) % 1024) from unnest(p_channels) id order by 1 loop
    if p_renamed then
      perform pg_advisory_xact_lock(hashtext('search_lock_channels'), bucket);
    else
      perform pg_advisory_xact_lock_shared(hashtext('search_lock_channels'), bucket);
    end if;
  end loop;
end $$;

-- Adds the words of these documents to the vocabulary.
create or replace function search_vocabulary_add(p_ids uuid[]) returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct w.lexeme collate "C" from search_documents d, unnest(tsvector_to_array(ts_filter(d.words,
    '{a,b}'))) w (lexeme)
  where d.id = any(p_ids) and length(w.lexeme) between 3 and 40
    and not exists (select 1 from search_vocabulary v where v.word = w.lexeme collate "C")
  order by 1
  on conflict do nothing;
$$;

-- Rewrites p_limit documents of a channel's contents and playlists after p_after; returns the id of the last one, or
-- null when done. Waits for concurrent writers of the channel's documents, so that no older text is written.
create or replace function search_refresh_channel(p_channel uuid, p_after uuid,
  p_limit integer) returns uuid language plpgsql as $$
declare ids uuid[];
begin
  perform search_lock_channels(array[p_channel], true);
  ids := array(select id from search_documents where channel_id = p_channel and id > p_after and kind <> 'CHANNEL'
    order by id limit p_limit);
  perform search_write_contents(array(select id from search_documents where id = any(ids) and kind <> 'PLAYLIST'));
  perform search_write_playlists(array(select id from search_documents where id = any(ids) and kind = 'PLAYLIST'));
  return case when cardinality(ids) = p_limit then ids[p_limit] end;
end $$;

-- Continues with a renamed channel; returns whether there was one.
create or replace function search_refresh_renamed(p_limit integer) returns boolean language plpgsql as $$
declare
  channel uuid;
  place uuid;
begin
  select channel_id into channel from search_rename_queue limit 1;
  if channel is null then return false; end if;
  -- Before the row, as renaming does.
  perform search_lock_channels(array[channel], true);
  select after_id into place from search_rename_queue where channel_id = channel for update;
  if place is null then return true; end if;
  place := search_refresh_channel(channel, place, p_limit);
  if place is null then
    delete from search_rename_queue where channel_id = channel;
  else
    update search_rename_queue set after_id = place where channel_id = channel;
  end if;
  return true;
end $$;

-- Rewrites all documents and listings. Waits for renames of channels before locking the tables, in the order that
-- renames lock them.
create or replace function search_rebuild() returns bigint language plpgsql as $$
begin
  perform search_lock_channels(array(select id from channels), true);
  lock table search_documents, content_listings, search_vocabulary in share row exclusive mode;
  delete from search_documents;
  delete from search_vocabulary;
  delete from content_listings l where not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  perform search_write_channels(array(select id from channels));
  perform search_write_contents(array(select id from contents where listed));
  perform search_write_playlists(array(select id from playlists where listed));
  delete from search_rename_queue;
  perform search_refresh_tiers();
  return (select count(*) from search_documents);
end $$;

-- Moves every document to its tier and merges pending index entries. Skips rows that are being written. Returns how
-- many moved.
create or replace function search_refresh_tiers(p_limit integer DEFAULT NULL::integer) returns bigint language plpgsql
  as $$
declare moved bigint;
begin
  with bounds as (
    select array_agg(coalesce((select -weight from search_documents order by weight desc offset size limit 1),
      'infinity') order by size) as ends
    from unnest(array[1000, 3000, 10000, 30000, 100000]) size),
  placed as (
    select d.id, d.tier, width_bucket(-d.weight, b.ends) as wanted
    from bounds b cross join lateral (
      select id, tier, weight from search_documents where tier < 5
      union all select id, tier, weight from search_documents where tier >= 5 and weight > -b.ends[5]) d),
  changed as (
    select d.id, case when p.wanted < 5 then p.wanted else search_sample_tier(d.id) end as wanted
    from placed p join search_documents d on d.id = p.id where least(p.tier, 5) <> p.wanted order by d.id
      limit p_limit for update of d skip locked)
  update search_documents d set tier = c.wanted from changed c where d.id = c.id;
  get diagnostics moved = row_count;
  perform gin_clean_pending_list(indexrelid) from pg_index
  where indrelid = 'search_documents'::regclass and indexrelid::regclass::text like 'search_documents_tier%';
  return moved;
end $$;

-- The least pg_trgm similarity of a word of p_letters letters to one that differs by two: six of its n + 1 trigrams may
-- differ.
create or replace function search_similarity_threshold(p_letters integer) returns real language sql immutable parallel
  safe as $$
  select greatest(0.2, (p_letters - 5)::real / (p_letters + 8))::real;
$$;

-- Known words that differ from p_word by one letter, or by two with the same first letter; the nearest first. Words
-- with digits have none. Trigrams are only searched when no word differs by one letter or a swap.
create or replace function search_similar(p_word text) returns text[] language plpgsql stable
  set "pg_trgm.similarity_threshold" TO '0.2' as $$
declare
  -- Computed once: a plan that is kept for every word does not know that they stay the same.
  latin_word text := search_latin(p_word);
  word_deletions text[] := search_deletions(p_word);
  near text[];
begin
  if p_word ~ '[0-9]' then return '{}'; end if;
  near := array(
    select v.word from (
      select word, latin, levenshtein_less_equal(word, p_word, 2) as letters from search_vocabulary
      where deletions && word_deletions and word <> p_word offset 0) v
    where v.letters = 1 or v.letters = 2 and left(v.word, 1) = left(p_word, 1)
    order by v.letters, similarity(v.latin, latin_word) desc, v.word limit 5);
  if near <> '{}' then return near; end if;
  perform set_config('pg_trgm.similarity_threshold', search_similarity_threshold(length(latin_word))::text, true);
  return array(
    select v.word from (
      select word, latin, levenshtein_less_equal(word, p_word, 2) as letters from search_vocabulary
      where latin % latin_word and word <> p_word offset 0) v
    where v.letters = 1 or v.letters = 2 and left(v.word, 1) = left(p_word, 1)
    order by v.letters, similarity(v.latin, latin_word) desc, v.word limit 5);
end $$;

-- The rank of a document: where the words are, whether the title equals or starts with the query, and popularity.
create or replace function search_rank_score(p_words tsvector, p_title text, p_popularity real, p_query tsquery,
  p_name text) returns integer language sql immutable parallel safe as $$
  select round(1000000 * (ts_rank('{0.05, 0.2, 0.5, 1}', p_words, p_query)
    + case when p_title = p_name then 1.0 when starts_with(p_title, p_name || ' ') then 0.5
      else 0 end) * (1 + p_popularity / 20))::integer;
$$;

-- Matching documents tier by tier, at most 10,000, filtered by date and duration: no index covers these filters.
create or replace function search_ranked(p_wanted tsquery, p_query tsquery, p_name text, p_after timestamptz,
  p_before timestamptz, p_min_ms bigint, p_max_ms bigint, p_limit integer) returns TABLE(id uuid,
  score integer) language plpgsql stable as $$
begin
  return query
    select d.id, search_rank_score(d.words, d.name, d.popularity, p_query, p_name)
    from (select * from search_tiers t where t.words @@ p_wanted limit 10000) d
    where (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms)
    limit p_limit;
end $$;

-- Finds documents with all of the first 12 words of p_query; the last word may be a prefix. Returns at most 1,000 hits,
-- those with all words in the title first, and those of lower tiers first. With fewer than 10 hits, words spelled alike
-- match too, at half the score.
create or replace function search_find(p_query text, p_tags tsquery, p_after timestamptz, p_before timestamptz,
  p_min_ms bigint, p_max_ms bigint) returns SETOF search_hit language plpgsql stable as $$
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
    from search_ranked(case when p_tags is null then titles else titles && p_tags end, query, name, p_after, p_before,
      p_min_ms, p_max_ms, most) r;
  get diagnostics found = row_count;
  if found >= most then return; end if;
  wide := query && !!titles;
  return query select r.id, r.score, terms
    from search_ranked(case when p_tags is null then wide else wide && p_tags end, query, name, p_after, p_before,
      p_min_ms, p_max_ms, (most - found)::integer) r;
  get diagnostics more = row_count;
  if found + more >= 10 then return; end if;

  wide := null;
  for i in 1 .. cardinality(words) loop
    part := format(case when i = cardinality(words) and octet_length(words[i]) > 1 then '''%s'':*' else '''%s''' end,
      words[i])::tsquery;
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
    from search_ranked(case when p_tags is null then part else part && p_tags end, wide, name, p_after, p_before,
      p_min_ms, p_max_ms, most) r;
end $$;

-- Documents of contents and playlists contain the name of their channel: the first 200 are rewritten at once, workers
-- rewrite the others.
create or replace function channels_search_renamed() returns trigger language plpgsql as $$
declare
  renamed uuid[];
  channel uuid;
  place uuid;
begin
  select array_agg(n.id order by n.id) into renamed from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.handle) is distinct from (o.name, o.handle);
  if renamed is null then return null; end if;
  perform search_lock_channels(renamed, true);
  foreach channel in array renamed loop
    place := search_refresh_channel(channel, '00000000-0000-0000-0000-000000000000', 200);
    if place is not null then
      insert into search_rename_queue (channel_id, after_id) values (channel, place)
      on conflict (channel_id) do update set after_id = excluded.after_id;
    end if;
  end loop;
  return null;
end $$;
-- By its name it runs after channels_search_update, which writes the document of the channel itself.
create or replace trigger channels_search_update_renamed after update
  on channels referencing old table as old_rows new table as new_rows
  for each statement execute function channels_search_renamed();

-- A misspelled word costs the same however many words are known; trends are given to filings in pieces.

-- The word, and the word without each of its letters. Two words that differ by one letter, or by two that changed places, have one in common.
create function search_deletions(p_word text) returns text[] language sql immutable parallel safe as $$
  select p_word || array(select left(p_word, n - 1) || substr(p_word, n + 1) from generate_series(1, length(p_word)) n);
$$;
alter table search_vocabulary add column deletions text[] not null generated always as (search_deletions(word)) stored;
create index search_vocabulary_deletions on search_vocabulary using gin (deletions);

-- Known words that differ from this one by a letter, or by two with the same beginning; the nearest first. Numbers are never alike. Only
-- where none is that near are words looked at that have two other letters: those share some of its trigrams, as thousands do.
create or replace function search_similar(p_word text) returns text[] language plpgsql stable set pg_trgm.similarity_threshold = 0.2 as $$
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

-- Filings whose trend may be over (see renewal.store.ts).
create index content_listing_terms_trending on content_listing_terms (content_id) where trend > 0;

-- What a word is compared as is computed once, not for each of the thousands of words that share some of its letters: a plan that is kept
-- for every word does not know that it stays the same.
create or replace function search_similar(p_word text) returns text[] language plpgsql stable set pg_trgm.similarity_threshold = 0.2 as $$
declare latin_word text := search_latin(p_word);
begin
  if p_word ~ '[0-9]' then return '{}'; end if;
  perform set_config('pg_trgm.similarity_threshold', search_least_similar(length(latin_word))::text, true);
  return array(
    select v.word from (
      select word, latin, levenshtein_less_equal(word, p_word, 2) as letters from search_vocabulary
      where latin % latin_word and word <> p_word offset 0) v
    where v.letters = 1 or v.letters = 2 and left(v.word, 1) = left(p_word, 1)
    order by v.letters, similarity(v.latin, latin_word) desc, v.word limit 5);
end $$;

-- Filings whose trend may be over (see renewal.store.ts).
create index listed_filings_trending on listed_filings (content_id) where trend > 0;

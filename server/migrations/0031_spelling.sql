-- Words that are spelled alike are looked for among fewer candidates: the longer a word, the more trigrams two spellings share.

-- How similar (pg_trgm) a word of this many letters is to one that differs by two of them, at least: six of its n + 1 trigrams may be others.
create function search_similarity_threshold(p_letters integer) returns real language sql immutable parallel safe as $$
  select greatest(0.2, (p_letters - 5)::real / (p_letters + 8))::real;
$$;

create or replace function search_similar(p_word text) returns text[] language plpgsql stable set pg_trgm.similarity_threshold = 0.2 as $$
begin
  if p_word ~ '[0-9]' then return '{}'; end if;
  perform set_config('pg_trgm.similarity_threshold', search_similarity_threshold(length(search_latin(p_word)))::text, true);
  return array(
    select v.word from search_vocabulary v cross join lateral (select levenshtein_less_equal(v.word, p_word, 2) as letters) d
    where v.latin % search_latin(p_word) and v.word <> p_word
      and (d.letters = 1 or d.letters = 2 and left(v.word, 1) = left(p_word, 1))
    order by d.letters, similarity(v.latin, search_latin(p_word)) desc, v.word limit 5);
end $$;

-- Finding things: documents to search in, the lists of contents with their sort values, trends, feeds, histories, related contents.

create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;

-- words ---------------------------------------------------------------------------------------------------
-- Texts and queries are cut into words by the same functions, which depend on no setting of the database.

-- Without accents, case and compatibility forms. web and server fold alike where they highlight (discovery/fold-text.ts).
create function search_fold(p_text text) returns text language sql immutable parallel safe as $$
  select normalize(translate(replace(replace(replace(casefold(
    regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g')
    collate "pg_unicode_fast"), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđħı', 'oldhi'), NFKC);
$$;

-- Words in order. Characters of scripts that are written without spaces, and emoji, are words of their own.
create function search_words(p_text text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(left(m[1], 60) order by n), '{}')
  from regexp_matches(
    regexp_replace(search_fold(p_text),
      '([\u2600-\u27bf\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f300-\U0001faff])', ' \1 ', 'g')
      collate "pg_unicode_fast",
    '[[:alnum:]]+|[\u2600-\u27bf\U0001f300-\U0001faff]', 'g') with ordinality as w (m, n);
$$;

-- A title (A), keywords and the channel's names (B) and descriptions (C) as one vector, with tags: lexemes that no text contains,
-- by which the same index filters ('kind/FEATURE', 'channel/…', 'category/…', 'language/en').
create function search_vector(p_a text, p_b text, p_c text, p_tags text[]) returns tsvector language sql immutable parallel safe as $$
  select coalesce(string_agg(lexeme, ' '), '')::tsvector from (
    select format('''%s'':%sA', word, least(n, 16383)) from unnest(search_words(p_a)) with ordinality w (word, n)
    union all select format('''%s'':%sB', word, least(n, 16383)) from unnest(search_words(p_b)) with ordinality w (word, n)
    union all select format('''%s'':%sC', word, least(n, 16383)) from unnest(search_words(p_c)) with ordinality w (word, n)
    union all select format('''%s''', tag) from unnest(p_tags) tag where tag is not null) l (lexeme);
$$;

-- A word in letters and digits of ASCII, so that trigrams are made of every script whatever the database's locale is.
create function search_latin(p_word text) returns text language sql immutable parallel safe as $$
  select string_agg(case when ascii(c) < 128 then c else 'x' || to_hex(ascii(c) % 256) end, '' order by n)
  from regexp_split_to_table(p_word, '') with ordinality s (c, n);
$$;

-- documents -----------------------------------------------------------------------------------------------

-- Exactly what anyone may find: listed contents, public playlists and channels.
create table search_documents (
  id           uuid primary key,
  -- A kind of content, CHANNEL or PLAYLIST.
  kind         text not null,
  -- No foreign key: it would lock the channel's row behind the content's. What is deleted is forgotten by triggers.
  channel_id   uuid not null,
  title        text not null,
  summary      text not null,
  -- The words of the title.
  name         text not null,
  words        tsvector not null,
  published_at timestamptz not null,
  duration_ms  bigint,
  -- Twofold attention is one more: half steps of the binary logarithm of views and likes, or of followers.
  popularity   real not null default 0,
  -- Twofold attention is worth three months of age.
  weight       double precision not null generated always as
    (popularity + extract(epoch from published_at - timestamptz '2020-01-01 00:00:00+00') / 7776000) stored
);
create index search_documents_words on search_documents using gin (words);
create index search_documents_weight on search_documents (weight desc, id desc);
create index search_documents_channel on search_documents (channel_id);

-- Words of titles, keywords and names: what words that nothing contains are compared with.
create table search_vocabulary (
  word  text collate "C" primary key,
  latin text not null generated always as (search_latin(word)) stored
);
create index search_vocabulary_latin on search_vocabulary using gin (latin gin_trgm_ops);

-- Every listed content with the values that lists sort and filter by. views, likes and trend are renewed by workers.
create table content_listings (
  content_id   uuid primary key references contents on delete cascade,
  channel_id   uuid not null,
  kind         text not null,
  layout       text not null,
  language     text,
  rating_id    uuid,
  -- The folded title: the order of letters, not of capitals and accents.
  name         text collate "C" not null,
  published_at timestamptz not null,
  duration_ms  bigint not null,
  views        bigint not null default 0,
  likes        bigint not null default 0,
  trend        bigint not null default 0
);
create index content_listings_newest on content_listings (published_at desc, content_id desc);
create index content_listings_kind on content_listings (kind, published_at desc, content_id desc);
create index content_listings_channel on content_listings (channel_id, published_at desc, content_id desc);
create index content_listings_views on content_listings (views desc, content_id desc);
create index content_listings_likes on content_listings (likes desc, content_id desc);
create index content_listings_name on content_listings (name, content_id);
create index content_listings_duration on content_listings (duration_ms desc, content_id desc);
create index content_listings_trend on content_listings (trend desc, published_at desc, content_id desc);

-- keeping them --------------------------------------------------------------------------------------------

create function search_popularity(p_views bigint, p_likes bigint) returns real language sql immutable parallel safe as $$
  select (round(2 * ln((1 + p_views + 10 * p_likes)::float8) / ln(2::float8)) / 2)::real;
$$;

create function search_tags(c contents) returns text[] language sql stable as $$
  select array['kind/' || c.kind, 'channel/' || c.channel_id, 'language/' || split_part(c.language, '-', 1), 'language/' || c.language]
    || array(select 'category/' || category_id from content_categories where content_id = c.id)
    || array(select 'genre/' || genre_id from content_genres where content_id = c.id)
    || array(select distinct 'keyword/' || array_to_string(search_words(k), ' ') from unnest(c.keywords) k);
$$;

-- Makes writers of what belongs to a channel and the renaming of the channel wait for each other, until the end of their transactions. No
-- row of channels is locked for it: nobody who locks channels for other reasons waits here.
create function search_lock_channels(p_channels uuid[], p_renamed boolean) returns void language plpgsql as $$
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

-- Writes what is to be found of these contents. A channel that is being renamed is waited for, so that its contents never keep the
-- old name; the rows are always touched in the same order.
create function search_write_contents(p_ids uuid[]) returns void language plpgsql as $$
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
  insert into content_listings (content_id, channel_id, kind, layout, language, rating_id, name, published_at, duration_ms, views, likes)
  select c.id, c.channel_id, c.kind, c.layout, c.language, c.rating_id, search_fold(c.title), c.published_at, coalesce(c.duration_ms, 0),
         counter_value('content:views', c.id), counter_value('content:likes', c.id)
  from contents c where c.id = any(p_ids) and c.listed order by c.id
  on conflict (content_id) do update set channel_id = excluded.channel_id, kind = excluded.kind, layout = excluded.layout,
    language = excluded.language, rating_id = excluded.rating_id, name = excluded.name, published_at = excluded.published_at,
    duration_ms = excluded.duration_ms;
  perform search_vocabulary_add(p_ids);
end $$;

create function search_write_channels(p_ids uuid[]) returns void language plpgsql as $$
begin
  insert into search_documents (id, kind, channel_id, title, summary, name, words, published_at, popularity)
  select h.id, 'CHANNEL', h.id, h.name, h.summary, array_to_string(search_words(h.name), ' '),
         search_vector(concat_ws(' ', h.name, h.handle, h.title), array_to_string(h.keywords, ' '), concat_ws(' ', h.short_summary, h.summary),
           array['kind/CHANNEL', 'channel/' || h.id] || array(select 'category/' || category_id from channel_categories where channel_id = h.id)),
         h.created_at, search_popularity(counter_value('channel:followers', h.id), 0)
  from channels h where h.id = any(p_ids) order by h.id
  on conflict (id) do update set title = excluded.title, summary = excluded.summary, name = excluded.name, words = excluded.words;
  perform search_vocabulary_add(p_ids);
end $$;

create function search_write_playlists(p_ids uuid[]) returns void language plpgsql as $$
begin
  perform search_lock_channels(array(select distinct channel_id from playlists where id = any(p_ids)), false);
  delete from search_documents d where d.id = any(p_ids) and not exists (select 1 from playlists p where p.id = d.id and p.listed);
  insert into search_documents (id, kind, channel_id, title, summary, name, words, published_at)
  select p.id, 'PLAYLIST', p.channel_id, p.title, p.summary, array_to_string(search_words(p.title), ' '),
         search_vector(p.title, concat_ws(' ', array_to_string(p.keywords, ' '), h.name, h.handle), concat_ws(' ', p.short_summary, p.summary),
           array['kind/PLAYLIST', 'channel/' || p.channel_id]),
         p.created_at
  from playlists p join channels h on h.id = p.channel_id
  where p.id = any(p_ids) and p.listed order by p.id
  on conflict (id) do update set channel_id = excluded.channel_id, title = excluded.title, summary = excluded.summary,
    name = excluded.name, words = excluded.words;
  perform search_vocabulary_add(p_ids);
end $$;

-- Adds the words of these documents to the vocabulary.
create function search_vocabulary_add(p_ids uuid[]) returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct w.lexeme collate "C" from search_documents d, unnest(tsvector_to_array(ts_filter(d.words, '{a,b}'))) w (lexeme)
  where d.id = any(p_ids) and length(w.lexeme) between 3 and 40
    and not exists (select 1 from search_vocabulary v where v.word = w.lexeme collate "C")
  order by 1
  on conflict do nothing;
$$;

create function contents_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows where listed;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.listed or o.listed)
      and (n.listed, n.kind, n.channel_id, n.title, n.summary, n.short_summary, n.keywords, n.layout, n.language, n.rating_id, n.published_at, n.duration_ms)
        is distinct from
          (o.listed, o.kind, o.channel_id, o.title, o.summary, o.short_summary, o.keywords, o.layout, o.language, o.rating_id, o.published_at, o.duration_ms);
  end if;
  if ids is not null then perform search_write_contents(ids); end if;
  return null;
end $$;
create trigger contents_search_insert after insert on contents referencing new table as new_rows for each statement execute function contents_search();
create trigger contents_search_update after update on contents referencing old table as old_rows new table as new_rows for each statement execute function contents_search();

create function search_documents_remove() returns trigger language plpgsql as $$
begin
  delete from search_documents where id in (select id from old_rows);
  return null;
end $$;
create trigger contents_search_delete after delete on contents referencing old table as old_rows for each statement execute function search_documents_remove();

create function playlists_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows where listed;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.listed or o.listed)
      and (n.listed, n.channel_id, n.title, n.summary, n.short_summary, n.keywords)
        is distinct from (o.listed, o.channel_id, o.title, o.summary, o.short_summary, o.keywords);
  end if;
  if ids is not null then perform search_write_playlists(ids); end if;
  return null;
end $$;
create trigger playlists_search_insert after insert on playlists referencing new table as new_rows for each statement execute function playlists_search();
create trigger playlists_search_update after update on playlists referencing old table as old_rows new table as new_rows for each statement execute function playlists_search();
create trigger playlists_search_delete after delete on playlists referencing old table as old_rows for each statement execute function search_documents_remove();

-- Their contents and playlists are found by the names of channels too.
create function channels_search() returns trigger language plpgsql as $$
declare
  changed uuid[];
  renamed uuid[];
begin
  if tg_op = 'INSERT' then
    perform search_write_channels(array(select id from new_rows));
    return null;
  end if;
  select array_agg(n.id), array_agg(n.id) filter (where (n.name, n.handle) is distinct from (o.name, o.handle))
  into changed, renamed from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.handle, n.title, n.summary, n.short_summary, n.keywords)
    is distinct from (o.name, o.handle, o.title, o.summary, o.short_summary, o.keywords);
  if changed is not null then perform search_write_channels(changed); end if;
  if renamed is not null then
    perform search_lock_channels(renamed, true);
    perform search_write_contents(array(select id from contents where channel_id = any(renamed) and listed));
    perform search_write_playlists(array(select id from playlists where channel_id = any(renamed) and listed));
  end if;
  return null;
end $$;
create trigger channels_search_insert after insert on channels referencing new table as new_rows for each statement execute function channels_search();
create trigger channels_search_delete after delete on channels referencing old table as old_rows for each statement execute function search_documents_remove();
create trigger channels_search_update after update on channels referencing old table as old_rows new table as new_rows for each statement execute function channels_search();

-- The lock makes two changes of one content take turns: each writes what both did.
create function content_tags_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct content_id) into ids from new_rows;
  else
    select array_agg(distinct content_id) into ids from old_rows;
  end if;
  if ids is null then return null; end if;
  perform 1 from contents where id = any(ids) order by id for no key update;
  perform search_write_contents(array(select id from contents where id = any(ids) and listed));
  return null;
end $$;
create trigger content_categories_search_insert after insert on content_categories referencing new table as new_rows for each statement execute function content_tags_search();
create trigger content_categories_search_delete after delete on content_categories referencing old table as old_rows for each statement execute function content_tags_search();
create trigger content_genres_search_insert after insert on content_genres referencing new table as new_rows for each statement execute function content_tags_search();
create trigger content_genres_search_delete after delete on content_genres referencing old table as old_rows for each statement execute function content_tags_search();

create function channel_tags_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct channel_id) into ids from new_rows;
  else
    select array_agg(distinct channel_id) into ids from old_rows;
  end if;
  if ids is null then return null; end if;
  perform 1 from channels where id = any(ids) order by id for no key update;
  perform search_write_channels(ids);
  return null;
end $$;
create trigger channel_categories_search_insert after insert on channel_categories referencing new table as new_rows for each statement execute function channel_tags_search();
create trigger channel_categories_search_delete after delete on channel_categories referencing old table as old_rows for each statement execute function channel_tags_search();

-- Writes everything anew.
create function search_rebuild() returns bigint language plpgsql as $$
begin
  lock table search_documents, content_listings, search_vocabulary in share row exclusive mode;
  delete from search_documents;
  delete from search_vocabulary;
  delete from content_listings l where not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  perform search_write_channels(array(select id from channels));
  perform search_write_contents(array(select id from contents where listed));
  perform search_write_playlists(array(select id from playlists where listed));
  return (select count(*) from search_documents);
end $$;

-- searching -----------------------------------------------------------------------------------------------

create type search_hit as (id uuid, score integer, terms text[]);

-- How well a document fits: where the words are, whether the title is or begins with them, and the attention it got.
create function search_score(d search_documents, p_query tsquery, p_name text) returns integer language sql immutable parallel safe as $$
  select round(1000000 * (ts_rank('{0.05, 0.2, 0.5, 1}', d.words, p_query)
    + case when d.name = p_name then 1.0 when starts_with(d.name, p_name || ' ') then 0.5 else 0 end) * (1 + d.popularity / 20))::integer;
$$;

-- What fits p_wanted, ranked by p_query. Of more than 10,000 documents that fit, 10,000 are ranked, and besides them those among
-- the 5,000 documents of most weight.
create function search_ranked(p_wanted tsquery, p_query tsquery, p_name text, p_tags tsquery, p_after timestamptz, p_before timestamptz, p_min_ms bigint, p_max_ms bigint)
returns table (id uuid, score integer) language plpgsql stable rows 1000 as $$
declare
  wanted tsquery := case when p_tags is null then p_wanted else p_wanted && p_tags end;
  ranked bigint;
begin
  return query
    select d.id, search_score(d, p_query, p_name) from search_documents d
    where d.words @@ wanted and (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms)
    limit 10000;
  get diagnostics ranked = row_count;
  if ranked < 10000 then return; end if;
  return query
    select d.id, search_score(d, p_query, p_name)
    from (select * from search_documents n order by n.weight desc, n.id desc limit 5000) d
    where d.words @@ wanted and (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms);
end $$;

-- Known words that differ from this one by a letter, or by two with the same beginning; the nearest first. Numbers are never alike.
create function search_similar(p_word text) returns text[] language sql stable set pg_trgm.similarity_threshold = 0.2 as $$
  select array(
    select v.word from search_vocabulary v cross join lateral (select levenshtein_less_equal(v.word, p_word, 2) as letters) d
    where p_word !~ '[0-9]' and v.latin % search_latin(p_word) and v.word <> p_word
      and (d.letters = 1 or d.letters = 2 and left(v.word, 1) = left(p_word, 1))
    order by d.letters, similarity(v.latin, search_latin(p_word)) desc, v.word limit 5);
$$;

-- What a person who typed p_query looks for: all of the first 12 words, the last of which may be the beginning of one. Where fewer than 10
-- documents have them, also documents with words that are spelled alike, for half the score. terms: the words that were
-- looked for, with a * behind the beginning of one.
create function search_find(p_query text, p_tags tsquery, p_after timestamptz, p_before timestamptz, p_min_ms bigint, p_max_ms bigint)
returns setof search_hit language plpgsql stable rows 1000 as $$
declare
  words text[] := (search_words(p_query))[1:12];
  name text := array_to_string(words, ' ');
  query tsquery;
  wide tsquery;
  part tsquery;
  terms text[] := '{}';
  similar_words text[];
  found bigint;
begin
  for i in 1 .. cardinality(words) loop
    part := format(case when i = cardinality(words) and octet_length(words[i]) > 1 then '''%s'':*' else '''%s''' end, words[i])::tsquery;
    terms := terms || case when i = cardinality(words) and octet_length(words[i]) > 1 then words[i] || '*' else words[i] end;
    query := case when query is null then part else query && part end;
  end loop;
  if query is null then return; end if;
  return query select r.id, r.score, terms from search_ranked(query, query, name, p_tags, p_after, p_before, p_min_ms, p_max_ms) r group by 1, 2;
  get diagnostics found = row_count;
  if found >= 10 then return; end if;

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
  return query select r.id, r.score / 2, terms
    from search_ranked(wide && !!query, wide, name, p_tags, p_after, p_before, p_min_ms, p_max_ms) r group by 1, 2;
end $$;

-- related contents ----------------------------------------------------------------------------------------

-- At most 50 listed contents that somebody who watched this one may want to watch: the episodes around it, what shares its categories,
-- genres and keywords, and what its channel published last. Each of these is read for a bounded number of rows.
create function content_related(p_id uuid) returns table (id uuid, score integer) language sql stable rows 50 as $$
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
      select d.id from search_documents d
      where d.words @@ format('''keyword/%s''', array_to_string(search_words(k), ' '))::tsquery limit 50) x
    union all
    select x.content_id, 60 from self s cross join lateral (
      select l.content_id from content_listings l where l.channel_id = s.channel_id order by l.published_at desc, l.content_id desc limit 30) x)
  select l.content_id, sum(h.points)::integer + round(100 * max(similarity(l.name, search_fold(s.title))))::integer
  from hits h join content_listings l on l.content_id = h.id cross join self s
  where h.id <> p_id
  group by l.content_id order by 2 desc, 1 desc limit 50;
$$;

-- trends and histories ------------------------------------------------------------------------------------

create index likes_recent on likes (created_at, content_id);

-- Scope 'account:history': the contents in an account's history.
create function watch_positions_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select account_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('account:history', r.account_id, r.n);
    end loop;
  else
    for r in select account_id, count(*) as n from old_rows group by 1 order by 1 loop
      perform counter_add('account:history', r.account_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger watch_positions_count_insert after insert on watch_positions referencing new table as new_rows for each statement execute function watch_positions_count();
create trigger watch_positions_count_delete after delete on watch_positions referencing old table as old_rows for each statement execute function watch_positions_count();
insert into counters (scope, key, shard, value) select 'account:history', account_id, 0, count(*) from watch_positions group by 2;

select search_rebuild();

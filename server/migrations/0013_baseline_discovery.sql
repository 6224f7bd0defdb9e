-- Everything that search can find: listed contents, public playlists and channels (ADR 0021).
create table search_documents (
  id uuid primary key,
  -- A kind of content, CHANNEL or PLAYLIST.
  kind text not null,
  -- No foreign key: it would lock the row of the channel after that of the content. Triggers delete the documents.
  channel_id uuid not null,
  title text not null,
  summary text not null,
  -- The words of the title.
  name text not null,
  words tsvector not null,
  published_at timestamptz not null,
  duration_ms bigint,
  -- Binary logarithm of views and likes, or of followers, in half steps.
  popularity real not null default 0,
  -- Twice the attention outweighs three months of age.
  weight double precision not null generated always as (
    popularity + (extract(epoch from published_at - timestamptz '2020-01-01 00:00:00+00') / 7776000)::double precision
  ) stored,
  -- 0 to 4: the 1,000, 3,000, 10,000, 30,000 and 100,000 documents of greatest weight, each tier without the ones
  -- before. 5 to 15: samples of the rest, each as large as all earlier samples together; 15 is half of the rest. A
  -- search reads tier after tier until it has 1,000 hits. New documents are in tier 0 until the next refresh.
  tier smallint not null default 0 check (tier between 0 and 15)
);
create index search_documents_channel on search_documents (channel_id, id);
do $$ begin
  for tier in 0 .. 15 loop
    execute format(
      'create index search_documents_tier%1$s on search_documents using gin (words) where tier = %1$s', tier);
  end loop;
end $$;
create index search_documents_top on search_documents (tier, weight) include (id) where tier < 5;
create index search_documents_weight on search_documents (weight desc, tier);

-- The documents tier after tier. An Append reads its parts in this order and stops once a limit is reached.
do $$ begin
  execute 'create view search_tiers as ' || (
    select string_agg(format('select id, words, name, popularity, published_at, duration_ms from search_documents '
      'where tier = %s', tier), ' union all ' order by tier)
    from generate_series(0, 15) tier);
end $$;

-- Functions of generated columns: a change of one needs a migration that rewrites the column.

-- The word in ASCII letters and digits, so that trigrams of every script work in every locale.
create function search_latin(p_word text) returns text language sql immutable parallel safe as $$
  select string_agg(case when ascii(c) < 128 then c else 'x' || to_hex(ascii(c) % 256) end, '' order by n)
  from regexp_split_to_table(p_word, '') with ordinality s (c, n);
$$;

-- The word itself and the word without each of its letters. Two words that differ by one letter, or by two swapped
-- letters, have one in common.
create function search_deletions(p_word text) returns text[] language sql immutable parallel safe as $$
  select p_word || array(select left(p_word, n - 1) || substr(p_word, n + 1) from generate_series(1, length(p_word)) n);
$$;

-- Words of titles, keywords and names, for spelling correction.
create table search_vocabulary (
  word text collate "C" primary key,
  latin text not null generated always as (search_latin(word)) stored,
  deletions text[] not null generated always as (search_deletions(word)) stored
);
create index search_vocabulary_deletions on search_vocabulary using gin (deletions);
create index search_vocabulary_latin on search_vocabulary using gin (latin gin_trgm_ops);

-- Renamed channels whose documents still contain the old name: those with an id after after_id.
create table search_rename_queue (
  channel_id uuid primary key,
  after_id uuid not null
);

-- Every listed content with the values that lists sort and filter by. Workers refresh views, likes and trend.
create table content_listings (
  content_id uuid primary key references contents on delete cascade,
  channel_id uuid not null,
  kind text not null,
  layout text not null,
  language text,
  rating_id uuid,
  -- The title without case and accents, for sorting.
  name text collate "C" not null,
  published_at timestamptz not null,
  duration_ms bigint not null,
  views bigint not null default 0,
  likes bigint not null default 0,
  trend bigint not null default 0,
  -- The categories and genres of the content.
  term_ids uuid[] not null default '{}'
);
create index content_listings_channel on content_listings (channel_id, published_at desc, content_id desc);
create index content_listings_duration on content_listings (duration_ms desc, content_id desc);
create index content_listings_kind on content_listings (kind, published_at desc, content_id desc);
create index content_listings_likes on content_listings (likes desc, content_id desc);
create index content_listings_name on content_listings (name, content_id);
create index content_listings_newest on content_listings (published_at desc, content_id desc);
create index content_listings_trend on content_listings (trend desc, published_at desc, content_id desc);
create index content_listings_views on content_listings (views desc, content_id desc);
-- For the planner: see events in 0001_baseline_platform.sql.
alter table content_listings alter column channel_id set (n_distinct = -0.001);

-- One row per listing and assigned category or genre, so that a page of a category reads one index range. Other columns
-- as in content_listings.
create table content_listing_terms (
  content_id uuid not null references content_listings (content_id) on delete cascade,
  -- A category or a genre.
  term_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  layout text not null,
  language text,
  rating_id uuid,
  name text collate "C" not null,
  published_at timestamptz not null,
  duration_ms bigint not null,
  views bigint not null,
  likes bigint not null,
  trend bigint not null,
  primary key (content_id, term_id)
);
create index content_listing_terms_duration on content_listing_terms (term_id, duration_ms desc, content_id desc);
create index content_listing_terms_likes on content_listing_terms (term_id, likes desc, content_id desc);
create index content_listing_terms_name on content_listing_terms (term_id, name, content_id);
create index content_listing_terms_newest on content_listing_terms (term_id, published_at desc, content_id desc);
create index content_listing_terms_trend on content_listing_terms
  (term_id, trend desc, published_at desc, content_id desc);
create index content_listing_terms_views on content_listing_terms (term_id, views desc, content_id desc);
alter table content_listing_terms alter column term_id set (n_distinct = -0.001);

-- Contents and channels whose views, likes or followers changed since the lists were last refreshed. Append-only and
-- with duplicates: concurrent likes of one content do not wait for each other.
create table stats_dirty_queue (
  -- A content or a channel.
  id uuid not null,
  -- For likes: the day on which they were given and the change of their number.
  day date,
  likes bigint
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1
);

-- Likes of the last days by the UTC day on which they were given. Workers sum them up from stats_dirty_queue. An unlike
-- counts on the day of the like.
create table likes_daily (
  day date not null,
  content_id uuid not null,
  likes bigint not null,
  primary key (day, content_id)
);

-- How far, in the order of (day, content_id), contents were queued again because a day left the trend window.
create table trend_decay_cursor (
  singleton boolean default true primary key check (singleton),
  day date not null,
  content_id uuid not null
);

-- A search hit. terms: the words that were searched for, with a * after the prefix of a word.
create type search_hit as (id uuid, score integer, terms text[]);

insert into trend_decay_cursor (day, content_id)
values ((now() at time zone 'UTC')::date - 8, '00000000-0000-0000-0000-000000000000');

-- Generated from the migrations by npm run gen.

create extension citext;

create extension fuzzystrmatch;

create extension pg_trgm;

create type search_hit as (id uuid, score integer, terms text[]);

CREATE OR REPLACE FUNCTION public.content_test_position(p_test uuid, p_viewer uuid, p_variants integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select ((get_byte(h, 0) * 16777216::bigint + get_byte(h, 1) * 65536 + get_byte(h, 2) * 256 + get_byte(h, 3))
    * p_variants / 4294967296)::integer
  from (select sha256(uuid_send(p_test) || uuid_send(p_viewer)) as h) d;
$function$
;

CREATE OR REPLACE FUNCTION public.image_bytes(variants jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum((v ->> 'sizeBytes')::bigint), 0)::bigint from jsonb_array_elements(variants) v;
$function$
;

CREATE OR REPLACE FUNCTION public.in_json(value anyelement)
 RETURNS anyelement
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select value;
$function$
;

CREATE OR REPLACE FUNCTION public.in_json(value date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select value;
$function$
;

CREATE OR REPLACE FUNCTION public.in_json(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select value;
$function$
;

CREATE OR REPLACE FUNCTION public.in_json(value timestamp without time zone)
 RETURNS timestamp without time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select value;
$function$
;

CREATE OR REPLACE FUNCTION public.next_15min(p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select to_timestamp(ceil(extract(epoch from p_at) / 900) * 900);
$function$
;

CREATE OR REPLACE FUNCTION public.search_deletions(p_word text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_word || array(select left(p_word, n - 1) || substr(p_word, n + 1) from generate_series(1, length(p_word)) n);
$function$
;

CREATE OR REPLACE FUNCTION public.search_fold(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select normalize(translate(replace(replace(replace(casefold(
    regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g')
    collate "pg_unicode_fast"), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđħı', 'oldhi'), NFKC);
$function$
;

CREATE OR REPLACE FUNCTION public.search_latin(p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select string_agg(case when ascii(c) < 128 then c else 'x' || to_hex(ascii(c) % 256) end, '' order by n)
  from regexp_split_to_table(p_word, '') with ordinality s (c, n);
$function$
;

CREATE OR REPLACE FUNCTION public.search_popularity(p_views bigint, p_likes bigint)
 RETURNS real
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (round(2 * ln((1 + p_views + 10 * p_likes)::float8) / ln(2::float8)) / 2)::real;
$function$
;

CREATE OR REPLACE FUNCTION public.search_rank_score(p_words tsvector, p_title text, p_popularity real, p_query tsquery, p_name text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select round(1000000 * (ts_rank('{0.05, 0.2, 0.5, 1}', p_words, p_query)
    + case when p_title = p_name then 1.0 when starts_with(p_title, p_name || ' ') then 0.5
      else 0 end) * (1 + p_popularity / 20))::integer;
$function$
;

CREATE OR REPLACE FUNCTION public.search_sample_tier(p_id uuid)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 5 + length(ltrim((uuid_hash(p_id) & 1023)::bit(10)::text, '0'));
$function$
;

CREATE OR REPLACE FUNCTION public.search_similarity_threshold(p_letters integer)
 RETURNS real
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select greatest(0.2, (p_letters - 5)::real / (p_letters + 8))::real;
$function$
;

CREATE OR REPLACE FUNCTION public.search_vector(p_a text, p_b text, p_c text, p_tags text[])
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(string_agg(lexeme, ' '), '')::tsvector from (
    select format('''%s'':%sA ''title/%s''', word, least(n, 16383), word) from unnest(search_words(p_a))
      with ordinality w (word, n)
    union all select format('''%s'':%sB', word, least(n, 16383)) from unnest(search_words(p_b)) with ordinality w (word,
      n)
    union all select format('''%s'':%sC', word, least(n, 16383)) from unnest(search_words(p_c)) with ordinality w (word,
      n)
    union all select format('''%s''', tag) from unnest(p_tags) tag where tag is not null) l (lexeme);
$function$
;

CREATE OR REPLACE FUNCTION public.search_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(left(m[1], 60) order by n), '{}')
  from regexp_matches(
    regexp_replace(search_fold(p_text),
      '([\u2600-\u27bf\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f300-\U0001faff])',
        ' \1 ', 'g')
      collate "pg_unicode_fast",
    '[[:alnum:]]+|[\u2600-\u27bf\U0001f300-\U0001faff]', 'g') with ordinality as w (m, n);
$function$
;

CREATE OR REPLACE FUNCTION public.trend_score(p_points double precision, p_day date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when p_points > 0 then round((ln(p_points) / ln(2::float8) + (p_day - date '2020-01-01')) *
    1000000000)::bigint else 0 end;
$function$
;

create table account_archives (
  id uuid not null,
  account_id uuid not null,
  status text not null default 'QUEUED'::text,
  attempt integer not null default 0,
  object_key text,
  size_bytes bigint,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone
);

create table account_settings (
  account_id uuid not null,
  do_not_track boolean not null default false,
  keep_history boolean not null default true,
  language text not null default 'en'::text,
  updated_at timestamp with time zone not null default now(),
  notifications_off text[] not null default '{}'::text[],
  notifications_mailed text[] not null default '{}'::text[],
  revision integer not null default 1
);

create table accounts (
  id uuid not null,
  email citext not null,
  email_verified boolean not null default false,
  name text not null,
  image text,
  username citext not null,
  primary_channel_id uuid not null default gen_random_uuid(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  is_operator boolean not null default false,
  invitation_id uuid,
  two_factor_enabled boolean not null default false,
  suspended_at timestamp with time zone,
  suspension_reason text,
  closed_at timestamp with time zone,
  deletes_at timestamp with time zone,
  concealed_at timestamp with time zone,
  revealing_from timestamp with time zone,
  profile_revision integer not null default 1
);

create table api_key_audit_log (
  account_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  via text not null,
  agent text not null,
  operation text not null,
  subject text,
  outcome text not null,
  token text
);

create table api_key_usage (
  id uuid not null,
  account_id uuid not null,
  limit_name text not null,
  amount double precision not null,
  at timestamp with time zone not null
);

create table api_key_usage_limits (
  account_id uuid not null,
  deletes_per_day integer,
  publishes_per_hour integer,
  processing_minutes_per_day integer,
  updated_at timestamp with time zone not null,
  revision integer not null default 1
);

create table api_keys (
  account_id uuid not null,
  id uuid not null,
  lookup_hash bytea not null,
  sealed bytea not null,
  hint text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone
);

create table api_tokens (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  lookup_hash bytea not null,
  hint text not null,
  permissions text[] not null,
  channel_ids uuid[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  is_test boolean not null default false
);

create table arriving_segments (
  video_asset_id uuid not null,
  number integer not null,
  init smallint not null,
  is_discontinuity boolean not null,
  video_seconds double precision not null,
  audio_seconds double precision,
  bytes integer not null
);

create table arriving_videos (
  video_asset_id uuid not null,
  ingestion_id uuid not null,
  has_published boolean not null,
  stored_at timestamp with time zone not null
);

create table attempt_counters (
  kind text not null,
  subject bytea not null,
  attempts integer not null,
  blocked_until timestamp with time zone not null,
  expires_at timestamp with time zone not null
);

create table broadcast_charges (
  broadcast_id uuid not null,
  account_id uuid not null,
  month date not null,
  duration_ms bigint not null
);

create table broadcast_segments (
  broadcast_id uuid not null,
  number integer not null,
  init smallint not null,
  is_discontinuity boolean not null,
  start_ticks bigint not null,
  video_duration integer not null,
  video_bytes integer not null,
  audio_duration integer not null,
  audio_bytes integer not null,
  arrived_at timestamp with time zone not null,
  video_shift integer not null default 0,
  audio_start bigint
);

create table broadcast_track_segments (
  broadcast_id uuid not null,
  track text not null,
  number integer not null,
  bytes integer not null
);

create table broadcasts (
  id uuid not null,
  input_id uuid,
  channel_id uuid not null,
  state text not null,
  content_id uuid,
  video_asset_id uuid,
  latency text not null,
  recording text not null,
  reconnect_window_ms integer not null,
  connected_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  recorded_at timestamp with time zone,
  connection_id uuid,
  heartbeat_at timestamp with time zone,
  reconnect_until timestamp with time zone,
  health jsonb,
  missing_ms integer not null default 0,
  node text,
  pictured_at timestamp with time zone,
  scheduled_at timestamp with time zone,
  end_reason text,
  start_mode text not null default 'AUTOMATIC'::text,
  start_requested_at timestamp with time zone
);

create table caption_jobs (
  job_id uuid not null,
  content_id uuid not null,
  kind text not null,
  language text,
  source_id uuid,
  captions_id uuid,
  receipt jsonb
);

create table caption_parts (
  job_id uuid not null,
  number integer not null,
  result jsonb not null
);

create table captions (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid not null,
  language text not null,
  label text not null,
  kind text not null,
  is_default boolean not null default false,
  vtt text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  video_asset_id uuid,
  is_forced boolean not null default false,
  automatic text,
  spoken_in uuid,
  revision integer not null default 1
);

create table categories (
  id uuid not null,
  slug text not null,
  name text not null,
  description text not null,
  created_at timestamp with time zone not null default now()
);

create table channel_15min (
  channel_id uuid not null,
  at timestamp with time zone not null,
  views bigint not null default 0,
  plays bigint not null default 0,
  watch_ms bigint not null default 0,
  starts bigint not null default 0,
  startups bigint not null default 0,
  startup_ms bigint not null default 0,
  rebuffers bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors bigint not null default 0,
  completes bigint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0
);

create table channel_blocks (
  id uuid not null,
  channel_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone not null
);

create table channel_categories (
  channel_id uuid not null,
  category_id uuid not null,
  "position" smallint not null
);

create table channel_ids (
  id uuid not null,
  deleted_at timestamp with time zone
);

create table channel_invitations (
  id uuid not null,
  channel_id uuid not null,
  role text not null,
  account_id uuid,
  email citext,
  token_hash bytea not null,
  invited_by uuid,
  state text not null default 'PENDING'::text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone
);

create table channel_members (
  channel_id uuid not null,
  account_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  id uuid not null default uuidv7()
);

create table channel_moderation (
  channel_id uuid not null,
  blocked_words text[] not null default '{}'::text[],
  hold_links boolean not null default false,
  updated_at timestamp with time zone not null,
  revision integer not null default 1
);

create table channels (
  id uuid not null,
  account_id uuid not null,
  handle citext not null,
  name text not null,
  title text not null,
  summary text not null default ''::text,
  short_summary text not null default ''::text,
  keywords text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  time_zone text not null default 'UTC'::text,
  website_url text,
  keep_originals boolean not null default true,
  encrypt_private_videos boolean not null default false,
  encode_av1 boolean not null default false,
  encode_hevc boolean not null default false,
  prefer_enhanced boolean not null default false,
  is_test boolean not null default false,
  is_hidden boolean not null default false,
  revision integer not null default 1
);

create table chat_messages (
  id uuid not null,
  content_id uuid not null,
  channel_id uuid not null,
  account_id uuid not null,
  body text not null,
  status text not null,
  held_for text,
  version bigint not null,
  position_ms integer,
  created_at timestamp with time zone not null
);

create table chat_rate_limits (
  content_id uuid not null,
  account_id uuid not null,
  window_at timestamp with time zone not null,
  used integer not null,
  last_at timestamp with time zone not null
);

create table chat_timeouts (
  channel_id uuid not null,
  account_id uuid not null,
  ends_at timestamp with time zone not null
);

create table chats (
  id uuid not null,
  mode text not null default 'EVERYONE'::text,
  slow_mode_ms integer not null default 0,
  is_open boolean not null default true,
  version bigint not null default 0,
  pinned_id uuid,
  updated_at timestamp with time zone not null,
  revision integer not null default 1
);

create table comment_edits (
  id uuid not null,
  comment_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null
);

create table comment_likes (
  comment_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone not null
);

create table comment_mentions (
  comment_id uuid not null,
  account_id uuid not null
);

create table comment_rate_limits (
  account_id uuid not null,
  channel_id uuid not null,
  window_at timestamp with time zone not null,
  used integer not null
);

create table comments (
  id uuid not null,
  content_id uuid not null,
  channel_id uuid not null,
  parent_id uuid,
  root_id uuid,
  depth integer not null default 0,
  account_id uuid,
  body text not null,
  status text not null default 'PUBLISHED'::text,
  held_for text,
  pin smallint not null default 0,
  hearted boolean not null default false,
  likes_count bigint not null default 0,
  placeholder boolean not null default false,
  created_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  listed boolean not null generated always as ((((status = 'PUBLISHED'::text) AND (deleted_at IS NULL)) OR placeholder)) stored,
  taken_down_at timestamp with time zone
);

create table concealed_playlists (
  playlist_id uuid not null,
  visibility text not null
);

create table content_categories (
  content_id uuid not null,
  category_id uuid not null,
  "position" smallint not null
);

create table content_daily (
  content_id uuid not null,
  channel_id uuid not null,
  day date not null,
  views bigint not null default 0,
  plays bigint not null default 0,
  watch_ms bigint not null default 0,
  starts bigint not null default 0,
  startups bigint not null default 0,
  startup_ms bigint not null default 0,
  rebuffers bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors bigint not null default 0,
  completes bigint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0
);

create table content_forecasts (
  content_id uuid not null,
  age smallint not null,
  made_at timestamp with time zone not null,
  model_version integer,
  model_trained_at timestamp with time zone,
  steps jsonb not null,
  totals jsonb not null,
  daily jsonb not null
);

create table content_genres (
  content_id uuid not null,
  genre_id uuid not null,
  "position" smallint not null
);

create table content_listing_terms (
  content_id uuid not null,
  term_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  layout text not null,
  language text,
  rating_id uuid,
  name text collate "C" not null,
  published_at timestamp with time zone not null,
  duration_ms bigint not null,
  views bigint not null,
  likes bigint not null,
  trend bigint not null
);

create table content_listings (
  content_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  layout text not null,
  language text,
  rating_id uuid,
  name text collate "C" not null,
  published_at timestamp with time zone not null,
  duration_ms bigint not null,
  views bigint not null default 0,
  likes bigint not null default 0,
  trend bigint not null default 0,
  term_ids uuid[] not null default '{}'::uuid[]
);

create table content_retention (
  content_id uuid not null,
  second integer not null,
  change bigint not null
);

create table content_rises (
  content_id uuid not null,
  day smallint not null,
  rising boolean not null
);

create table content_shares (
  id uuid not null,
  content_id uuid not null,
  channel_id uuid not null,
  account_id uuid,
  email citext,
  created_by uuid,
  created_at timestamp with time zone not null
);

create table content_test_variants (
  id uuid not null,
  test_id uuid not null,
  "position" smallint not null,
  title text not null,
  image_id uuid,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  viewers bigint not null default 0
);

create table content_test_viewers (
  test_id uuid not null,
  viewer uuid not null
);

create table content_tests (
  id uuid not null,
  content_id uuid not null,
  state text not null default 'RUNNING'::text,
  end_reason text,
  variants smallint not null,
  apply_winner boolean not null,
  min_days smallint not null,
  max_days smallint not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  winner smallint,
  applied smallint,
  applied_at timestamp with time zone
);

create table content_views (
  content_id uuid not null,
  channel_id uuid not null,
  viewer uuid not null,
  at timestamp with time zone not null,
  country text not null,
  device text not null,
  os text not null,
  browser text not null,
  source text not null default 'DIRECT'::text
);

create table contents (
  id uuid not null,
  channel_id uuid not null,
  kind text not null,
  status text not null default 'DRAFT'::text,
  visibility text not null default 'PUBLIC'::text,
  title text not null,
  summary text not null default ''::text,
  short_summary text not null default ''::text,
  keywords text[] not null default '{}'::text[],
  layout text not null default 'LANDSCAPE'::text,
  duration_ms bigint,
  publish_when_ready boolean not null default false,
  release_at timestamp with time zone,
  published_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  listed boolean not null generated always as (((status = 'PUBLISHED'::text) AND (visibility = 'PUBLIC'::text) AND (deleted_at IS NULL) AND (taken_down_at IS NULL) AND (parent_effective_visibility = 'PUBLIC'::text))) stored,
  parent_id uuid,
  number integer,
  rating_id uuid,
  language text,
  is_premiere boolean not null default false,
  is_finale boolean not null default false,
  note text not null default ''::text,
  parent_effective_visibility text not null default 'PUBLIC'::text,
  effective_visibility text not null generated always as (
CASE
    WHEN ((status <> 'PUBLISHED'::text) OR (visibility = 'PRIVATE'::text) OR (deleted_at IS NOT NULL) OR (taken_down_at IS NOT NULL) OR (parent_effective_visibility = 'PRIVATE'::text)) THEN 'PRIVATE'::text
    WHEN ((visibility = 'UNLISTED'::text) OR (parent_effective_visibility = 'UNLISTED'::text)) THEN 'UNLISTED'::text
    ELSE 'PUBLIC'::text
END) stored,
  trashed_with uuid,
  chapters jsonb,
  comment_mode text not null default 'ENABLED'::text,
  poster_request_id uuid,
  allow_download boolean not null default false,
  enhance_when_ready boolean not null default false,
  has_running_test boolean not null default false,
  contains_ads text,
  short_code text collate "C" not null default translate("left"(encode((substr(uuid_send(gen_random_uuid()), 10) || substr(uuid_send(gen_random_uuid()), 1, 2)), 'base64'::text), 11), '+/'::text, '-_'::text),
  taken_down_at timestamp with time zone,
  takedown_reason text,
  clipped_from uuid,
  clip_start_ms bigint,
  clip_end_ms bigint,
  revision integer not null default 1
);

create table counters (
  scope text not null,
  key uuid not null,
  shard smallint not null,
  value bigint not null default 0
) with (fillfactor=70);

create table credentials (
  id uuid not null,
  account_id uuid not null,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table data_export_parts (
  export_id uuid not null,
  number integer not null,
  object_key text not null,
  lines integer not null,
  start_byte bigint not null,
  size_bytes integer not null,
  stored_bytes integer not null
);

create table data_exports (
  id uuid not null,
  account_id uuid not null,
  credential_kind text not null,
  credential_id text not null,
  name text not null,
  query text not null,
  variables json not null,
  status text not null default 'QUEUED'::text,
  attempt integer not null default 0,
  "position" json not null,
  parts integer not null default 0,
  object_count bigint not null default 0,
  size_bytes bigint not null default 0,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  error_text jsonb
);

create table email_confirmations (
  token_hash bytea not null,
  account_id uuid not null,
  email citext not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null
);

create table encode_chunks (
  job_id uuid not null,
  kind text not null,
  number integer not null,
  chunk jsonb not null,
  state text not null default 'WAITING'::text,
  attempts smallint not null default 0,
  available_at timestamp with time zone not null default now(),
  cost_ms integer not null,
  progress real not null default 0,
  result jsonb,
  encoded_bytes bigint not null default 0,
  refusals smallint not null default 0,
  started_at timestamp with time zone,
  cpu_ms integer,
  wanted_at timestamp with time zone,
  is_sample boolean not null default false,
  failures smallint not null default 0
);

create table encode_plans (
  job_id uuid not null,
  attempt smallint not null,
  account_id uuid not null,
  plan jsonb not null,
  mime_type text not null,
  max_bytes bigint not null,
  created_at timestamp with time zone not null default now(),
  finish_cost_ms integer not null,
  remuxed_key text,
  source_tag text,
  folder text
);

create table encode_speeds (
  kind text not null,
  cost_ms double precision not null,
  cpu_ms double precision not null,
  wall_ms double precision not null,
  peak_bytes double precision not null,
  bytes double precision not null
);

create table encode_workers (
  id uuid not null,
  lanes smallint not null,
  seen_at timestamp with time zone not null default now()
);

create table encoded_videos (
  video_asset_id uuid not null,
  plan jsonb not null,
  source_tag text not null
);

create table enhancements (
  video_asset_id uuid not null,
  job_id uuid not null,
  receipt jsonb,
  folder text,
  stored_bytes bigint,
  stored_files integer,
  kind text not null,
  input jsonb not null default '{}'::jsonb
);

create table event_cursors (
  consumer text not null,
  xact xid8 not null default '0'::xid8,
  event_id bigint not null default 0,
  failures smallint not null default 0,
  retry_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  updated_at timestamp with time zone not null default now()
);

create table event_failures (
  consumer text not null,
  event_id bigint not null,
  error text not null,
  created_at timestamp with time zone not null default now()
);

create table events (
  id bigint not null generated always as identity,
  xact xid8 not null default pg_current_xact_id(),
  type text not null,
  channel_id uuid,
  subject_id uuid not null,
  payload jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  uid uuid generated always as ((('00000000-0000-8000-8000-'::text || lpad(to_hex(id), 12, '0'::text)))::uuid) stored
);

create table follow_changes (
  id bigint not null generated always as identity,
  channel_id uuid not null,
  account_id uuid not null,
  delta smallint not null,
  created_at timestamp with time zone not null
);

create table follows (
  channel_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone not null
);

create table forecast_models (
  id uuid not null,
  version integer not null,
  trained_at timestamp with time zone not null,
  held_out_loss double precision,
  parameters jsonb not null
);

create table forecast_trainings (
  singleton boolean not null default true,
  started_at timestamp with time zone not null
);

create table generation_charges (
  job_id uuid not null,
  account_id uuid not null,
  month date not null,
  credits integer not null
);

create table genres (
  id uuid not null,
  slug text not null,
  name text not null
);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  state text not null default 'RUNNING'::text,
  token uuid not null,
  lease_until timestamp with time zone not null,
  committed boolean not null default false,
  response bytea,
  created_at timestamp with time zone not null
);

create table image_assets (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid,
  purpose text not null,
  alt text not null default ''::text,
  width integer not null,
  height integer not null,
  mime_type text not null,
  size_bytes bigint not null,
  object_prefix text not null,
  variants jsonb not null,
  dominant_color text not null,
  blurhash text not null,
  created_at timestamp with time zone not null default now(),
  playlist_id uuid,
  is_test boolean not null default false,
  video_asset_id uuid
);

create table image_features (
  image_id uuid not null,
  measured_at timestamp with time zone not null,
  brightness double precision,
  contrast double precision,
  colourfulness double precision,
  sharpness double precision
);

create table ingestions (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid,
  media_kind text not null,
  hint text not null,
  alt text not null default ''::text,
  filename text not null,
  filetype text not null,
  asset_name text not null,
  size_bytes bigint not null,
  received_bytes bigint not null default 0,
  state text not null default 'OPEN'::text,
  auto_process boolean not null default false,
  object_key text not null,
  error_code text,
  error_message text,
  expires_at timestamp with time zone not null,
  lock_owner uuid,
  locked_until timestamp with time zone,
  lock_requested boolean not null default false,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  playlist_id uuid,
  reserved_until timestamp with time zone not null default (now() + '01:00:00'::interval),
  reserved_at_bytes bigint not null default 0,
  upload_metadata text,
  drafted boolean not null default false,
  size_deferred boolean not null default false,
  error_text jsonb,
  is_partial boolean not null default false,
  upload_concat text,
  final_id uuid,
  final_position smallint,
  terminated_at timestamp with time zone
);

create table instance_logo (
  singleton boolean not null default true,
  png bytea not null,
  width integer not null,
  height integer not null,
  digest text not null,
  changed_at timestamp with time zone not null
);

create table instance_settings (
  singleton boolean not null default true,
  name text,
  sign_up text,
  terms_url text,
  privacy_url text,
  updated_at timestamp with time zone not null,
  features_off text[] not null default '{}'::text[],
  plan_quotas jsonb not null default '{}'::jsonb,
  accent_color text,
  revision integer not null default 1
);

create table instance_texts (
  kind text not null,
  markdown text not null,
  changed_at timestamp with time zone not null
);

create table interrupted_work (
  work text not null,
  subject uuid,
  interruptions integer not null,
  deaths integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  state text not null
);

create table invitations (
  id uuid not null,
  code_hash bytea not null,
  email citext,
  note text not null default ''::text,
  created_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  used_at timestamp with time zone
);

create table known_browsers (
  account_id uuid not null,
  browser_hash bytea not null,
  seen_at timestamp with time zone not null
);

create table likes (
  content_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone not null
);

create table likes_daily (
  day date not null,
  content_id uuid not null,
  likes bigint not null
);

create table live_inputs (
  id uuid not null,
  channel_id uuid not null,
  name text not null,
  stream_key bytea not null,
  stream_key_hash bytea not null,
  latency text not null default 'LOW'::text,
  recording text not null default 'ALL'::text,
  visibility text not null default 'PRIVATE'::text,
  reconnect_window_ms integer not null default 60000,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  revision integer not null default 1,
  refused_until timestamp with time zone,
  last_attempt_at timestamp with time zone,
  refused_at timestamp with time zone,
  error_message text,
  error_text jsonb,
  srt boolean not null default false,
  srt_port integer,
  srt_passphrase bytea,
  start_mode text not null default 'AUTOMATIC'::text,
  chat_mode text not null default 'EVERYONE'::text,
  chat_slow_mode_ms integer not null default 0
);

create table media_indexes (
  video_asset_id uuid not null,
  key_prefix text not null,
  is_remuxed boolean not null,
  stored_bytes bigint not null,
  stored_files integer not null
);

create unlogged table message_bus (
  address text not null,
  message text not null,
  posted_at timestamp with time zone not null
);

create table notifications (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  content_id uuid,
  comment_id uuid,
  in_page boolean not null,
  mail_due boolean not null default false,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  invitation_id uuid
);

create table oauth_access_tokens (
  id uuid not null,
  token text not null,
  client_id text not null,
  session_id uuid,
  account_id uuid not null,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  refresh_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  revoked timestamp with time zone,
  confirmation jsonb,
  scopes jsonb not null
);

create table oauth_client_assertions (
  id text not null,
  expires_at timestamp with time zone not null
);

create table oauth_client_resources (
  id uuid not null,
  client_id text not null,
  resource_id text not null,
  metadata jsonb,
  created_at timestamp with time zone not null default now()
);

create table oauth_clients (
  id uuid not null,
  client_id text not null,
  client_secret text,
  client_discovery_id text,
  disabled boolean not null default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes jsonb,
  client_credentials_scopes jsonb,
  account_id uuid,
  name text,
  uri text,
  icon text,
  contacts jsonb,
  tos text,
  policy text,
  software_id text,
  software_version text,
  software_statement text,
  redirect_uris jsonb not null,
  post_logout_redirect_uris jsonb,
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method text,
  application_type text,
  jwks text,
  jwks_uri text,
  grant_types jsonb,
  response_types jsonb,
  require_pkce boolean,
  dpop_bound_access_tokens boolean,
  reference_id text,
  metadata jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table oauth_consents (
  id uuid not null,
  client_id text not null,
  account_id uuid not null,
  reference_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

create table oauth_refresh_tokens (
  id uuid not null,
  token text not null,
  client_id text not null,
  session_id uuid,
  account_id uuid not null,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  revoked timestamp with time zone,
  rotated_at timestamp with time zone,
  rotation_replay_response text,
  rotation_replay_expires_at timestamp with time zone,
  auth_time timestamp with time zone,
  confirmation jsonb,
  scopes jsonb not null
);

create table oauth_resources (
  id uuid not null,
  identifier text not null,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes jsonb,
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean not null default false,
  disabled boolean not null default false,
  policy_version integer not null default 1,
  metadata jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table object_purges (
  id bigint not null generated always as identity,
  key_prefix text not null,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now()
);

create table oidc_grants (
  account_id uuid not null,
  issuer text not null,
  is_operator boolean not null,
  paused boolean not null,
  plan text,
  confirmed_at timestamp with time zone not null
);

create table oidc_logout_tokens (
  issuer text not null,
  token_id text not null,
  expires_at timestamp with time zone not null
);

create table oidc_sessions (
  session_id uuid not null,
  account_id uuid not null,
  issuer text not null,
  subject text not null,
  provider_session text,
  sealed_tokens bytea not null,
  created_at timestamp with time zone not null,
  checked_at timestamp with time zone not null
);

create table operator_actions (
  id uuid not null,
  at timestamp with time zone not null,
  operator_id uuid,
  operator_name text not null,
  action text not null,
  account_id uuid,
  subject text not null,
  details text not null default ''::text,
  details_text jsonb
);

create table operator_codes (
  code_hash bytea not null,
  expires_at timestamp with time zone not null
);

create table passkeys (
  id uuid not null,
  account_id uuid not null,
  name text,
  credential_id text not null,
  public_key text not null,
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamp with time zone not null
);

create table password_resets (
  token_hash bytea not null,
  account_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null
);

create table payment_customers (
  account_id uuid not null,
  customer_id text not null,
  subscription_id text,
  created_at timestamp with time zone not null
);

create table payment_events (
  id text not null,
  type text not null,
  received_at timestamp with time zone not null
);

create table pending_sign_ups (
  token_hash bytea not null,
  email citext not null,
  username citext not null,
  name text not null,
  password_hash text not null,
  invitation_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null
);

create table platform_metadata (
  name text not null,
  value text not null
);

create table playlist_items (
  id uuid not null,
  playlist_id uuid not null,
  content_id uuid not null,
  "position" text collate "C" not null,
  open boolean not null,
  created_at timestamp with time zone not null default now()
);

create table playlists (
  id uuid not null,
  channel_id uuid not null,
  title text not null,
  summary text not null default ''::text,
  short_summary text not null default ''::text,
  keywords text[] not null default '{}'::text[],
  visibility text not null default 'PUBLIC'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  listed boolean not null generated always as (((visibility = 'PUBLIC'::text) AND (NOT is_test))) stored,
  is_test boolean not null default false,
  open boolean not null generated always as (((visibility <> 'PRIVATE'::text) AND (NOT is_test))) stored,
  revision integer not null default 1,
  items_changed_at timestamp with time zone
);

create table ratings (
  id uuid not null,
  "position" smallint not null,
  system text not null,
  code text not null,
  description text not null,
  minimum_age smallint
);

create table rendition_outputs (
  video_asset_id uuid not null,
  folder text not null,
  init text not null,
  outputs jsonb not null
);

create table renditions (
  video_asset_id uuid not null,
  folder text not null,
  kind text not null,
  origin text not null,
  "position" smallint not null,
  codecs text not null,
  peak_bps bigint not null,
  average_bps bigint not null,
  label text,
  width integer,
  height integer,
  frame_rate text,
  iframe_peak_bps bigint,
  iframe_average_bps bigint,
  track smallint,
  name text,
  language text,
  channels smallint,
  sample_rate integer,
  is_default boolean,
  timescale integer not null,
  durations jsonb not null,
  state text not null default 'STORED'::text,
  on_demand_peak_bps bigint,
  upmix boolean,
  enhanced boolean
);

create table reports (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid,
  comment_id uuid,
  subject_id uuid not null,
  account_id uuid,
  reason text not null,
  note text not null default ''::text,
  status text not null default 'OPEN'::text,
  resolved_by uuid,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  chat_message_id uuid
);

create table resource_subscriptions (
  session text not null,
  uri text not null,
  expires_at timestamp with time zone not null
);

create table schema_migrations (
  name text not null,
  digest text not null,
  applied_at timestamp with time zone not null default now()
);

create table search_documents (
  id uuid not null,
  kind text not null,
  channel_id uuid not null,
  title text not null,
  summary text not null,
  name text not null,
  words tsvector not null,
  published_at timestamp with time zone not null,
  duration_ms bigint,
  popularity real not null default 0,
  weight double precision not null generated always as ((popularity + ((EXTRACT(epoch FROM (published_at - '2020-01-01 00:00:00+00'::timestamp with time zone)) / (7776000)::numeric))::double precision)) stored,
  tier smallint not null default 0
);

create table search_rename_queue (
  channel_id uuid not null,
  after_id uuid not null
);

create table search_vocabulary (
  word text collate "C" not null,
  latin text not null generated always as (search_latin(word)) stored,
  deletions text[] not null generated always as (search_deletions(word)) stored
);

create table sessions (
  id uuid not null,
  account_id uuid not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table share_links (
  id uuid not null,
  content_id uuid not null,
  channel_id uuid not null,
  name text not null default ''::text,
  token_hash bytea not null,
  password_hash text,
  expires_at timestamp with time zone,
  max_uses integer,
  uses integer not null default 0,
  created_by uuid,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone
);

create table signing_keys (
  id uuid not null,
  channel_id uuid not null,
  description text not null default ''::text,
  algorithm text not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone
);

create table simulcast_targets (
  id uuid not null,
  input_id uuid not null,
  name text not null,
  url text not null,
  stream_key bytea not null,
  is_enabled boolean not null default true,
  state text,
  connection_id uuid,
  error_message text,
  error_text jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  revision integer not null default 1
);

create table sound_segments (
  video_asset_id uuid not null,
  number integer not null,
  state text not null default 'WAITING'::text,
  attempts integer not null default 0,
  failures smallint not null default 0,
  available_at timestamp with time zone not null default now(),
  wanted_at timestamp with time zone not null default now()
);

create table stats_dirty_queue (
  id uuid not null,
  day date,
  likes bigint
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_insert_threshold=-1);

create table subscriptions (
  account_id uuid not null,
  plan text not null default 'FREE'::text,
  billing_interval text not null default 'MONTHLY'::text,
  state text not null default 'ACTIVE'::text,
  bill_at timestamp with time zone,
  ends_at timestamp with time zone,
  canceled_at timestamp with time zone,
  past_due_at timestamp with time zone,
  trial_started_at timestamp with time zone,
  trial_ends_at timestamp with time zone,
  trial_converted boolean not null default false,
  access_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  key_limited boolean not null default false
);

create table transcode_jobs (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid not null,
  video_asset_id uuid,
  status text not null default 'QUEUED'::text,
  progress smallint not null default 0,
  deployed boolean not null default false,
  attempts smallint not null default 0,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  reserved_bytes bigint not null default 0,
  purpose text not null default 'PROCESS'::text,
  priority smallint not null default 0,
  codec text,
  error_text jsonb,
  enhancement text,
  decodes_whole boolean not null default false,
  plan_cost_ms integer,
  encode_cost_ms integer
);

create table trend_decay_cursor (
  singleton boolean not null default true,
  day date not null,
  content_id uuid not null
);

create table two_factors (
  id uuid not null,
  account_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamp with time zone,
  last_used_step bigint
);

create table upload_charges (
  video_asset_id uuid not null,
  account_id uuid not null,
  month date not null,
  duration_ms bigint not null
);

create table upscale_models (
  name text not null,
  source text not null,
  state text not null,
  reason text,
  digest text,
  probe_version integer,
  facts jsonb,
  cost double precision,
  provider text,
  measured jsonb not null default '[]'::jsonb,
  found_at timestamp with time zone not null
);

create table verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table video_assets (
  id uuid not null,
  channel_id uuid not null,
  content_id uuid not null,
  ingestion_id uuid,
  hint text not null,
  filename text not null,
  source_key text not null,
  size_bytes bigint not null,
  mime_type text,
  width integer,
  height integer,
  duration_ms bigint,
  probe jsonb,
  renditions jsonb,
  thumbnails jsonb,
  package_prefix text,
  ready_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  extras jsonb,
  derived_bytes bigint not null default 0,
  derived_files integer not null default 0,
  original_deleted_at timestamp with time zone,
  loudness jsonb,
  edit text,
  kept_ranges jsonb,
  original_key text,
  original_bytes bigint not null default 0,
  texts_before jsonb,
  missing_ms integer not null default 0,
  is_damaged boolean not null default false
);

create table video_fetches (
  video_asset_id uuid not null,
  fetched_on date not null
);

create table viewer_salts (
  day date not null,
  salt bytea not null
);

create table virality_channels (
  model_id uuid not null,
  channel_id uuid not null,
  mean double precision not null,
  variance double precision not null,
  pull double precision[] not null
);

create table virality_models (
  id uuid not null,
  trained_at timestamp with time zone not null,
  contents integer not null,
  impressions bigint not null,
  clicks bigint not null,
  calibration_error double precision,
  feature_gain double precision,
  parameters jsonb not null
);

create table virality_trainings (
  singleton boolean not null default true,
  started_at timestamp with time zone not null
);

create table watch_15min (
  content_id uuid not null,
  channel_id uuid not null,
  at timestamp with time zone not null,
  country text not null,
  device text not null,
  os text not null,
  browser text not null,
  views bigint not null default 0,
  plays bigint not null default 0,
  watch_ms bigint not null default 0,
  starts bigint not null default 0,
  startups bigint not null default 0,
  startup_ms bigint not null default 0,
  rebuffers bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors bigint not null default 0,
  completes bigint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0
);

create table watch_cursor (
  singleton boolean not null default true,
  xact xid8 not null default '0'::xid8,
  updated_at timestamp with time zone not null default now()
);

create table watch_events (
  day date not null,
  xact xid8 not null default pg_current_xact_id(),
  session_id uuid not null,
  seq integer not null,
  kind text not null,
  content_id uuid not null,
  channel_id uuid not null,
  viewer uuid not null,
  account_id uuid,
  occurred_at timestamp with time zone not null,
  country text not null,
  device text not null,
  os text not null,
  browser text not null,
  duration_ms integer,
  position_ms integer not null,
  ranges integer[] not null,
  value_ms integer,
  detail text
) partition by RANGE (day);

create table watch_later (
  content_id uuid not null,
  account_id uuid not null,
  created_at timestamp with time zone not null
);

create table watch_positions (
  account_id uuid not null,
  content_id uuid not null,
  position_ms integer not null,
  duration_ms integer,
  watched_ms bigint not null,
  completed boolean not null,
  updated_at timestamp with time zone not null
);

create table watch_sessions (
  session_id uuid not null,
  content_id uuid not null,
  started boolean not null,
  watched_ms bigint not null,
  played boolean not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  shown boolean not null default false,
  followed boolean not null default false,
  variant_id uuid,
  source text
);

create table waveforms (
  id uuid not null,
  requested_at timestamp with time zone not null default now(),
  failed_at timestamp with time zone,
  milliseconds_per_pair integer,
  pairs bytea
);

create table webhook_deliveries (
  id uuid not null,
  webhook_id uuid not null,
  event_id bigint,
  event_type text not null,
  data jsonb not null,
  occurred_at timestamp with time zone not null,
  status text not null default 'PENDING'::text,
  attempts smallint not null default 0,
  expires_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  lease uuid,
  leased_until timestamp with time zone,
  response_status smallint,
  duration_ms integer,
  error text,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  about_id uuid
);

create table webhooks (
  id uuid not null,
  channel_id uuid not null,
  url text not null,
  description text not null default ''::text,
  events text[] not null,
  is_enabled boolean not null default true,
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  resume_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  revision integer not null default 1,
  delivery_order text not null default 'PARALLEL'::text
);

create table work_attempts (
  id uuid not null,
  work text not null,
  process_id uuid not null,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  outcome text
);

create table work_processes (
  id uuid not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  has_stopped boolean not null default false
);

create table workers (
  id uuid not null,
  host text not null,
  sandbox json not null,
  seen_at timestamp with time zone not null default now(),
  running json not null default '{}'::json
);

create table youtube_connections (
  account_id uuid not null,
  channel_id text not null,
  channel_title text not null,
  channel_thumbnail text,
  uploads_playlist_id text not null,
  scopes text[] not null,
  sealed_refresh_token bytea not null,
  connected_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  broken_at timestamp with time zone
);

create table youtube_consents (
  state_hash bytea not null,
  account_id uuid not null,
  sealed_verifier bytea not null,
  expires_at timestamp with time zone not null
);

create table youtube_imports (
  content_id uuid not null,
  video_id text not null,
  youtube_channel_id text not null,
  created_at timestamp with time zone not null
);

create table youtube_publish_jobs (
  id uuid not null,
  content_id uuid not null,
  channel_id uuid not null,
  account_id uuid not null,
  youtube_channel_id text not null,
  privacy_status text not null,
  status text not null default 'PENDING'::text,
  progress smallint not null default 0,
  object_key text not null,
  content_type text not null,
  size_bytes bigint not null,
  sent_bytes bigint not null default 0,
  sealed_session_url bytea,
  attempts smallint not null default 0,
  status_checks smallint not null default 0,
  youtube_video_id text,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  finished_at timestamp with time zone,
  error_text jsonb
);

alter table account_archives add constraint account_archives_file CHECK (((status <> 'COMPLETE'::text) OR ((object_key IS NOT NULL) AND (size_bytes IS NOT NULL) AND (expires_at IS NOT NULL))));

alter table account_archives add constraint account_archives_pkey PRIMARY KEY (id);

alter table account_archives add constraint account_archives_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETE'::text, 'FAILED'::text, 'EXPIRED'::text])));

alter table account_settings add constraint account_settings_pkey PRIMARY KEY (account_id);

alter table accounts add constraint accounts_closing CHECK ((((closed_at IS NULL) = (deletes_at IS NULL)) AND ((concealed_at IS NULL) OR (closed_at IS NOT NULL)) AND ((revealing_from IS NULL) OR (closed_at IS NULL))));

alter table accounts add constraint accounts_demo_not_operator CHECK (((NOT is_operator) OR (email <> 'demo@reelgraph.localhost'::citext)));

alter table accounts add constraint accounts_email_key UNIQUE (email);

alter table accounts add constraint accounts_invitation_id_key UNIQUE (invitation_id);

alter table accounts add constraint accounts_pkey PRIMARY KEY (id);

alter table accounts add constraint accounts_suspension CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL)));

alter table accounts add constraint accounts_suspension_reason_check CHECK (((char_length(suspension_reason) >= 1) AND (char_length(suspension_reason) <= 500)));

alter table accounts add constraint accounts_username_check CHECK ((username ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{1,38}$'::citext));

alter table accounts add constraint accounts_username_key UNIQUE (username);

alter table api_key_audit_log add constraint api_key_audit_log_pkey PRIMARY KEY (account_id, id);

alter table api_key_audit_log add constraint api_key_audit_log_via_check CHECK ((via = ANY (ARRAY['API'::text, 'MCP'::text])));

alter table api_key_usage add constraint api_key_usage_amount_check CHECK ((amount > (0)::double precision));

alter table api_key_usage add constraint api_key_usage_limit_name_check CHECK ((limit_name = ANY (ARRAY['DELETES'::text, 'PUBLISHES'::text, 'PROCESSING_MINUTES'::text])));

alter table api_key_usage add constraint api_key_usage_pkey PRIMARY KEY (id);

alter table api_key_usage_limits add constraint api_key_usage_limits_deletes_per_day_check CHECK ((deletes_per_day >= 0));

alter table api_key_usage_limits add constraint api_key_usage_limits_pkey PRIMARY KEY (account_id);

alter table api_key_usage_limits add constraint api_key_usage_limits_processing_minutes_per_day_check CHECK ((processing_minutes_per_day >= 0));

alter table api_key_usage_limits add constraint api_key_usage_limits_publishes_per_hour_check CHECK ((publishes_per_hour >= 0));

alter table api_keys add constraint api_keys_id_key UNIQUE (id);

alter table api_keys add constraint api_keys_lookup_hash_check CHECK ((octet_length(lookup_hash) = 32));

alter table api_keys add constraint api_keys_lookup_hash_key UNIQUE (lookup_hash);

alter table api_keys add constraint api_keys_pkey PRIMARY KEY (account_id);

alter table api_tokens add constraint api_tokens_channel_ids_check CHECK ((cardinality(channel_ids) > 0));

alter table api_tokens add constraint api_tokens_lookup_hash_check CHECK ((octet_length(lookup_hash) = 32));

alter table api_tokens add constraint api_tokens_lookup_hash_key UNIQUE (lookup_hash);

alter table api_tokens add constraint api_tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)));

alter table api_tokens add constraint api_tokens_permissions_check CHECK ((cardinality(permissions) > 0));

alter table api_tokens add constraint api_tokens_pkey PRIMARY KEY (id);

alter table api_tokens add constraint api_tokens_test_channel CHECK (((NOT is_test) OR (cardinality(channel_ids) = 1)));

alter table arriving_segments add constraint arriving_segments_audio_seconds_check CHECK ((audio_seconds >= (0)::double precision));

alter table arriving_segments add constraint arriving_segments_bytes_check CHECK ((bytes > 0));

alter table arriving_segments add constraint arriving_segments_init_check CHECK ((init >= 0));

alter table arriving_segments add constraint arriving_segments_number_check CHECK ((number >= 0));

alter table arriving_segments add constraint arriving_segments_pkey PRIMARY KEY (video_asset_id, number);

alter table arriving_segments add constraint arriving_segments_video_seconds_check CHECK ((video_seconds > (0)::double precision));

alter table arriving_videos add constraint arriving_videos_ingestion_id_key UNIQUE (ingestion_id);

alter table arriving_videos add constraint arriving_videos_pkey PRIMARY KEY (video_asset_id);

alter table attempt_counters add constraint attempt_counters_attempts_check CHECK ((attempts >= 0));

alter table attempt_counters add constraint attempt_counters_kind_check CHECK ((kind = ANY (ARRAY['SIGN_IN_ACCOUNT'::text, 'SIGN_IN_ADDRESS'::text, 'SIGN_UP_ADDRESS'::text, 'PASSWORD_CHANGE'::text, 'OPERATOR_CODE'::text, 'RESET_ACCOUNT'::text, 'RESET_ADDRESS'::text, 'CONFIRM_EMAIL'::text, 'SHARE_LINK'::text, 'SHARE_LINK_ADDRESS'::text])));

alter table attempt_counters add constraint attempt_counters_pkey PRIMARY KEY (kind, subject);

alter table attempt_counters add constraint attempt_counters_subject_check CHECK ((octet_length(subject) = 32));

alter table broadcast_charges add constraint broadcast_charges_duration_ms_check CHECK ((duration_ms >= 0));

alter table broadcast_charges add constraint broadcast_charges_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric));

alter table broadcast_charges add constraint broadcast_charges_pkey PRIMARY KEY (broadcast_id, account_id, month);

alter table broadcast_segments add constraint broadcast_segments_audio_bytes_check CHECK ((audio_bytes >= 0));

alter table broadcast_segments add constraint broadcast_segments_audio_duration_check CHECK ((audio_duration >= 0));

alter table broadcast_segments add constraint broadcast_segments_init_check CHECK ((init >= 0));

alter table broadcast_segments add constraint broadcast_segments_number_check CHECK ((number >= 0));

alter table broadcast_segments add constraint broadcast_segments_pkey PRIMARY KEY (broadcast_id, number);

alter table broadcast_segments add constraint broadcast_segments_video_bytes_check CHECK ((video_bytes > 0));

alter table broadcast_segments add constraint broadcast_segments_video_duration_check CHECK ((video_duration > 0));

alter table broadcast_track_segments add constraint broadcast_track_segments_bytes_check CHECK ((bytes > 0));

alter table broadcast_track_segments add constraint broadcast_track_segments_number_check CHECK ((number >= 0));

alter table broadcast_track_segments add constraint broadcast_track_segments_pkey PRIMARY KEY (broadcast_id, number, track);

alter table broadcasts add constraint broadcasts_check CHECK (((start_requested_at IS NULL) OR (start_mode = 'MANUAL'::text)));

alter table broadcasts add constraint broadcasts_check2 CHECK (((state = 'RECONNECTING'::text) = (reconnect_until IS NOT NULL)));

alter table broadcasts add constraint broadcasts_check3 CHECK (((state <> ALL (ARRAY['CONNECTED'::text, 'LIVE'::text])) OR (connection_id IS NOT NULL)));

alter table broadcasts add constraint broadcasts_check4 CHECK (((state <> ALL (ARRAY['ENDED'::text, 'RECORDED'::text])) OR ((connection_id IS NULL) AND (ended_at IS NOT NULL))));

alter table broadcasts add constraint broadcasts_content_id_key UNIQUE (content_id);

alter table broadcasts add constraint broadcasts_end_reason CHECK (((end_reason IS NULL) OR (state = ANY (ARRAY['ENDED'::text, 'RECORDED'::text]))));

alter table broadcasts add constraint broadcasts_end_reason_check CHECK ((end_reason = ANY (ARRAY['ENCODER_STOPPED'::text, 'ENCODER_LOST'::text, 'REQUESTED'::text, 'MINUTES_USED_UP'::text, 'REMOVED'::text])));

alter table broadcasts add constraint broadcasts_latency_check CHECK ((latency = ANY (ARRAY['LOW'::text, 'NORMAL'::text])));

alter table broadcasts add constraint broadcasts_missing_ms_check CHECK ((missing_ms >= 0));

alter table broadcasts add constraint broadcasts_pkey PRIMARY KEY (id);

alter table broadcasts add constraint broadcasts_recording_check CHECK ((recording = ANY (ARRAY['ALL'::text, 'ROLLING'::text, 'NONE'::text])));

alter table broadcasts add constraint broadcasts_schedule CHECK (((state <> ALL (ARRAY['SCHEDULED'::text, 'MISSED'::text, 'CANCELED'::text])) OR ((scheduled_at IS NOT NULL) AND (connection_id IS NULL))));

alter table broadcasts add constraint broadcasts_start_mode_check CHECK ((start_mode = ANY (ARRAY['AUTOMATIC'::text, 'MANUAL'::text])));

alter table broadcasts add constraint broadcasts_state_check CHECK ((state = ANY (ARRAY['SCHEDULED'::text, 'MISSED'::text, 'CANCELED'::text, 'CONNECTED'::text, 'LIVE'::text, 'RECONNECTING'::text, 'ENDED'::text, 'RECORDED'::text])));

alter table broadcasts add constraint broadcasts_stream CHECK (((content_id IS NOT NULL) OR ((state = 'CONNECTED'::text) AND (scheduled_at IS NULL))));

alter table broadcasts add constraint broadcasts_video CHECK (((video_asset_id IS NULL) = (state = ANY (ARRAY['SCHEDULED'::text, 'MISSED'::text, 'CANCELED'::text, 'CONNECTED'::text]))));

alter table caption_jobs add constraint caption_jobs_kind_check CHECK ((kind = ANY (ARRAY['SPEECH'::text, 'TRANSLATION'::text])));

alter table caption_jobs add constraint caption_jobs_pkey PRIMARY KEY (job_id);

alter table caption_parts add constraint caption_parts_number_check CHECK ((number >= 0));

alter table caption_parts add constraint caption_parts_pkey PRIMARY KEY (job_id, number);

alter table captions add constraint captions_automatic_check CHECK ((automatic = ANY (ARRAY['SPEECH'::text, 'TRANSLATION'::text])));

alter table captions add constraint captions_kind_check CHECK ((kind = ANY (ARRAY['SUBTITLES'::text, 'CAPTIONS'::text, 'DESCRIPTIONS'::text])));

alter table captions add constraint captions_pkey PRIMARY KEY (id);

alter table categories add constraint categories_name_key UNIQUE (name);

alter table categories add constraint categories_pkey PRIMARY KEY (id);

alter table categories add constraint categories_slug_key UNIQUE (slug);

alter table channel_15min add constraint channel_15min_pkey PRIMARY KEY (channel_id, at);

alter table channel_blocks add constraint channel_blocks_channel_id_account_id_key UNIQUE (channel_id, account_id);

alter table channel_blocks add constraint channel_blocks_pkey PRIMARY KEY (id);

alter table channel_categories add constraint channel_categories_pkey PRIMARY KEY (channel_id, category_id);

alter table channel_ids add constraint channel_ids_pkey PRIMARY KEY (id);

alter table channel_invitations add constraint channel_invitations_ended CHECK (((state = 'PENDING'::text) = (ended_at IS NULL)));

alter table channel_invitations add constraint channel_invitations_pkey PRIMARY KEY (id);

alter table channel_invitations add constraint channel_invitations_recipient CHECK (((account_id IS NULL) <> (email IS NULL)));

alter table channel_invitations add constraint channel_invitations_role_check CHECK ((role = ANY (ARRAY['VIEWER'::text, 'EDITOR'::text, 'MANAGER'::text])));

alter table channel_invitations add constraint channel_invitations_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'ACCEPTED'::text, 'DECLINED'::text, 'WITHDRAWN'::text])));

alter table channel_invitations add constraint channel_invitations_token_hash_key UNIQUE (token_hash);

alter table channel_members add constraint channel_members_id_key UNIQUE (id);

alter table channel_members add constraint channel_members_pkey PRIMARY KEY (channel_id, account_id);

alter table channel_members add constraint channel_members_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'MANAGER'::text, 'EDITOR'::text, 'VIEWER'::text])));

alter table channel_moderation add constraint channel_moderation_pkey PRIMARY KEY (channel_id);

alter table channels add constraint channels_handle_key UNIQUE (handle);

alter table channels add constraint channels_pkey PRIMARY KEY (id);

alter table channels add constraint channels_website_url_check CHECK ((length(website_url) <= 2048));

alter table chat_messages add constraint chat_messages_check CHECK (((status = 'HELD'::text) = (held_for IS NOT NULL)));

alter table chat_messages add constraint chat_messages_check1 CHECK (((status <> 'DELETED'::text) OR (body = ''::text)));

alter table chat_messages add constraint chat_messages_held_for_check CHECK ((held_for = ANY (ARRAY['BLOCKED_WORD'::text, 'LINK'::text])));

alter table chat_messages add constraint chat_messages_pkey PRIMARY KEY (id);

alter table chat_messages add constraint chat_messages_status_check CHECK ((status = ANY (ARRAY['PUBLISHED'::text, 'HELD'::text, 'DELETED'::text])));

alter table chat_rate_limits add constraint chat_rate_limits_pkey PRIMARY KEY (content_id, account_id);

alter table chat_timeouts add constraint chat_timeouts_pkey PRIMARY KEY (channel_id, account_id);

alter table chats add constraint chats_mode_check CHECK ((mode = ANY (ARRAY['EVERYONE'::text, 'FOLLOWERS'::text, 'MEMBERS'::text, 'NOBODY'::text])));

alter table chats add constraint chats_pkey PRIMARY KEY (id);

alter table chats add constraint chats_slow_mode_ms_check CHECK (((slow_mode_ms >= 0) AND (slow_mode_ms <= 600000)));

alter table comment_edits add constraint comment_edits_pkey PRIMARY KEY (id);

alter table comment_likes add constraint comment_likes_pkey PRIMARY KEY (comment_id, account_id);

alter table comment_mentions add constraint comment_mentions_pkey PRIMARY KEY (comment_id, account_id);

alter table comment_rate_limits add constraint comment_rate_limits_pkey PRIMARY KEY (account_id, channel_id);

alter table comments add constraint comments_check CHECK ((((depth = 0) = (parent_id IS NULL)) AND ((parent_id IS NULL) = (root_id IS NULL))));

alter table comments add constraint comments_check1 CHECK (((account_id IS NOT NULL) OR (deleted_at IS NOT NULL)));

alter table comments add constraint comments_held_for_check CHECK ((held_for = ANY (ARRAY['ALL'::text, 'BLOCKED_WORD'::text, 'LINK'::text, 'MODERATOR'::text])));

alter table comments add constraint comments_pin_check CHECK ((pin = ANY (ARRAY[0, 1])));

alter table comments add constraint comments_pkey PRIMARY KEY (id);

alter table comments add constraint comments_status_check CHECK ((status = ANY (ARRAY['PUBLISHED'::text, 'HELD'::text, 'REJECTED'::text])));

alter table concealed_playlists add constraint concealed_playlists_pkey PRIMARY KEY (playlist_id);

alter table content_categories add constraint content_categories_pkey PRIMARY KEY (content_id, category_id);

alter table content_daily add constraint content_daily_pkey PRIMARY KEY (content_id, day);

alter table content_forecasts add constraint content_forecasts_age_check CHECK ((age > 0));

alter table content_forecasts add constraint content_forecasts_check CHECK (((model_version IS NULL) = (model_trained_at IS NULL)));

alter table content_forecasts add constraint content_forecasts_model_version_check CHECK ((model_version > 0));

alter table content_forecasts add constraint content_forecasts_pkey PRIMARY KEY (content_id, age);

alter table content_genres add constraint content_genres_pkey PRIMARY KEY (content_id, genre_id);

alter table content_listing_terms add constraint content_listing_terms_pkey PRIMARY KEY (content_id, term_id);

alter table content_listings add constraint content_listings_pkey PRIMARY KEY (content_id);

alter table content_retention add constraint content_retention_pkey PRIMARY KEY (content_id, second);

alter table content_rises add constraint content_rises_day_check CHECK ((day > 0));

alter table content_rises add constraint content_rises_pkey PRIMARY KEY (content_id);

alter table content_shares add constraint content_shares_person CHECK (((account_id IS NULL) <> (email IS NULL)));

alter table content_shares add constraint content_shares_pkey PRIMARY KEY (id);

alter table content_test_variants add constraint content_test_variants_pkey PRIMARY KEY (id);

alter table content_test_variants add constraint content_test_variants_position_check CHECK ((("position" >= 0) AND ("position" <= 2)));

alter table content_test_variants add constraint content_test_variants_test_id_position_key UNIQUE (test_id, "position");

alter table content_test_viewers add constraint content_test_viewers_pkey PRIMARY KEY (test_id, viewer);

alter table content_tests add constraint content_tests_check CHECK ((max_days >= min_days));

alter table content_tests add constraint content_tests_check1 CHECK (((state = 'RUNNING'::text) = (ended_at IS NULL)));

alter table content_tests add constraint content_tests_check2 CHECK (((state = 'RUNNING'::text) = (end_reason IS NULL)));

alter table content_tests add constraint content_tests_check3 CHECK (((state = 'WON'::text) = (winner IS NOT NULL)));

alter table content_tests add constraint content_tests_check4 CHECK (((applied IS NULL) = (applied_at IS NULL)));

alter table content_tests add constraint content_tests_end_reason_check CHECK ((end_reason = ANY (ARRAY['WINNER_FOUND'::text, 'TIME_OVER'::text, 'STOPPED_BY_MEMBER'::text, 'CONTENT_CHANGED'::text, 'NOT_PUBLIC'::text])));

alter table content_tests add constraint content_tests_min_days_check CHECK ((min_days >= 1));

alter table content_tests add constraint content_tests_pkey PRIMARY KEY (id);

alter table content_tests add constraint content_tests_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'WON'::text, 'NO_DIFFERENCE'::text, 'STOPPED'::text])));

alter table content_tests add constraint content_tests_variants_check CHECK (((variants >= 2) AND (variants <= 3)));

alter table content_views add constraint content_views_pkey PRIMARY KEY (content_id, viewer, at);

alter table contents add constraint contents_check CHECK (((status = 'PUBLISHED'::text) = (published_at IS NOT NULL)));

alter table contents add constraint contents_clip CHECK ((((clip_start_ms IS NULL) = (clip_end_ms IS NULL)) AND (clip_start_ms < clip_end_ms) AND ((clipped_from IS NULL) OR (clip_start_ms IS NOT NULL))));

alter table contents add constraint contents_comment_mode_check CHECK ((comment_mode = ANY (ARRAY['ENABLED'::text, 'HOLD_ALL'::text, 'MEMBERS_ONLY'::text, 'DISABLED'::text])));

alter table contents add constraint contents_contains_ads_check CHECK ((contains_ads = ANY (ARRAY['NO'::text, 'MAYBE'::text, 'YES'::text])));

alter table contents add constraint contents_kind_check CHECK ((kind = ANY (ARRAY['FEATURE'::text, 'SHORT'::text, 'SERIES'::text, 'SEASON'::text, 'EPISODE'::text, 'MINISERIES'::text, 'STREAM'::text])));

alter table contents add constraint contents_language_check CHECK ((language ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'::text));

alter table contents add constraint contents_layout_check CHECK ((layout = ANY (ARRAY['LANDSCAPE'::text, 'PORTRAIT'::text, 'VR'::text])));

alter table contents add constraint contents_not_own_parent CHECK ((parent_id <> id));

alter table contents add constraint contents_number_check CHECK (((number >= 0) AND (number <= 100000)));

alter table contents add constraint contents_number_required CHECK (((kind = ANY (ARRAY['SEASON'::text, 'EPISODE'::text])) = (number IS NOT NULL)));

alter table contents add constraint contents_number_taken EXCLUDE USING btree (parent_id WITH =, number WITH =) WHERE (((deleted_at IS NULL) AND (parent_id IS NOT NULL))) DEFERRABLE;

alter table contents add constraint contents_parent_effective_visibility_check CHECK ((parent_effective_visibility = ANY (ARRAY['PUBLIC'::text, 'UNLISTED'::text, 'PRIVATE'::text])));

alter table contents add constraint contents_parent_required CHECK (((kind = ANY (ARRAY['SEASON'::text, 'EPISODE'::text])) = (parent_id IS NOT NULL)));

alter table contents add constraint contents_pkey PRIMARY KEY (id);

alter table contents add constraint contents_short_code_check CHECK ((short_code ~ '^[A-Za-z0-9_-]{11}$'::text));

alter table contents add constraint contents_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PROCESSING'::text, 'READY'::text, 'FAILED'::text, 'PUBLISHED'::text])));

alter table contents add constraint contents_takedown CHECK (((taken_down_at IS NULL) = (takedown_reason IS NULL)));

alter table contents add constraint contents_takedown_reason_check CHECK (((char_length(takedown_reason) >= 1) AND (char_length(takedown_reason) <= 500)));

alter table contents add constraint contents_trashed_with CHECK (((trashed_with IS NULL) OR (deleted_at IS NOT NULL)));

alter table contents add constraint contents_visibility_check CHECK ((visibility = ANY (ARRAY['PUBLIC'::text, 'UNLISTED'::text, 'PRIVATE'::text])));

alter table counters add constraint counters_pkey PRIMARY KEY (scope, key, shard);

alter table credentials add constraint credentials_pkey PRIMARY KEY (id);

alter table credentials add constraint credentials_provider_id_provider_account_id_key UNIQUE (provider_id, provider_account_id);

alter table data_export_parts add constraint data_export_parts_lines_check CHECK ((lines > 0));

alter table data_export_parts add constraint data_export_parts_number_check CHECK ((number >= 0));

alter table data_export_parts add constraint data_export_parts_pkey PRIMARY KEY (export_id, number);

alter table data_export_parts add constraint data_export_parts_size_bytes_check CHECK ((size_bytes > 0));

alter table data_export_parts add constraint data_export_parts_start_byte_check CHECK ((start_byte >= 0));

alter table data_export_parts add constraint data_export_parts_stored_bytes_check CHECK ((stored_bytes > 0));

alter table data_exports add constraint data_exports_attempt_check CHECK ((attempt >= 0));

alter table data_exports add constraint data_exports_check CHECK (((status = 'ERROR'::text) = (error_message IS NOT NULL)));

alter table data_exports add constraint data_exports_check1 CHECK (((error_code IS NULL) = (error_message IS NULL)));

alter table data_exports add constraint data_exports_check2 CHECK (((status <> ALL (ARRAY['COMPLETE'::text, 'EXPIRED'::text])) OR (expires_at IS NOT NULL)));

alter table data_exports add constraint data_exports_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 300)));

alter table data_exports add constraint data_exports_credential_kind_check CHECK ((credential_kind = ANY (ARRAY['key'::text, 'token'::text, 'oauth'::text, 'session'::text])));

alter table data_exports add constraint data_exports_error_text CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table data_exports add constraint data_exports_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table data_exports add constraint data_exports_object_count_check CHECK ((object_count >= 0));

alter table data_exports add constraint data_exports_parts_check CHECK ((parts >= 0));

alter table data_exports add constraint data_exports_pkey PRIMARY KEY (id);

alter table data_exports add constraint data_exports_query_check CHECK ((length(query) <= 100000));

alter table data_exports add constraint data_exports_size_bytes_check CHECK ((size_bytes >= 0));

alter table data_exports add constraint data_exports_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETE'::text, 'ERROR'::text, 'CANCELLED'::text, 'EXPIRED'::text])));

alter table email_confirmations add constraint email_confirmations_pkey PRIMARY KEY (token_hash);

alter table email_confirmations add constraint email_confirmations_token_hash_check CHECK ((octet_length(token_hash) = 32));

alter table encode_chunks add constraint encode_chunks_check CHECK (((state = 'DONE'::text) = (result IS NOT NULL)));

alter table encode_chunks add constraint encode_chunks_check1 CHECK (((kind = 'on-demand'::text) = (wanted_at IS NOT NULL)));

alter table encode_chunks add constraint encode_chunks_cost_ms_check CHECK ((cost_ms > 0));

alter table encode_chunks add constraint encode_chunks_cpu_ms_check CHECK ((cpu_ms >= 0));

alter table encode_chunks add constraint encode_chunks_encoded_bytes_check CHECK ((encoded_bytes >= 0));

alter table encode_chunks add constraint encode_chunks_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'on-demand'::text, 'video'::text])));

alter table encode_chunks add constraint encode_chunks_number_check CHECK ((number >= 0));

alter table encode_chunks add constraint encode_chunks_pkey PRIMARY KEY (job_id, kind, number);

alter table encode_chunks add constraint encode_chunks_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision)));

alter table encode_chunks add constraint encode_chunks_state_check CHECK ((state = ANY (ARRAY['DONE'::text, 'RUNNING'::text, 'WAITING'::text])));

alter table encode_plans add constraint encode_plans_finish_cost_ms_check CHECK ((finish_cost_ms > 0));

alter table encode_plans add constraint encode_plans_max_bytes_check CHECK ((max_bytes > 0));

alter table encode_plans add constraint encode_plans_pkey PRIMARY KEY (job_id);

alter table encode_speeds add constraint encode_speeds_bytes_check CHECK ((bytes >= (0)::double precision));

alter table encode_speeds add constraint encode_speeds_cost_ms_check CHECK ((cost_ms >= (0)::double precision));

alter table encode_speeds add constraint encode_speeds_cpu_ms_check CHECK ((cpu_ms >= (0)::double precision));

alter table encode_speeds add constraint encode_speeds_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'video'::text, 'finish'::text, 'speech'::text, 'translation'::text, 'plan'::text, 'upmix'::text, 'upmix-plan'::text, 'upscale'::text, 'upscale-plan'::text])));

alter table encode_speeds add constraint encode_speeds_peak_bytes_check CHECK ((peak_bytes >= (0)::double precision));

alter table encode_speeds add constraint encode_speeds_pkey PRIMARY KEY (kind);

alter table encode_speeds add constraint encode_speeds_wall_ms_check CHECK ((wall_ms >= (0)::double precision));

alter table encode_workers add constraint encode_workers_lanes_check CHECK ((lanes > 0));

alter table encode_workers add constraint encode_workers_pkey PRIMARY KEY (id);

alter table encoded_videos add constraint encoded_videos_pkey PRIMARY KEY (video_asset_id);

alter table enhancements add constraint enhancements_kind_check CHECK ((kind = ANY (ARRAY['UPMIX'::text, 'UPSCALE'::text])));

alter table enhancements add constraint enhancements_pkey PRIMARY KEY (video_asset_id, kind);

alter table event_cursors add constraint event_cursors_pkey PRIMARY KEY (consumer);

alter table event_failures add constraint event_failures_pkey PRIMARY KEY (consumer, event_id);

alter table events add constraint events_pkey PRIMARY KEY (id);

alter table follow_changes add constraint follow_changes_delta_check CHECK ((delta = ANY (ARRAY[1, '-1'::integer])));

alter table follow_changes add constraint follow_changes_pkey PRIMARY KEY (id);

alter table follows add constraint follows_pkey PRIMARY KEY (channel_id, account_id);

alter table forecast_models add constraint forecast_models_pkey PRIMARY KEY (id);

alter table forecast_models add constraint forecast_models_version_check CHECK ((version > 0));

alter table forecast_models add constraint forecast_models_version_key UNIQUE (version);

alter table forecast_trainings add constraint forecast_trainings_pkey PRIMARY KEY (singleton);

alter table forecast_trainings add constraint forecast_trainings_singleton_check CHECK (singleton);

alter table generation_charges add constraint generation_charges_credits_check CHECK ((credits > 0));

alter table generation_charges add constraint generation_charges_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric));

alter table generation_charges add constraint generation_charges_pkey PRIMARY KEY (job_id);

alter table genres add constraint genres_name_key UNIQUE (name);

alter table genres add constraint genres_pkey PRIMARY KEY (id);

alter table genres add constraint genres_slug_key UNIQUE (slug);

alter table idempotency_keys add constraint idempotency_keys_check CHECK (((state = 'COMPLETED'::text) = (response IS NOT NULL)));

alter table idempotency_keys add constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32));

alter table idempotency_keys add constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)));

alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (account_id, key);

alter table idempotency_keys add constraint idempotency_keys_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'COMPLETED'::text])));

alter table image_assets add constraint image_assets_check CHECK (((playlist_id IS NULL) OR (content_id IS NULL)));

alter table image_assets add constraint image_assets_of_video CHECK (((video_asset_id IS NULL) OR (content_id IS NOT NULL)));

alter table image_assets add constraint image_assets_pkey PRIMARY KEY (id);

alter table image_features add constraint image_features_check CHECK ((num_nulls(brightness, contrast, colourfulness, sharpness) = ANY (ARRAY[0, 4])));

alter table image_features add constraint image_features_pkey PRIMARY KEY (image_id);

alter table ingestions add constraint ingestions_check CHECK (((content_id IS NOT NULL) OR (media_kind = 'IMAGE'::text) OR is_partial));

alter table ingestions add constraint ingestions_check1 CHECK (((playlist_id IS NULL) OR (content_id IS NULL)));

alter table ingestions add constraint ingestions_error_text CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table ingestions add constraint ingestions_final CHECK ((((final_id IS NULL) = (final_position IS NULL)) AND ((final_id IS NULL) OR is_partial)));

alter table ingestions add constraint ingestions_final_position_check CHECK ((final_position >= 1));

alter table ingestions add constraint ingestions_media_kind_check CHECK ((media_kind = ANY (ARRAY['VIDEO'::text, 'IMAGE'::text])));

alter table ingestions add constraint ingestions_partial CHECK (((NOT is_partial) OR ((content_id IS NULL) AND (playlist_id IS NULL) AND (upload_concat IS NULL))));

alter table ingestions add constraint ingestions_pkey PRIMARY KEY (id);

alter table ingestions add constraint ingestions_reserved_at_bytes_check CHECK ((reserved_at_bytes >= 0));

alter table ingestions add constraint ingestions_size_bytes_check CHECK ((size_bytes >= 0));

alter table ingestions add constraint ingestions_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'FINISHED'::text, 'FAILED'::text, 'EXPIRED'::text])));

alter table ingestions add constraint ingestions_upload_concat_check CHECK ((length(upload_concat) <= 16384));

alter table ingestions add constraint ingestions_upload_metadata_check CHECK ((length(upload_metadata) <= 16384));

alter table instance_logo add constraint instance_logo_digest_check CHECK ((digest ~ '^[0-9a-f]{16}$'::text));

alter table instance_logo add constraint instance_logo_height_check CHECK ((height > 0));

alter table instance_logo add constraint instance_logo_pkey PRIMARY KEY (singleton);

alter table instance_logo add constraint instance_logo_png_check CHECK (((octet_length(png) >= 1) AND (octet_length(png) <= 1000000)));

alter table instance_logo add constraint instance_logo_singleton_check CHECK (singleton);

alter table instance_logo add constraint instance_logo_width_check CHECK ((width > 0));

alter table instance_settings add constraint instance_settings_accent_color_check CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text));

alter table instance_settings add constraint instance_settings_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 40)));

alter table instance_settings add constraint instance_settings_pkey PRIMARY KEY (singleton);

alter table instance_settings add constraint instance_settings_privacy_url_check CHECK ((char_length(privacy_url) <= 2000));

alter table instance_settings add constraint instance_settings_sign_up_check CHECK ((sign_up = ANY (ARRAY['open'::text, 'invite'::text, 'closed'::text])));

alter table instance_settings add constraint instance_settings_singleton_check CHECK (singleton);

alter table instance_settings add constraint instance_settings_terms_url_check CHECK ((char_length(terms_url) <= 2000));

alter table instance_texts add constraint instance_texts_kind_check CHECK ((kind = ANY (ARRAY['terms'::text, 'privacy'::text])));

alter table instance_texts add constraint instance_texts_markdown_check CHECK (((char_length(markdown) >= 1) AND (char_length(markdown) <= 100000)));

alter table instance_texts add constraint instance_texts_pkey PRIMARY KEY (kind);

alter table interrupted_work add constraint interrupted_work_pkey PRIMARY KEY (work);

alter table interrupted_work add constraint interrupted_work_state_check CHECK ((state = ANY (ARRAY['AGAIN'::text, 'APART'::text, 'ALONE'::text])));

alter table invitations add constraint invitations_check CHECK ((expires_at > created_at));

alter table invitations add constraint invitations_check1 CHECK (((revoked_at IS NULL) OR (used_at IS NULL)));

alter table invitations add constraint invitations_code_hash_check CHECK ((octet_length(code_hash) = 32));

alter table invitations add constraint invitations_code_hash_key UNIQUE (code_hash);

alter table invitations add constraint invitations_pkey PRIMARY KEY (id);

alter table known_browsers add constraint known_browsers_browser_hash_check CHECK ((octet_length(browser_hash) = 32));

alter table known_browsers add constraint known_browsers_pkey PRIMARY KEY (account_id, browser_hash);

alter table likes add constraint likes_pkey PRIMARY KEY (content_id, account_id);

alter table likes_daily add constraint likes_daily_pkey PRIMARY KEY (day, content_id);

alter table live_inputs add constraint live_inputs_chat_mode_check CHECK ((chat_mode = ANY (ARRAY['EVERYONE'::text, 'FOLLOWERS'::text, 'MEMBERS'::text, 'NOBODY'::text])));

alter table live_inputs add constraint live_inputs_chat_slow_mode_ms_check CHECK (((chat_slow_mode_ms >= 0) AND (chat_slow_mode_ms <= 600000)));

alter table live_inputs add constraint live_inputs_check CHECK (((refused_until IS NULL) = (last_attempt_at IS NULL)));

alter table live_inputs add constraint live_inputs_check1 CHECK (((refused_at IS NULL) = (error_message IS NULL)));

alter table live_inputs add constraint live_inputs_check2 CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table live_inputs add constraint live_inputs_check3 CHECK (((srt_port IS NOT NULL) = srt));

alter table live_inputs add constraint live_inputs_check4 CHECK (((srt_passphrase IS NOT NULL) = srt));

alter table live_inputs add constraint live_inputs_latency_check CHECK ((latency = ANY (ARRAY['LOW'::text, 'NORMAL'::text])));

alter table live_inputs add constraint live_inputs_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));

alter table live_inputs add constraint live_inputs_pkey PRIMARY KEY (id);

alter table live_inputs add constraint live_inputs_reconnect_window_ms_check CHECK (((reconnect_window_ms >= 0) AND (reconnect_window_ms <= 300000)));

alter table live_inputs add constraint live_inputs_recording_check CHECK ((recording = ANY (ARRAY['ALL'::text, 'ROLLING'::text, 'NONE'::text])));

alter table live_inputs add constraint live_inputs_srt_port_check CHECK (((srt_port >= 1024) AND (srt_port <= 65535)));

alter table live_inputs add constraint live_inputs_srt_port_key UNIQUE (srt_port);

alter table live_inputs add constraint live_inputs_start_mode_check CHECK ((start_mode = ANY (ARRAY['AUTOMATIC'::text, 'MANUAL'::text])));

alter table live_inputs add constraint live_inputs_stream_key_hash_check CHECK ((octet_length(stream_key_hash) = 32));

alter table live_inputs add constraint live_inputs_stream_key_hash_key UNIQUE (stream_key_hash);

alter table live_inputs add constraint live_inputs_visibility_check CHECK ((visibility = ANY (ARRAY['PUBLIC'::text, 'UNLISTED'::text, 'PRIVATE'::text])));

alter table media_indexes add constraint media_indexes_pkey PRIMARY KEY (video_asset_id);

alter table media_indexes add constraint media_indexes_stored_bytes_check CHECK ((stored_bytes > 0));

alter table media_indexes add constraint media_indexes_stored_files_check CHECK ((stored_files > 0));

alter table message_bus add constraint message_bus_address_check CHECK (((length(address) >= 1) AND (length(address) <= 200)));

alter table message_bus add constraint message_bus_message_check CHECK ((octet_length(message) <= 4000));

alter table message_bus add constraint message_bus_pkey PRIMARY KEY (address);

alter table notifications add constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['COMMENT_REPLY'::text, 'COMMENT_HEART'::text, 'NEW_VIDEO'::text, 'PROCESSING_DONE'::text, 'PROCESSING_FAILED'::text, 'CHANNEL_INVITATION'::text, 'REPORT_REVIEWED'::text])));

alter table notifications add constraint notifications_pkey PRIMARY KEY (id);

alter table notifications add constraint notifications_subject CHECK (((content_id IS NULL) <> (invitation_id IS NULL)));

alter table oauth_access_tokens add constraint oauth_access_tokens_pkey PRIMARY KEY (id);

alter table oauth_access_tokens add constraint oauth_access_tokens_token_key UNIQUE (token);

alter table oauth_client_assertions add constraint oauth_client_assertions_pkey PRIMARY KEY (id);

alter table oauth_client_resources add constraint oauth_client_resources_client_id_resource_id_key UNIQUE (client_id, resource_id);

alter table oauth_client_resources add constraint oauth_client_resources_pkey PRIMARY KEY (id);

alter table oauth_clients add constraint oauth_clients_client_id_key UNIQUE (client_id);

alter table oauth_clients add constraint oauth_clients_pkey PRIMARY KEY (id);

alter table oauth_consents add constraint oauth_consents_pkey PRIMARY KEY (id);

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_pkey PRIMARY KEY (id);

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_token_key UNIQUE (token);

alter table oauth_resources add constraint oauth_resources_identifier_key UNIQUE (identifier);

alter table oauth_resources add constraint oauth_resources_pkey PRIMARY KEY (id);

alter table object_purges add constraint object_purges_key_prefix_check CHECK ((length(key_prefix) > 10));

alter table object_purges add constraint object_purges_pkey PRIMARY KEY (id);

alter table oidc_grants add constraint oidc_grants_check CHECK ((is_operator OR (plan IS NOT NULL)));

alter table oidc_grants add constraint oidc_grants_pkey PRIMARY KEY (account_id, issuer);

alter table oidc_grants add constraint oidc_grants_plan_check CHECK ((plan = ANY (ARRAY['PREMIUM'::text, 'PREMIUM_PLUS'::text, 'CREATOR_PLUS'::text])));

alter table oidc_logout_tokens add constraint oidc_logout_tokens_pkey PRIMARY KEY (issuer, token_id);

alter table oidc_sessions add constraint oidc_sessions_pkey PRIMARY KEY (session_id);

alter table operator_actions add constraint operator_actions_action_check CHECK ((action ~ '^[A-Z_]{1,40}$'::text));

alter table operator_actions add constraint operator_actions_details_check CHECK ((char_length(details) <= 500));

alter table operator_actions add constraint operator_actions_pkey PRIMARY KEY (id);

alter table operator_actions add constraint operator_actions_subject_check CHECK ((char_length(subject) <= 200));

alter table operator_codes add constraint operator_codes_code_hash_check CHECK ((octet_length(code_hash) = 32));

alter table operator_codes add constraint operator_codes_pkey PRIMARY KEY (code_hash);

alter table passkeys add constraint passkeys_credential_id_key UNIQUE (credential_id);

alter table passkeys add constraint passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)));

alter table passkeys add constraint passkeys_pkey PRIMARY KEY (id);

alter table password_resets add constraint password_resets_pkey PRIMARY KEY (token_hash);

alter table password_resets add constraint password_resets_token_hash_check CHECK ((octet_length(token_hash) = 32));

alter table payment_customers add constraint payment_customers_customer_id_key UNIQUE (customer_id);

alter table payment_customers add constraint payment_customers_pkey PRIMARY KEY (account_id);

alter table payment_events add constraint payment_events_pkey PRIMARY KEY (id);

alter table pending_sign_ups add constraint pending_sign_ups_pkey PRIMARY KEY (token_hash);

alter table pending_sign_ups add constraint pending_sign_ups_token_hash_check CHECK ((octet_length(token_hash) = 32));

alter table platform_metadata add constraint platform_metadata_pkey PRIMARY KEY (name);

alter table playlist_items add constraint playlist_items_pkey PRIMARY KEY (id);

alter table playlist_items add constraint playlist_items_position UNIQUE (playlist_id, "position") INCLUDE (open) DEFERRABLE;

alter table playlists add constraint playlists_pkey PRIMARY KEY (id);

alter table playlists add constraint playlists_visibility_check CHECK ((visibility = ANY (ARRAY['PUBLIC'::text, 'UNLISTED'::text, 'PRIVATE'::text])));

alter table ratings add constraint ratings_minimum_age_check CHECK (((minimum_age >= 0) AND (minimum_age <= 21)));

alter table ratings add constraint ratings_pkey PRIMARY KEY (id);

alter table ratings add constraint ratings_position_key UNIQUE ("position");

alter table ratings add constraint ratings_system_check CHECK ((system = ANY (ARRAY['MPAA'::text, 'MSO'::text, 'TV'::text, 'UNKNOWN'::text, 'USA_PR'::text])));

alter table ratings add constraint ratings_system_code_key UNIQUE (system, code);

alter table rendition_outputs add constraint rendition_outputs_pkey PRIMARY KEY (video_asset_id, folder);

alter table renditions add constraint renditions_check CHECK (((kind <> 'VIDEO'::text) OR ((label IS NOT NULL) AND (width > 0) AND (height > 0) AND (frame_rate IS NOT NULL))));

alter table renditions add constraint renditions_check1 CHECK (((kind <> 'AUDIO'::text) OR ((track IS NOT NULL) AND (name IS NOT NULL) AND (channels > 0) AND (sample_rate > 0) AND (is_default IS NOT NULL))));

alter table renditions add constraint renditions_check2 CHECK (((state = 'EVICTED'::text) = (on_demand_peak_bps IS NOT NULL)));

alter table renditions add constraint renditions_kind_check CHECK ((kind = ANY (ARRAY['VIDEO'::text, 'AUDIO'::text])));

alter table renditions add constraint renditions_origin_check CHECK ((origin = ANY (ARRAY['ENCODE'::text, 'COPY'::text, 'ON_DEMAND'::text, 'LIVE'::text])));

alter table renditions add constraint renditions_pkey PRIMARY KEY (video_asset_id, folder);

alter table renditions add constraint renditions_state_check CHECK ((state = ANY (ARRAY['STORED'::text, 'EVICTED'::text])));

alter table reports add constraint reports_check1 CHECK (((status = 'OPEN'::text) = (resolved_at IS NULL)));

alter table reports add constraint reports_pkey PRIMARY KEY (id);

alter table reports add constraint reports_reason_check CHECK ((reason = ANY (ARRAY['SPAM'::text, 'HARASSMENT'::text, 'HATE'::text, 'VIOLENCE'::text, 'SEXUAL'::text, 'MISINFORMATION'::text, 'COPYRIGHT'::text, 'OTHER'::text])));

alter table reports add constraint reports_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESOLVED'::text, 'DISMISSED'::text])));

alter table reports add constraint reports_subject_kind CHECK ((num_nonnulls(content_id, comment_id, chat_message_id) <= 1));

alter table resource_subscriptions add constraint resource_subscriptions_pkey PRIMARY KEY (session, uri);

alter table resource_subscriptions add constraint resource_subscriptions_session_check CHECK ((length(session) = 43));

alter table resource_subscriptions add constraint resource_subscriptions_uri_check CHECK (((length(uri) >= 1) AND (length(uri) <= 1000)));

alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (name);

alter table search_documents add constraint search_documents_pkey PRIMARY KEY (id);

alter table search_documents add constraint search_documents_tier_check CHECK (((tier >= 0) AND (tier <= 15)));

alter table search_rename_queue add constraint search_rename_queue_pkey PRIMARY KEY (channel_id);

alter table search_vocabulary add constraint search_vocabulary_pkey PRIMARY KEY (word);

alter table sessions add constraint sessions_pkey PRIMARY KEY (id);

alter table sessions add constraint sessions_token_key UNIQUE (token);

alter table share_links add constraint share_links_max_uses_check CHECK ((max_uses > 0));

alter table share_links add constraint share_links_name_check CHECK ((char_length(name) <= 100));

alter table share_links add constraint share_links_pkey PRIMARY KEY (id);

alter table share_links add constraint share_links_token_hash_check CHECK ((octet_length(token_hash) = 32));

alter table share_links add constraint share_links_token_hash_key UNIQUE (token_hash);

alter table share_links add constraint share_links_uses CHECK (((uses >= 0) AND ((max_uses IS NULL) OR (uses <= max_uses))));

alter table signing_keys add constraint signing_keys_algorithm_check CHECK ((algorithm = ANY (ARRAY['EDDSA'::text, 'RS256'::text])));

alter table signing_keys add constraint signing_keys_pkey PRIMARY KEY (id);

alter table simulcast_targets add constraint simulcast_targets_check CHECK (((state IS NULL) = (connection_id IS NULL)));

alter table simulcast_targets add constraint simulcast_targets_check1 CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table simulcast_targets add constraint simulcast_targets_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));

alter table simulcast_targets add constraint simulcast_targets_pkey PRIMARY KEY (id);

alter table simulcast_targets add constraint simulcast_targets_state_check CHECK ((state = ANY (ARRAY['CONNECTING'::text, 'LIVE'::text, 'RETRYING'::text])));

alter table simulcast_targets add constraint simulcast_targets_url_check CHECK ((char_length(url) <= 2048));

alter table sound_segments add constraint sound_segments_number_check CHECK ((number >= 0));

alter table sound_segments add constraint sound_segments_pkey PRIMARY KEY (video_asset_id, number);

alter table sound_segments add constraint sound_segments_state_check CHECK ((state = ANY (ARRAY['DONE'::text, 'RUNNING'::text, 'WAITING'::text])));

alter table subscriptions add constraint subscriptions_billing_interval_check CHECK ((billing_interval = ANY (ARRAY['MONTHLY'::text, 'ANNUAL'::text])));

alter table subscriptions add constraint subscriptions_pkey PRIMARY KEY (account_id);

alter table subscriptions add constraint subscriptions_plan_check CHECK ((plan = ANY (ARRAY['FREE'::text, 'PREMIUM'::text, 'PREMIUM_PLUS'::text, 'CREATOR_PLUS'::text])));

alter table subscriptions add constraint subscriptions_state_check CHECK ((state = ANY (ARRAY['TRIALING'::text, 'ACTIVE'::text, 'PAST_DUE'::text, 'CANCELED'::text, 'EXPIRED'::text])));

alter table transcode_jobs add constraint transcode_jobs_codec_check CHECK ((codec = ANY (ARRAY['AV1'::text, 'HEVC'::text])));

alter table transcode_jobs add constraint transcode_jobs_enhancement_check CHECK ((enhancement = ANY (ARRAY['UPMIX'::text, 'UPSCALE'::text])));

alter table transcode_jobs add constraint transcode_jobs_error_text CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table transcode_jobs add constraint transcode_jobs_pkey PRIMARY KEY (id);

alter table transcode_jobs add constraint transcode_jobs_progress_check CHECK (((progress >= 0) AND (progress <= 100)));

alter table transcode_jobs add constraint transcode_jobs_purpose_check CHECK ((purpose = ANY (ARRAY['PROCESS'::text, 'REPEAT'::text, 'RENDITIONS'::text, 'ENHANCE'::text, 'CAPTIONS'::text])));

alter table transcode_jobs add constraint transcode_jobs_reserved_bytes_check CHECK ((reserved_bytes >= 0));

alter table transcode_jobs add constraint transcode_jobs_status_check CHECK ((status = ANY (ARRAY['CANCELLED'::text, 'CANCELLING'::text, 'COMPLETE'::text, 'ERROR'::text, 'IDLE'::text, 'NONE'::text, 'QUEUED'::text, 'TRANSCODING'::text, 'UNKNOWN'::text])));

alter table trend_decay_cursor add constraint trend_decay_cursor_pkey PRIMARY KEY (singleton);

alter table trend_decay_cursor add constraint trend_decay_cursor_singleton_check CHECK (singleton);

alter table two_factors add constraint two_factors_account_id_key UNIQUE (account_id);

alter table two_factors add constraint two_factors_pkey PRIMARY KEY (id);

alter table upload_charges add constraint upload_charges_duration_ms_check CHECK ((duration_ms >= 0));

alter table upload_charges add constraint upload_charges_pkey PRIMARY KEY (video_asset_id);

alter table upscale_models add constraint upscale_models_check CHECK (((state = 'REFUSED'::text) = (reason IS NOT NULL)));

alter table upscale_models add constraint upscale_models_check1 CHECK (((source = 'BUILT_IN'::text) OR (state = 'REFUSED'::text) OR ((digest IS NOT NULL) AND (facts IS NOT NULL) AND (cost IS NOT NULL))));

alter table upscale_models add constraint upscale_models_cost_check CHECK ((cost > (0)::double precision));

alter table upscale_models add constraint upscale_models_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text));

alter table upscale_models add constraint upscale_models_pkey PRIMARY KEY (name);

alter table upscale_models add constraint upscale_models_source_check CHECK ((source = ANY (ARRAY['BUILT_IN'::text, 'OPERATOR'::text])));

alter table upscale_models add constraint upscale_models_state_check CHECK ((state = ANY (ARRAY['READY'::text, 'REFUSED'::text])));

alter table verifications add constraint verifications_pkey PRIMARY KEY (id);

alter table video_assets add constraint video_assets_derived_bytes_check CHECK ((derived_bytes >= 0));

alter table video_assets add constraint video_assets_derived_files_check CHECK ((derived_files >= 0));

alter table video_assets add constraint video_assets_edit_check CHECK ((edit = ANY (ARRAY['TRIM'::text, 'REVERT'::text])));

alter table video_assets add constraint video_assets_missing_ms_check CHECK ((missing_ms >= 0));

alter table video_assets add constraint video_assets_original_bytes_check CHECK ((original_bytes >= 0));

alter table video_assets add constraint video_assets_pkey PRIMARY KEY (id);

alter table video_assets add constraint video_assets_trim CHECK ((((NOT (edit IS DISTINCT FROM 'TRIM'::text)) = (original_key IS NOT NULL)) AND ((original_key IS NULL) = (kept_ranges IS NULL)) AND ((original_key IS NOT NULL) OR (original_bytes = 0))));

alter table video_fetches add constraint video_fetches_pkey PRIMARY KEY (video_asset_id);

alter table viewer_salts add constraint viewer_salts_pkey PRIMARY KEY (day);

alter table viewer_salts add constraint viewer_salts_salt_check CHECK ((octet_length(salt) = 32));

alter table virality_channels add constraint virality_channels_pkey PRIMARY KEY (model_id, channel_id);

alter table virality_models add constraint virality_models_clicks_check CHECK ((clicks >= 0));

alter table virality_models add constraint virality_models_contents_check CHECK ((contents >= 0));

alter table virality_models add constraint virality_models_impressions_check CHECK ((impressions >= 0));

alter table virality_models add constraint virality_models_pkey PRIMARY KEY (id);

alter table virality_trainings add constraint virality_trainings_pkey PRIMARY KEY (singleton);

alter table virality_trainings add constraint virality_trainings_singleton_check CHECK (singleton);

alter table watch_15min add constraint watch_15min_pkey PRIMARY KEY (content_id, at, country, device, os, browser);

alter table watch_cursor add constraint watch_cursor_pkey PRIMARY KEY (singleton);

alter table watch_cursor add constraint watch_cursor_singleton_check CHECK (singleton);

alter table watch_events add constraint watch_events_pkey PRIMARY KEY (session_id, seq, day);

alter table watch_later add constraint watch_later_pkey PRIMARY KEY (content_id, account_id);

alter table watch_positions add constraint watch_positions_pkey PRIMARY KEY (account_id, content_id);

alter table watch_sessions add constraint watch_sessions_pkey PRIMARY KEY (session_id, content_id);

alter table waveforms add constraint waveforms_check CHECK (((pairs IS NULL) = (milliseconds_per_pair IS NULL)));

alter table waveforms add constraint waveforms_check1 CHECK (((failed_at IS NULL) OR (pairs IS NULL)));

alter table waveforms add constraint waveforms_pkey PRIMARY KEY (id);

alter table webhook_deliveries add constraint webhook_deliveries_check CHECK (((status = 'PENDING'::text) = (next_attempt_at IS NOT NULL)));

alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);

alter table webhook_deliveries add constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])));

alter table webhooks add constraint webhooks_check CHECK ((is_enabled = (disabled_reason IS NULL)));

alter table webhooks add constraint webhooks_check1 CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL)));

alter table webhooks add constraint webhooks_delivery_order_check CHECK ((delivery_order = ANY (ARRAY['PARALLEL'::text, 'PER_CONTENT'::text])));

alter table webhooks add constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['OWNER'::text, 'FAILURES'::text, 'GONE'::text])));

alter table webhooks add constraint webhooks_events_check CHECK ((cardinality(events) > 0));

alter table webhooks add constraint webhooks_pkey PRIMARY KEY (id);

alter table work_attempts add constraint work_attempts_check CHECK (((outcome IS NULL) = (ended_at IS NULL)));

alter table work_attempts add constraint work_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['DONE'::text, 'FAILED'::text, 'RETURNED'::text, 'DIED'::text, 'LOST'::text])));

alter table work_attempts add constraint work_attempts_pkey PRIMARY KEY (id);

alter table work_processes add constraint work_processes_pkey PRIMARY KEY (id);

alter table workers add constraint workers_pkey PRIMARY KEY (id);

alter table youtube_connections add constraint youtube_connections_pkey PRIMARY KEY (account_id);

alter table youtube_consents add constraint youtube_consents_pkey PRIMARY KEY (state_hash);

alter table youtube_imports add constraint youtube_imports_pkey PRIMARY KEY (content_id);

alter table youtube_publish_jobs add constraint youtube_publish_jobs_error_text CHECK (((error_text IS NULL) OR (error_message IS NOT NULL)));

alter table youtube_publish_jobs add constraint youtube_publish_jobs_pkey PRIMARY KEY (id);

alter table youtube_publish_jobs add constraint youtube_publish_jobs_privacy_status_check CHECK ((privacy_status = ANY (ARRAY['PUBLIC'::text, 'UNLISTED'::text, 'PRIVATE'::text])));

alter table youtube_publish_jobs add constraint youtube_publish_jobs_progress_check CHECK (((progress >= 0) AND (progress <= 100)));

alter table youtube_publish_jobs add constraint youtube_publish_jobs_size_bytes_check CHECK ((size_bytes > 0));

alter table youtube_publish_jobs add constraint youtube_publish_jobs_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'UPLOADING'::text, 'PROCESSING'::text, 'COMPLETE'::text, 'ERROR'::text])));

alter table account_archives add constraint account_archives_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table account_settings add constraint account_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table accounts add constraint accounts_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE SET NULL;

alter table accounts add constraint accounts_primary_channel_id_fkey FOREIGN KEY (primary_channel_id) REFERENCES channels(id) DEFERRABLE INITIALLY DEFERRED;

alter table api_key_usage add constraint api_key_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table api_key_usage_limits add constraint api_key_usage_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table api_keys add constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table api_tokens add constraint api_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table arriving_segments add constraint arriving_segments_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES arriving_videos(video_asset_id) ON DELETE CASCADE;

alter table arriving_videos add constraint arriving_videos_ingestion_id_fkey FOREIGN KEY (ingestion_id) REFERENCES ingestions(id) ON DELETE CASCADE;

alter table arriving_videos add constraint arriving_videos_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table broadcast_charges add constraint broadcast_charges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table broadcast_segments add constraint broadcast_segments_broadcast_id_fkey FOREIGN KEY (broadcast_id) REFERENCES broadcasts(id) ON DELETE CASCADE;

alter table broadcast_track_segments add constraint broadcast_track_segments_broadcast_id_fkey FOREIGN KEY (broadcast_id) REFERENCES broadcasts(id) ON DELETE CASCADE;

alter table broadcasts add constraint broadcasts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table broadcasts add constraint broadcasts_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table broadcasts add constraint broadcasts_input_id_fkey FOREIGN KEY (input_id) REFERENCES live_inputs(id) ON DELETE SET NULL;

alter table caption_jobs add constraint caption_jobs_captions_id_fkey FOREIGN KEY (captions_id) REFERENCES captions(id) ON DELETE SET NULL;

alter table caption_jobs add constraint caption_jobs_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table caption_jobs add constraint caption_jobs_job_id_fkey FOREIGN KEY (job_id) REFERENCES transcode_jobs(id) ON DELETE CASCADE;

alter table caption_jobs add constraint caption_jobs_source_id_fkey FOREIGN KEY (source_id) REFERENCES captions(id) ON DELETE SET NULL;

alter table caption_parts add constraint caption_parts_job_id_fkey FOREIGN KEY (job_id) REFERENCES caption_jobs(job_id) ON DELETE CASCADE;

alter table captions add constraint captions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table captions add constraint captions_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table captions add constraint captions_spoken_in_fkey FOREIGN KEY (spoken_in) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table captions add constraint captions_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table channel_15min add constraint channel_15min_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table channel_blocks add constraint channel_blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table channel_blocks add constraint channel_blocks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table channel_categories add constraint channel_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id);

alter table channel_categories add constraint channel_categories_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table channel_invitations add constraint channel_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table channel_invitations add constraint channel_invitations_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table channel_invitations add constraint channel_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES accounts(id) ON DELETE SET NULL;

alter table channel_members add constraint channel_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table channel_members add constraint channel_members_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table channel_moderation add constraint channel_moderation_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table channels add constraint channels_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table chat_messages add constraint chat_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table chat_messages add constraint chat_messages_content_id_fkey FOREIGN KEY (content_id) REFERENCES chats(id) ON DELETE CASCADE;

alter table chat_rate_limits add constraint chat_rate_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table chat_rate_limits add constraint chat_rate_limits_content_id_fkey FOREIGN KEY (content_id) REFERENCES chats(id) ON DELETE CASCADE;

alter table chat_timeouts add constraint chat_timeouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table chat_timeouts add constraint chat_timeouts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table chats add constraint chats_id_fkey FOREIGN KEY (id) REFERENCES contents(id) ON DELETE CASCADE;

alter table chats add constraint chats_pinned_id_fkey FOREIGN KEY (pinned_id) REFERENCES chat_messages(id) ON DELETE SET NULL;

alter table comment_edits add constraint comment_edits_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;

alter table comment_likes add constraint comment_likes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table comment_likes add constraint comment_likes_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;

alter table comment_mentions add constraint comment_mentions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table comment_mentions add constraint comment_mentions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;

alter table comment_rate_limits add constraint comment_rate_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table comment_rate_limits add constraint comment_rate_limits_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table comments add constraint comments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL;

alter table comments add constraint comments_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table comments add constraint comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments(id);

alter table comments add constraint comments_root_id_fkey FOREIGN KEY (root_id) REFERENCES comments(id);

alter table concealed_playlists add constraint concealed_playlists_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE;

alter table content_categories add constraint content_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id);

alter table content_categories add constraint content_categories_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_daily add constraint content_daily_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_forecasts add constraint content_forecasts_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_genres add constraint content_genres_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_genres add constraint content_genres_genre_id_fkey FOREIGN KEY (genre_id) REFERENCES genres(id);

alter table content_listing_terms add constraint content_listing_terms_content_id_fkey FOREIGN KEY (content_id) REFERENCES content_listings(content_id) ON DELETE CASCADE;

alter table content_listings add constraint content_listings_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_retention add constraint content_retention_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_rises add constraint content_rises_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_shares add constraint content_shares_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table content_shares add constraint content_shares_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table content_shares add constraint content_shares_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_shares add constraint content_shares_created_by_fkey FOREIGN KEY (created_by) REFERENCES accounts(id) ON DELETE SET NULL;

alter table content_test_variants add constraint content_test_variants_test_id_fkey FOREIGN KEY (test_id) REFERENCES content_tests(id) ON DELETE CASCADE;

alter table content_test_viewers add constraint content_test_viewers_test_id_fkey FOREIGN KEY (test_id) REFERENCES content_tests(id) ON DELETE CASCADE;

alter table content_tests add constraint content_tests_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table content_views add constraint content_views_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table contents add constraint contents_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table contents add constraint contents_clipped_from_fkey FOREIGN KEY (clipped_from) REFERENCES contents(id) ON DELETE SET NULL;

alter table contents add constraint contents_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES contents(id) ON DELETE RESTRICT;

alter table contents add constraint contents_rating_id_fkey FOREIGN KEY (rating_id) REFERENCES ratings(id);

alter table contents add constraint contents_trashed_with_fkey FOREIGN KEY (trashed_with) REFERENCES contents(id) ON DELETE SET NULL;

alter table credentials add constraint credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table data_export_parts add constraint data_export_parts_export_id_fkey FOREIGN KEY (export_id) REFERENCES data_exports(id) ON DELETE CASCADE;

alter table data_exports add constraint data_exports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table email_confirmations add constraint email_confirmations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table encode_chunks add constraint encode_chunks_job_id_fkey FOREIGN KEY (job_id) REFERENCES encode_plans(job_id) ON DELETE CASCADE;

alter table encode_plans add constraint encode_plans_job_id_fkey FOREIGN KEY (job_id) REFERENCES transcode_jobs(id) ON DELETE CASCADE;

alter table encoded_videos add constraint encoded_videos_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table enhancements add constraint enhancements_job_id_fkey FOREIGN KEY (job_id) REFERENCES transcode_jobs(id) ON DELETE CASCADE;

alter table enhancements add constraint enhancements_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table event_failures add constraint event_failures_consumer_fkey FOREIGN KEY (consumer) REFERENCES event_cursors(consumer) ON DELETE CASCADE;

alter table event_failures add constraint event_failures_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE;

alter table follow_changes add constraint follow_changes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table follows add constraint follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table follows add constraint follows_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table generation_charges add constraint generation_charges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table idempotency_keys add constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table image_assets add constraint image_assets_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table image_assets add constraint image_assets_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table image_assets add constraint image_assets_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE;

alter table image_assets add constraint image_assets_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table image_features add constraint image_features_image_id_fkey FOREIGN KEY (image_id) REFERENCES image_assets(id) ON DELETE CASCADE;

alter table ingestions add constraint ingestions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table ingestions add constraint ingestions_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table ingestions add constraint ingestions_final_id_fkey FOREIGN KEY (final_id) REFERENCES ingestions(id) ON DELETE CASCADE;

alter table ingestions add constraint ingestions_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE;

alter table invitations add constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES accounts(id) ON DELETE SET NULL;

alter table known_browsers add constraint known_browsers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table likes add constraint likes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table likes add constraint likes_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table live_inputs add constraint live_inputs_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table media_indexes add constraint media_indexes_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table notifications add constraint notifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table notifications add constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;

alter table notifications add constraint notifications_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table notifications add constraint notifications_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES channel_invitations(id) ON DELETE CASCADE;

alter table oauth_access_tokens add constraint oauth_access_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oauth_access_tokens add constraint oauth_access_tokens_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(client_id) ON DELETE CASCADE;

alter table oauth_access_tokens add constraint oauth_access_tokens_refresh_id_fkey FOREIGN KEY (refresh_id) REFERENCES oauth_refresh_tokens(id) ON DELETE CASCADE;

alter table oauth_access_tokens add constraint oauth_access_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL;

alter table oauth_client_resources add constraint oauth_client_resources_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(client_id) ON DELETE CASCADE;

alter table oauth_client_resources add constraint oauth_client_resources_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES oauth_resources(identifier) ON DELETE CASCADE;

alter table oauth_clients add constraint oauth_clients_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oauth_consents add constraint oauth_consents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oauth_consents add constraint oauth_consents_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(client_id) ON DELETE CASCADE;

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(client_id) ON DELETE CASCADE;

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL;

alter table oidc_grants add constraint oidc_grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oidc_sessions add constraint oidc_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table oidc_sessions add constraint oidc_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table operator_actions add constraint operator_actions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL;

alter table operator_actions add constraint operator_actions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES accounts(id) ON DELETE SET NULL;

alter table passkeys add constraint passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table password_resets add constraint password_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table payment_customers add constraint payment_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table pending_sign_ups add constraint pending_sign_ups_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE CASCADE;

alter table playlist_items add constraint playlist_items_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table playlist_items add constraint playlist_items_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE;

alter table playlists add constraint playlists_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table rendition_outputs add constraint rendition_outputs_video_asset_id_folder_fkey FOREIGN KEY (video_asset_id, folder) REFERENCES renditions(video_asset_id, folder) ON DELETE CASCADE;

alter table renditions add constraint renditions_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table reports add constraint reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL;

alter table reports add constraint reports_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table reports add constraint reports_chat_message_id_fkey FOREIGN KEY (chat_message_id) REFERENCES chat_messages(id) ON DELETE CASCADE;

alter table reports add constraint reports_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;

alter table reports add constraint reports_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table reports add constraint reports_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES accounts(id) ON DELETE SET NULL;

alter table sessions add constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table share_links add constraint share_links_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table share_links add constraint share_links_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table share_links add constraint share_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES accounts(id) ON DELETE SET NULL;

alter table signing_keys add constraint signing_keys_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table simulcast_targets add constraint simulcast_targets_input_id_fkey FOREIGN KEY (input_id) REFERENCES live_inputs(id) ON DELETE CASCADE;

alter table sound_segments add constraint sound_segments_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table subscriptions add constraint subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table transcode_jobs add constraint transcode_jobs_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table transcode_jobs add constraint transcode_jobs_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table transcode_jobs add constraint transcode_jobs_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE SET NULL;

alter table two_factors add constraint two_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table upload_charges add constraint upload_charges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table video_assets add constraint video_assets_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table video_assets add constraint video_assets_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table video_assets add constraint video_assets_ingestion_id_fkey FOREIGN KEY (ingestion_id) REFERENCES ingestions(id) ON DELETE SET NULL;

alter table video_fetches add constraint video_fetches_video_asset_id_fkey FOREIGN KEY (video_asset_id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table virality_channels add constraint virality_channels_model_id_fkey FOREIGN KEY (model_id) REFERENCES virality_models(id) ON DELETE CASCADE;

alter table watch_15min add constraint watch_15min_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table watch_later add constraint watch_later_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table watch_later add constraint watch_later_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table watch_positions add constraint watch_positions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table watch_positions add constraint watch_positions_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table watch_sessions add constraint watch_sessions_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table waveforms add constraint waveforms_id_fkey FOREIGN KEY (id) REFERENCES video_assets(id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

alter table webhooks add constraint webhooks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE;

alter table work_attempts add constraint work_attempts_process_id_fkey FOREIGN KEY (process_id) REFERENCES work_processes(id) ON DELETE CASCADE;

alter table youtube_connections add constraint youtube_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table youtube_consents add constraint youtube_consents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table youtube_imports add constraint youtube_imports_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table youtube_publish_jobs add constraint youtube_publish_jobs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table youtube_publish_jobs add constraint youtube_publish_jobs_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel_ids(id) ON DELETE CASCADE;

alter table youtube_publish_jobs add constraint youtube_publish_jobs_content_id_fkey FOREIGN KEY (content_id) REFERENCES contents(id) ON DELETE CASCADE;

alter table chat_messages alter column content_id set (n_distinct=-0.001);

alter table chat_messages alter column account_id set (n_distinct=-0.001);

alter table comments alter column content_id set (n_distinct=-0.001);

alter table comments alter column channel_id set (n_distinct=-0.001);

alter table comments alter column parent_id set (n_distinct=-0.05);

alter table comments alter column root_id set (n_distinct=-0.05);

alter table comments alter column account_id set (n_distinct=-0.001);

alter table content_listing_terms alter column term_id set (n_distinct=-0.001);

alter table content_listings alter column channel_id set (n_distinct=-0.001);

alter table contents alter column channel_id set (n_distinct=-0.001);

alter table contents alter column parent_id set (n_distinct=-0.001);

alter table events alter column channel_id set (n_distinct=-0.001);

alter table follows alter column channel_id set (n_distinct=-0.001);

alter table follows alter column account_id set (n_distinct=-0.001);

alter table likes alter column account_id set (n_distinct=-0.001);

alter table notifications alter column account_id set (n_distinct=-0.001);

alter table playlist_items alter column playlist_id set (n_distinct=-0.001);

alter table playlists alter column channel_id set (n_distinct=-0.001);

alter table transcode_jobs alter column channel_id set (n_distinct=-0.001);

alter table watch_later alter column account_id set (n_distinct=-0.001);

alter table watch_positions alter column account_id set (n_distinct=-0.001);

CREATE INDEX account_archives_account ON public.account_archives USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX account_archives_age ON public.account_archives USING btree (created_at);

CREATE INDEX account_archives_expiry ON public.account_archives USING btree (expires_at) WHERE (status = 'COMPLETE'::text);

CREATE UNIQUE INDEX account_archives_open ON public.account_archives USING btree (account_id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));

CREATE INDEX accounts_closed ON public.accounts USING btree (deletes_at) WHERE (deletes_at IS NOT NULL);

CREATE INDEX accounts_newest ON public.accounts USING btree (created_at, id);

CREATE INDEX accounts_primary_channel ON public.accounts USING btree (primary_channel_id);

CREATE INDEX accounts_revealing ON public.accounts USING btree (revealing_from) WHERE (revealing_from IS NOT NULL);

CREATE INDEX accounts_search ON public.accounts USING gin (lower((((((username)::text || ' '::text) || (email)::text) || ' '::text) || name)) gin_trgm_ops);

CREATE INDEX api_key_audit_log_by_age ON public.api_key_audit_log USING brin (at);

CREATE INDEX api_key_usage_of_account ON public.api_key_usage USING btree (account_id, at);

CREATE INDEX api_tokens_expired ON public.api_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE UNIQUE INDEX api_tokens_name ON public.api_tokens USING btree (account_id, lower(name));

CREATE INDEX api_tokens_newest ON public.api_tokens USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX attempt_counters_expiry ON public.attempt_counters USING btree (expires_at);

CREATE INDEX broadcast_charges_account ON public.broadcast_charges USING btree (account_id);

CREATE INDEX broadcasts_channel ON public.broadcasts USING btree (channel_id);

CREATE INDEX broadcasts_input ON public.broadcasts USING btree (input_id, connected_at DESC, id DESC);

CREATE UNIQUE INDEX broadcasts_open ON public.broadcasts USING btree (input_id) WHERE (state = ANY (ARRAY['CONNECTED'::text, 'LIVE'::text, 'RECONNECTING'::text]));

CREATE INDEX broadcasts_scheduled ON public.broadcasts USING btree (input_id, scheduled_at) WHERE (state = 'SCHEDULED'::text);

CREATE INDEX broadcasts_unfinished ON public.broadcasts USING btree (state) WHERE (state <> ALL (ARRAY['RECORDED'::text, 'MISSED'::text, 'CANCELED'::text]));

CREATE INDEX caption_jobs_captions ON public.caption_jobs USING btree (captions_id) WHERE (captions_id IS NOT NULL);

CREATE INDEX caption_jobs_content ON public.caption_jobs USING btree (content_id);

CREATE INDEX caption_jobs_source ON public.caption_jobs USING btree (source_id) WHERE (source_id IS NOT NULL);

CREATE INDEX captions_channel ON public.captions USING btree (channel_id);

CREATE INDEX captions_content ON public.captions USING btree (content_id, created_at, id);

CREATE INDEX captions_spoken_in ON public.captions USING btree (spoken_in) WHERE (spoken_in IS NOT NULL);

CREATE INDEX captions_video ON public.captions USING btree (video_asset_id) WHERE (video_asset_id IS NOT NULL);

CREATE INDEX channel_blocks_account ON public.channel_blocks USING btree (account_id);

CREATE INDEX channel_blocks_newest ON public.channel_blocks USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX channel_categories_category ON public.channel_categories USING btree (category_id, channel_id);

CREATE INDEX channel_ids_deleted ON public.channel_ids USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX channel_invitations_account ON public.channel_invitations USING btree (account_id, created_at DESC, id DESC) WHERE (account_id IS NOT NULL);

CREATE INDEX channel_invitations_channel ON public.channel_invitations USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX channel_invitations_email ON public.channel_invitations USING btree (email, created_at DESC, id DESC) WHERE (email IS NOT NULL);

CREATE INDEX channel_invitations_expiry ON public.channel_invitations USING btree (expires_at);

CREATE INDEX channel_invitations_invited_by ON public.channel_invitations USING btree (invited_by) WHERE (invited_by IS NOT NULL);

CREATE INDEX channel_members_account ON public.channel_members USING btree (account_id, channel_id);

CREATE INDEX channel_members_newest ON public.channel_members USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX channel_members_of_account ON public.channel_members USING btree (account_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX channel_members_owner ON public.channel_members USING btree (channel_id) WHERE (role = 'OWNER'::text);

CREATE INDEX channels_account ON public.channels USING btree (account_id, id);

CREATE INDEX channels_newest ON public.channels USING btree (created_at DESC, id DESC);

CREATE UNIQUE INDEX channels_test ON public.channels USING btree (account_id) WHERE is_test;

CREATE INDEX chat_messages_account ON public.chat_messages USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX chat_messages_held ON public.chat_messages USING btree (content_id, created_at, id) WHERE (status = 'HELD'::text);

CREATE INDEX chat_messages_newest ON public.chat_messages USING btree (content_id, created_at DESC, id DESC) WHERE (status <> 'DELETED'::text);

CREATE INDEX chat_messages_position ON public.chat_messages USING btree (content_id, position_ms, id) WHERE (status = 'PUBLISHED'::text);

CREATE INDEX chat_messages_version ON public.chat_messages USING btree (content_id, version);

CREATE INDEX chat_rate_limits_account ON public.chat_rate_limits USING btree (account_id);

CREATE INDEX chat_timeouts_account ON public.chat_timeouts USING btree (account_id);

CREATE INDEX chats_pinned ON public.chats USING btree (pinned_id) WHERE (pinned_id IS NOT NULL);

CREATE INDEX comment_edits_comment ON public.comment_edits USING btree (comment_id, created_at DESC, id DESC);

CREATE INDEX comment_likes_account ON public.comment_likes USING btree (account_id);

CREATE INDEX comment_mentions_account ON public.comment_mentions USING btree (account_id, comment_id DESC);

CREATE INDEX comment_rate_limits_channel ON public.comment_rate_limits USING btree (channel_id);

CREATE INDEX comments_account ON public.comments USING btree (account_id, created_at DESC, id DESC) WHERE (account_id IS NOT NULL);

CREATE INDEX comments_account_content ON public.comments USING btree (account_id, content_id) WHERE (account_id IS NOT NULL);

CREATE INDEX comments_channel ON public.comments USING btree (channel_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX comments_content ON public.comments USING btree (content_id);

CREATE INDEX comments_held ON public.comments USING btree (channel_id, created_at, id) WHERE (status = 'HELD'::text);

CREATE INDEX comments_newest ON public.comments USING btree (content_id, pin DESC, created_at DESC, id DESC) WHERE ((parent_id IS NULL) AND listed);

CREATE UNIQUE INDEX comments_pinned ON public.comments USING btree (content_id) WHERE (pin = 1);

CREATE INDEX comments_replies ON public.comments USING btree (parent_id, created_at, id) WHERE (parent_id IS NOT NULL);

CREATE INDEX comments_thread ON public.comments USING btree (root_id, created_at, id) WHERE (root_id IS NOT NULL);

CREATE INDEX comments_top ON public.comments USING btree (content_id, pin DESC, likes_count DESC, id DESC) WHERE ((parent_id IS NULL) AND listed);

CREATE INDEX content_categories_category ON public.content_categories USING btree (category_id, content_id);

CREATE INDEX content_daily_channel ON public.content_daily USING btree (channel_id, day);

CREATE INDEX content_daily_day ON public.content_daily USING btree (day, content_id);

CREATE INDEX content_genres_genre ON public.content_genres USING btree (genre_id, content_id);

CREATE INDEX content_listing_terms_duration ON public.content_listing_terms USING btree (term_id, duration_ms DESC, content_id DESC);

CREATE INDEX content_listing_terms_likes ON public.content_listing_terms USING btree (term_id, likes DESC, content_id DESC);

CREATE INDEX content_listing_terms_name ON public.content_listing_terms USING btree (term_id, name, content_id);

CREATE INDEX content_listing_terms_newest ON public.content_listing_terms USING btree (term_id, published_at DESC, content_id DESC);

CREATE INDEX content_listing_terms_trend ON public.content_listing_terms USING btree (term_id, trend DESC, published_at DESC, content_id DESC);

CREATE INDEX content_listing_terms_views ON public.content_listing_terms USING btree (term_id, views DESC, content_id DESC);

CREATE INDEX content_listings_channel ON public.content_listings USING btree (channel_id, published_at DESC, content_id DESC);

CREATE INDEX content_listings_duration ON public.content_listings USING btree (duration_ms DESC, content_id DESC);

CREATE INDEX content_listings_kind ON public.content_listings USING btree (kind, published_at DESC, content_id DESC);

CREATE INDEX content_listings_likes ON public.content_listings USING btree (likes DESC, content_id DESC);

CREATE INDEX content_listings_name ON public.content_listings USING btree (name, content_id);

CREATE INDEX content_listings_newest ON public.content_listings USING btree (published_at DESC, content_id DESC);

CREATE INDEX content_listings_trend ON public.content_listings USING btree (trend DESC, published_at DESC, content_id DESC);

CREATE INDEX content_listings_views ON public.content_listings USING btree (views DESC, content_id DESC);

CREATE UNIQUE INDEX content_shares_account ON public.content_shares USING btree (account_id, content_id) WHERE (account_id IS NOT NULL);

CREATE INDEX content_shares_channel ON public.content_shares USING btree (channel_id);

CREATE INDEX content_shares_content ON public.content_shares USING btree (content_id, created_at DESC, id DESC);

CREATE INDEX content_shares_created_by ON public.content_shares USING btree (created_by) WHERE (created_by IS NOT NULL);

CREATE UNIQUE INDEX content_shares_email ON public.content_shares USING btree (email, content_id) WHERE (email IS NOT NULL);

CREATE INDEX content_tests_newest ON public.content_tests USING btree (content_id, started_at, id);

CREATE UNIQUE INDEX content_tests_running ON public.content_tests USING btree (content_id) WHERE (state = 'RUNNING'::text);

CREATE INDEX content_views_channel ON public.content_views USING btree (channel_id, at, viewer);

CREATE INDEX content_views_content ON public.content_views USING btree (content_id, at, viewer);

CREATE INDEX contents_channel ON public.contents USING btree (channel_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX contents_channel_kind ON public.contents USING btree (channel_id, kind, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX contents_channel_listed ON public.contents USING btree (channel_id, kind, published_at DESC, id DESC) WHERE listed;

CREATE INDEX contents_channel_title ON public.contents USING btree (channel_id, regexp_replace(casefold((NORMALIZE(title, NFKD) COLLATE pg_unicode_fast)), '[\u0300-\u036f]'::text, ''::text, 'g'::text) COLLATE "C", id) WHERE (deleted_at IS NULL);

CREATE INDEX contents_children ON public.contents USING btree (parent_id, number, id) WHERE (deleted_at IS NULL);

CREATE INDEX contents_children_shown ON public.contents USING btree (parent_id, number, id) WHERE ((status = 'PUBLISHED'::text) AND (visibility = 'PUBLIC'::text) AND (deleted_at IS NULL));

CREATE INDEX contents_clipped_from ON public.contents USING btree (clipped_from) WHERE (clipped_from IS NOT NULL);

CREATE INDEX contents_due ON public.contents USING btree (release_at) WHERE ((status = 'READY'::text) AND (release_at > created_at) AND (deleted_at IS NULL));

CREATE INDEX contents_listed ON public.contents USING btree (kind, published_at DESC, id DESC) WHERE listed;

CREATE INDEX contents_parent ON public.contents USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX contents_purge_due ON public.contents USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (trashed_with IS NULL));

CREATE INDEX contents_rating ON public.contents USING btree (rating_id) WHERE (rating_id IS NOT NULL);

CREATE UNIQUE INDEX contents_short_code ON public.contents USING btree (short_code);

CREATE INDEX contents_trash ON public.contents USING btree (channel_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (trashed_with IS NULL));

CREATE INDEX contents_trashed_with ON public.contents USING btree (trashed_with) WHERE (trashed_with IS NOT NULL);

CREATE INDEX counters_channel_listed ON public.counters USING btree (key) WHERE ((scope ~~ 'channel:listed:%'::text) AND (scope <> 'channel:listed:PLAYLIST'::text));

CREATE INDEX credentials_account ON public.credentials USING btree (account_id);

CREATE INDEX data_exports_account ON public.data_exports USING btree (account_id, created_at, id);

CREATE INDEX data_exports_age ON public.data_exports USING btree (created_at);

CREATE INDEX data_exports_expiry ON public.data_exports USING btree (expires_at) WHERE (status = 'COMPLETE'::text);

CREATE INDEX data_exports_open ON public.data_exports USING btree (account_id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));

CREATE INDEX email_confirmations_account ON public.email_confirmations USING btree (account_id);

CREATE INDEX email_confirmations_expired ON public.email_confirmations USING btree (expires_at);

CREATE INDEX encode_chunks_open ON public.encode_chunks USING btree (job_id) WHERE (state <> 'DONE'::text);

CREATE INDEX enhancements_job ON public.enhancements USING btree (job_id);

CREATE INDEX event_failures_event ON public.event_failures USING btree (event_id);

CREATE INDEX events_channel ON public.events USING btree (channel_id, xact, id, created_at) WHERE (channel_id IS NOT NULL);

CREATE INDEX events_order ON public.events USING btree (xact, id);

CREATE UNIQUE INDEX events_uid ON public.events USING btree (uid);

CREATE INDEX follow_changes_channel ON public.follow_changes USING btree (channel_id, created_at);

CREATE INDEX follows_account ON public.follows USING btree (account_id, created_at DESC, channel_id DESC);

CREATE INDEX follows_channel ON public.follows USING btree (channel_id, created_at DESC, account_id DESC);

CREATE INDEX generation_charges_account ON public.generation_charges USING btree (account_id);

CREATE INDEX idempotency_keys_old ON public.idempotency_keys USING btree (created_at);

CREATE INDEX image_assets_channel ON public.image_assets USING btree (channel_id, created_at DESC, id DESC) WHERE ((content_id IS NULL) AND (playlist_id IS NULL));

CREATE INDEX image_assets_content ON public.image_assets USING btree (content_id, created_at DESC, id DESC) WHERE (content_id IS NOT NULL);

CREATE INDEX image_assets_newest ON public.image_assets USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX image_assets_playlist ON public.image_assets USING btree (playlist_id, created_at DESC, id DESC) WHERE (playlist_id IS NOT NULL);

CREATE INDEX image_assets_storage ON public.image_assets USING btree (channel_id) INCLUDE (size_bytes);

CREATE INDEX image_assets_video ON public.image_assets USING btree (video_asset_id) WHERE (video_asset_id IS NOT NULL);

CREATE INDEX ingestions_channel ON public.ingestions USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX ingestions_channel_open ON public.ingestions USING btree (channel_id) WHERE (state = 'OPEN'::text);

CREATE INDEX ingestions_content ON public.ingestions USING btree (content_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX ingestions_final_position ON public.ingestions USING btree (final_id, final_position) WHERE (final_id IS NOT NULL);

CREATE INDEX ingestions_joining ON public.ingestions USING btree (id) WHERE ((state = 'OPEN'::text) AND (upload_concat IS NOT NULL));

CREATE INDEX ingestions_open ON public.ingestions USING btree (expires_at) WHERE (state = 'OPEN'::text);

CREATE INDEX ingestions_partial_ended ON public.ingestions USING btree (expires_at) WHERE (is_partial AND (state <> 'OPEN'::text));

CREATE INDEX ingestions_playlist ON public.ingestions USING btree (playlist_id) WHERE (playlist_id IS NOT NULL);

CREATE INDEX ingestions_received ON public.ingestions USING btree (id) WHERE ((state = 'OPEN'::text) AND (received_bytes = size_bytes) AND (NOT size_deferred) AND (NOT is_partial) AND (upload_concat IS NULL));

CREATE INDEX interrupted_work_subject_idx ON public.interrupted_work USING btree (subject) WHERE (subject IS NOT NULL);

CREATE INDEX invitations_created_by ON public.invitations USING btree (created_by);

CREATE INDEX invitations_newest ON public.invitations USING btree (created_at DESC, id DESC);

CREATE INDEX known_browsers_seen ON public.known_browsers USING btree (seen_at);

CREATE INDEX likes_account ON public.likes USING btree (account_id, created_at DESC, content_id DESC);

CREATE INDEX live_inputs_channel ON public.live_inputs USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX message_bus_by_age ON public.message_bus USING btree (posted_at);

CREATE INDEX notifications_account ON public.notifications USING btree (account_id, created_at DESC, id DESC) WHERE in_page;

CREATE INDEX notifications_age ON public.notifications USING btree (created_at);

CREATE INDEX notifications_comment ON public.notifications USING btree (comment_id) WHERE (comment_id IS NOT NULL);

CREATE INDEX notifications_content ON public.notifications USING btree (content_id);

CREATE UNIQUE INDEX notifications_invitation ON public.notifications USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);

CREATE INDEX notifications_mail_due ON public.notifications USING btree (created_at) WHERE mail_due;

CREATE UNIQUE INDEX notifications_once ON public.notifications USING btree (account_id, kind, content_id, COALESCE(comment_id, content_id));

CREATE INDEX notifications_unread ON public.notifications USING btree (account_id) WHERE ((read_at IS NULL) AND in_page);

CREATE INDEX oauth_access_tokens_account ON public.oauth_access_tokens USING btree (account_id);

CREATE INDEX oauth_access_tokens_client ON public.oauth_access_tokens USING btree (client_id, account_id);

CREATE INDEX oauth_access_tokens_code ON public.oauth_access_tokens USING btree (authorization_code_id);

CREATE INDEX oauth_access_tokens_expiry ON public.oauth_access_tokens USING btree (expires_at);

CREATE INDEX oauth_access_tokens_refresh ON public.oauth_access_tokens USING btree (refresh_id);

CREATE INDEX oauth_access_tokens_session ON public.oauth_access_tokens USING btree (session_id);

CREATE INDEX oauth_client_resources_resource ON public.oauth_client_resources USING btree (resource_id);

CREATE INDEX oauth_clients_account ON public.oauth_clients USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX oauth_clients_created ON public.oauth_clients USING btree (created_at);

CREATE INDEX oauth_clients_documents ON public.oauth_clients USING btree (updated_at) WHERE (client_discovery_id IS NOT NULL);

CREATE INDEX oauth_consents_account ON public.oauth_consents USING btree (account_id, client_id);

CREATE INDEX oauth_consents_client ON public.oauth_consents USING btree (client_id);

CREATE INDEX oauth_refresh_tokens_account ON public.oauth_refresh_tokens USING btree (account_id);

CREATE INDEX oauth_refresh_tokens_client ON public.oauth_refresh_tokens USING btree (client_id, account_id);

CREATE INDEX oauth_refresh_tokens_code ON public.oauth_refresh_tokens USING btree (authorization_code_id);

CREATE INDEX oauth_refresh_tokens_expiry ON public.oauth_refresh_tokens USING btree (expires_at);

CREATE INDEX oauth_refresh_tokens_session ON public.oauth_refresh_tokens USING btree (session_id);

CREATE INDEX object_purges_due ON public.object_purges USING btree (due_at);

CREATE INDEX oidc_grants_operators ON public.oidc_grants USING btree (confirmed_at) WHERE (is_operator AND (NOT paused));

CREATE INDEX oidc_sessions_account ON public.oidc_sessions USING btree (account_id);

CREATE INDEX oidc_sessions_subject ON public.oidc_sessions USING btree (issuer, subject);

CREATE INDEX operator_actions_account ON public.operator_actions USING btree (account_id);

CREATE INDEX operator_actions_newest ON public.operator_actions USING btree (at, id);

CREATE INDEX operator_actions_operator ON public.operator_actions USING btree (operator_id);

CREATE INDEX passkeys_account ON public.passkeys USING btree (account_id);

CREATE INDEX password_resets_account ON public.password_resets USING btree (account_id);

CREATE INDEX password_resets_expired ON public.password_resets USING btree (expires_at);

CREATE INDEX payment_events_age ON public.payment_events USING btree (received_at);

CREATE INDEX pending_sign_ups_email ON public.pending_sign_ups USING btree (email);

CREATE INDEX pending_sign_ups_expired ON public.pending_sign_ups USING btree (expires_at);

CREATE INDEX pending_sign_ups_invitation ON public.pending_sign_ups USING btree (invitation_id);

CREATE INDEX playlist_items_content ON public.playlist_items USING btree (content_id, playlist_id);

CREATE INDEX playlists_channel ON public.playlists USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX playlists_listed ON public.playlists USING btree (created_at DESC, id DESC) WHERE listed;

CREATE INDEX reports_account ON public.reports USING btree (account_id);

CREATE INDEX reports_channel ON public.reports USING btree (channel_id, status, created_at DESC, id DESC);

CREATE INDEX reports_chat_message ON public.reports USING btree (chat_message_id) WHERE (chat_message_id IS NOT NULL);

CREATE INDEX reports_comment ON public.reports USING btree (comment_id) WHERE (comment_id IS NOT NULL);

CREATE INDEX reports_content ON public.reports USING btree (content_id) WHERE (content_id IS NOT NULL);

CREATE INDEX reports_newest ON public.reports USING btree (status, created_at, id);

CREATE UNIQUE INDEX reports_open ON public.reports USING btree (account_id, subject_id) WHERE (status = 'OPEN'::text);

CREATE INDEX reports_resolver ON public.reports USING btree (resolved_by) WHERE (resolved_by IS NOT NULL);

CREATE INDEX reports_subject ON public.reports USING btree (subject_id) WHERE (status = 'OPEN'::text);

CREATE INDEX resource_subscriptions_expiry ON public.resource_subscriptions USING btree (expires_at);

CREATE INDEX search_documents_channel ON public.search_documents USING btree (channel_id, id);

CREATE INDEX search_documents_tier0 ON public.search_documents USING gin (words) WHERE (tier = 0);

CREATE INDEX search_documents_tier1 ON public.search_documents USING gin (words) WHERE (tier = 1);

CREATE INDEX search_documents_tier10 ON public.search_documents USING gin (words) WHERE (tier = 10);

CREATE INDEX search_documents_tier11 ON public.search_documents USING gin (words) WHERE (tier = 11);

CREATE INDEX search_documents_tier12 ON public.search_documents USING gin (words) WHERE (tier = 12);

CREATE INDEX search_documents_tier13 ON public.search_documents USING gin (words) WHERE (tier = 13);

CREATE INDEX search_documents_tier14 ON public.search_documents USING gin (words) WHERE (tier = 14);

CREATE INDEX search_documents_tier15 ON public.search_documents USING gin (words) WHERE (tier = 15);

CREATE INDEX search_documents_tier2 ON public.search_documents USING gin (words) WHERE (tier = 2);

CREATE INDEX search_documents_tier3 ON public.search_documents USING gin (words) WHERE (tier = 3);

CREATE INDEX search_documents_tier4 ON public.search_documents USING gin (words) WHERE (tier = 4);

CREATE INDEX search_documents_tier5 ON public.search_documents USING gin (words) WHERE (tier = 5);

CREATE INDEX search_documents_tier6 ON public.search_documents USING gin (words) WHERE (tier = 6);

CREATE INDEX search_documents_tier7 ON public.search_documents USING gin (words) WHERE (tier = 7);

CREATE INDEX search_documents_tier8 ON public.search_documents USING gin (words) WHERE (tier = 8);

CREATE INDEX search_documents_tier9 ON public.search_documents USING gin (words) WHERE (tier = 9);

CREATE INDEX search_documents_top ON public.search_documents USING btree (tier, weight) INCLUDE (id) WHERE (tier < 5);

CREATE INDEX search_documents_weight ON public.search_documents USING btree (weight DESC, tier);

CREATE INDEX search_vocabulary_deletions ON public.search_vocabulary USING gin (deletions);

CREATE INDEX search_vocabulary_latin ON public.search_vocabulary USING gin (latin gin_trgm_ops);

CREATE INDEX sessions_account ON public.sessions USING btree (account_id);

CREATE INDEX share_links_channel ON public.share_links USING btree (channel_id);

CREATE INDEX share_links_content ON public.share_links USING btree (content_id, created_at DESC, id DESC);

CREATE INDEX share_links_created_by ON public.share_links USING btree (created_by) WHERE (created_by IS NOT NULL);

CREATE INDEX signing_keys_channel ON public.signing_keys USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX simulcast_targets_input ON public.simulcast_targets USING btree (input_id, created_at, id);

CREATE INDEX sound_segments_open ON public.sound_segments USING btree (wanted_at) WHERE (state <> 'DONE'::text);

CREATE INDEX transcode_jobs_cancelled_codec ON public.transcode_jobs USING btree (codec) WHERE ((codec IS NOT NULL) AND (status = 'CANCELLED'::text));

CREATE INDEX transcode_jobs_channel ON public.transcode_jobs USING btree (channel_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX transcode_jobs_codec ON public.transcode_jobs USING btree (video_asset_id, codec) WHERE ((codec IS NOT NULL) AND (status <> 'CANCELLED'::text));

CREATE INDEX transcode_jobs_content ON public.transcode_jobs USING btree (content_id, created_at DESC, id DESC);

CREATE INDEX transcode_jobs_newest ON public.transcode_jobs USING btree (created_at, id);

CREATE INDEX transcode_jobs_open ON public.transcode_jobs USING btree (id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'TRANSCODING'::text]));

CREATE INDEX transcode_jobs_reserved ON public.transcode_jobs USING btree (channel_id) WHERE ((reserved_bytes > 0) AND (status = ANY (ARRAY['QUEUED'::text, 'TRANSCODING'::text])));

CREATE INDEX transcode_jobs_running ON public.transcode_jobs USING btree (channel_id, created_at DESC, id DESC) WHERE (status = ANY (ARRAY['QUEUED'::text, 'TRANSCODING'::text, 'CANCELLING'::text]));

CREATE INDEX transcode_jobs_status ON public.transcode_jobs USING btree (status, created_at, id);

CREATE INDEX transcode_jobs_video ON public.transcode_jobs USING btree (video_asset_id);

CREATE INDEX upload_charges_account ON public.upload_charges USING btree (account_id);

CREATE INDEX verifications_expiry ON public.verifications USING btree (expires_at);

CREATE INDEX verifications_identifier ON public.verifications USING btree (identifier);

CREATE INDEX video_assets_channel ON public.video_assets USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX video_assets_content ON public.video_assets USING btree (content_id, created_at DESC, id DESC);

CREATE INDEX video_assets_ingestion ON public.video_assets USING btree (ingestion_id) WHERE (ingestion_id IS NOT NULL);

CREATE INDEX video_assets_largest ON public.video_assets USING btree ((((original_bytes +
CASE
    WHEN (original_deleted_at IS NULL) THEN size_bytes
    ELSE (0)::bigint
END) + derived_bytes)), id);

CREATE INDEX video_assets_original ON public.video_assets USING btree (original_key) WHERE (original_key IS NOT NULL);

CREATE INDEX video_assets_source ON public.video_assets USING btree (source_key);

CREATE INDEX video_assets_storage ON public.video_assets USING btree (channel_id) INCLUDE (size_bytes);

CREATE INDEX video_fetches_day ON public.video_fetches USING btree (fetched_on);

CREATE INDEX watch_15min_channel ON public.watch_15min USING btree (channel_id, at);

CREATE INDEX watch_events_order ON ONLY public.watch_events USING btree (xact);

CREATE INDEX watch_later_account ON public.watch_later USING btree (account_id, created_at DESC, content_id DESC);

CREATE INDEX watch_positions_content ON public.watch_positions USING btree (content_id);

CREATE INDEX watch_positions_latest ON public.watch_positions USING btree (account_id, updated_at DESC, content_id DESC);

CREATE INDEX watch_sessions_content ON public.watch_sessions USING btree (content_id, last_at);

CREATE INDEX watch_sessions_last ON public.watch_sessions USING btree (last_at);

CREATE INDEX webhook_deliveries_about ON public.webhook_deliveries USING btree (webhook_id, about_id, event_id) WHERE (about_id IS NOT NULL);

CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at, id) WHERE (status = 'PENDING'::text);

CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (webhook_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX webhook_deliveries_once ON public.webhook_deliveries USING btree (webhook_id, event_id);

CREATE INDEX webhooks_channel ON public.webhooks USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX work_attempts_ended_at_idx ON public.work_attempts USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX work_attempts_process_idx ON public.work_attempts USING btree (process_id);

CREATE INDEX work_attempts_work_idx ON public.work_attempts USING btree (work, started_at);

CREATE INDEX work_processes_seen_at_idx ON public.work_processes USING btree (seen_at);

CREATE INDEX youtube_consents_account ON public.youtube_consents USING btree (account_id);

CREATE INDEX youtube_consents_expires ON public.youtube_consents USING btree (expires_at);

CREATE INDEX youtube_imports_video ON public.youtube_imports USING btree (video_id);

CREATE INDEX youtube_publish_jobs_account ON public.youtube_publish_jobs USING btree (account_id);

CREATE UNIQUE INDEX youtube_publish_jobs_active ON public.youtube_publish_jobs USING btree (content_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'UPLOADING'::text, 'PROCESSING'::text]));

CREATE INDEX youtube_publish_jobs_channel ON public.youtube_publish_jobs USING btree (channel_id);

CREATE INDEX youtube_publish_jobs_content ON public.youtube_publish_jobs USING btree (content_id, created_at DESC, id DESC);

create view search_tiers as
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 0)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 1)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 2)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 3)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 4)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 5)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 6)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 7)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 8)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 9)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 10)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 11)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 12)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 13)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 14)
UNION ALL
 SELECT search_documents.id,
    search_documents.words,
    search_documents.name,
    search_documents.popularity,
    search_documents.published_at,
    search_documents.duration_ms
   FROM search_documents
  WHERE (search_documents.tier = 15);

comment on column account_archives.attempt is 'Counts the workers that took it: only the last one may complete it.';

comment on column account_settings.notifications_off is 'Kinds that are not shown in the application.';

comment on column account_settings.notifications_mailed is 'Kinds that are also sent by mail.';

comment on column accounts.is_operator is 'Whether the account may invite people to this server.';

comment on column accounts.invitation_id is 'The invitation the account was created with; null for none.';

comment on column api_key_audit_log.token is 'Name of the scoped token; null for the key and for connected applications.';

comment on table arriving_videos is 'The video of an upload that is played while it arrives.';

comment on column attempt_counters.subject is 'HMAC-SHA256 under SECRET_KEY of an e-mail address, a client address (IPv6: its /64 network) or the id of an account.';

comment on column attempt_counters.blocked_until is 'No further attempt is accepted before; -infinity: attempts are not blocked.';

comment on column attempt_counters.expires_at is 'When the row expires and may be deleted.';

comment on column broadcasts.channel_id is 'Kept as long as the channel exists, as that of its stream is.';

comment on column broadcasts.pictured_at is 'When a worker last began to take its picture; null before the first one.';

comment on table caption_jobs is 'Jobs that make captions.';

comment on column caption_jobs.language is 'Of the captions, as a BCP 47 tag; null if it is that which is detected.';

comment on column caption_jobs.source_id is 'The captions that are translated.';

comment on column caption_jobs.captions_id is 'What it made; null until then, without speech, and once that was deleted.';

comment on column caption_jobs.receipt is 'Once it is complete: what was done.';

comment on table caption_parts is 'Parts of the work of caption jobs that are done, so that an attempt continues there.';

comment on column captions.video_asset_id is 'The video whose file contained them; null for captions added by creators.';

comment on column captions.is_forced is 'Shown to viewers who chose none; at most one per content and language, which the commands enforce.';

comment on column captions.automatic is 'What made them: recognition of the speech, or translation of other captions; null once a person wrote or edited them.';

comment on column captions.spoken_in is 'The video whose speech automatic captions have; they are deleted with it.';

comment on column channel_ids.deleted_at is 'When the channel was deleted. The row is deleted with the last row that references it.';

comment on column channels.website_url is 'https or http URL; null without one.';

comment on column channels.keep_originals is 'Whether uploaded video files are kept after processing.';

comment on column channels.encrypt_private_videos is 'Whether videos that are not public are sent encrypted.';

comment on column channels.encode_av1 is 'Whether videos get renditions in AV1.';

comment on column channels.encode_hevc is 'Whether videos get renditions in HEVC.';

comment on column channels.prefer_enhanced is 'Whether manifests have players choose upscaled sizes and upmixed sound by themselves.';

comment on column channels.is_test is 'The test channel of its account; never changes.';

comment on table chats is 'The chat of a stream, from its schedule or its first segment on.';

comment on column content_forecasts.age is 'Complete days since the publication when it was made.';

comment on column content_forecasts.model_version is 'Null: the prior.';

comment on column content_forecasts.steps is 'What is known of the models, by the day that they forecast.';

comment on column content_forecasts.totals is 'From the day after age to day 90: p10, p50, p90 of the views until then.';

comment on column content_forecasts.daily is 'Likewise, the views of that day.';

comment on column content_rises.rising is 'Whether the views of that day were above the forecast.';

comment on table content_shares is 'A person who may watch a private content.';

comment on table content_test_variants is 'Position 0 is the content as it was when the test started.';

comment on column content_test_variants.image_id is 'The image on cards, which may have been deleted since the test ended; null for none.';

comment on column content_test_variants.viewers is 'Viewers who clicked, each counted once.';

comment on column content_tests.winner is 'Position of the variant that is clicked more often than every other one.';

comment on column content_tests.applied is 'Position of the variant that the content was given last.';

comment on column contents.enhance_when_ready is 'Whether its video is to be enhanced once it is processed; false again when these jobs are queued.';

comment on column contents.has_running_test is 'Whether a row of content_tests is RUNNING: cards look for it only then.';

comment on column contents.contains_ads is 'Whether it contains advertising, by its creator; null if not specified.';

comment on column data_export_parts.start_byte is 'Of its first line in the file.';

comment on column data_exports.credential_id is 'Names the credential that it reads with, and is none.';

comment on column data_exports.name is 'Field of the query, for the name of the file.';

comment on column data_exports.attempt is 'Counts the workers that took it: only the last one may write.';

comment on column data_exports.position is 'Where the part after the last one begins.';

comment on column data_exports.size_bytes is 'Of the lines of all parts, uncompressed.';

comment on column data_exports.expires_at is 'When the file is deleted.';

comment on column encode_chunks.refusals is 'Attempts whose result did not pass verification.';

comment on column encode_chunks.started_at is 'When the latest attempt was claimed.';

comment on column encode_chunks.cpu_ms is 'CPU time that encoding took; null until it is done.';

comment on column encode_chunks.is_sample is 'Whether its outputs tell which sizes the video needs. Encoded before others.';

comment on column encode_plans.finish_cost_ms is 'Estimated CPU time of what follows the last chunk.';

comment on column encode_plans.remuxed_key is 'The copy that is encoded in place of the uploaded file: every moment of it is found by an index.';

comment on column encode_plans.source_tag is 'Size and ETag of the file that is encoded.';

comment on column encode_plans.folder is 'The package of a video whose evicted renditions are encoded again; null for a package of the job itself.';

comment on table encode_speeds is 'What encoding took on this installation, recent work first: estimated and measured CPU time, time, bytes at the highest bit rates and real bytes.';

comment on table encode_workers is 'Running workers, and how many chunks each encodes at a time.';

comment on table enhancements is 'What members of a channel had made of a video beside the original. Once it is complete: what was measured and decided, the name of the package, and what is stored in it; without a package where nothing was gained.';

comment on column enhancements.kind is 'UPMIX: the main track in 5.1; UPSCALE: the pictures at a larger size, with the target and the model as input.';

comment on table forecast_models is 'The model in use; a better one replaces it.';

comment on column forecast_models.held_out_loss is 'Mean loss for held-out videos; null: none had an outcome.';

comment on column generation_charges.month is 'First day of the month (UTC) whose credits are taken.';

comment on column idempotency_keys.response is 'The response as sent, encrypted with AES-256-GCM.';

comment on column image_assets.video_asset_id is 'Of a poster that nobody chose: the video that it was taken from; null for images that were uploaded or chosen.';

comment on column ingestions.reserved_until is 'Afterwards the missing bytes of an open upload no longer count as reserved storage.';

comment on column ingestions.reserved_at_bytes is 'Bytes received when the reservation was last extended; 1 % of the file more extends it again.';

comment on column ingestions.upload_metadata is 'The header Upload-Metadata of POST /uploads; null if opened otherwise.';

comment on column ingestions.drafted is 'Whether its content was created for it: an upload that ends without a file removes it.';

comment on column ingestions.size_deferred is 'Whether the size is not known yet: size_bytes is then what is reserved so far.';

comment on column ingestions.is_partial is 'Whether it is a part of another upload, and nothing of its own.';

comment on column ingestions.upload_concat is 'The header Upload-Concat of an upload that joins partial ones; null for others.';

comment on column ingestions.final_id is 'Of a partial upload: the one that it was joined to.';

comment on column ingestions.final_position is 'Of a partial upload that was joined: its position, from 1.';

comment on column ingestions.terminated_at is 'When the sender deleted the complete upload: its address is gone, and the file stays; null before that.';

comment on table interrupted_work is 'Work that was interrupted and has not ended.';

comment on column interrupted_work.subject is 'Job that it is part of, where there is one.';

comment on column interrupted_work.deaths is 'Processes in a row that died while they worked on it.';

comment on column interrupted_work.state is 'AGAIN: it is tried again. APART: set apart, until no process has died for a while. ALONE: tried alone.';

comment on table invitations is 'An invitation lets one person create one account.';

comment on column invitations.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';

comment on column invitations.email is 'The only address that may use it; null: any.';

comment on column invitations.created_by is 'Null: the admin command, or a deleted account.';

comment on column live_inputs.refused_until is 'After a broadcast was ended on request, encoders are refused until then; each attempt moves it.';

comment on column live_inputs.refused_at is 'When the last encoder was refused.';

comment on column live_inputs.srt_passphrase is 'Encrypted with AES-256-GCM.';

comment on column operator_codes.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';

comment on column playlists.open is 'Whether anyone with the link may see it.';

comment on column renditions.state is 'EVICTED: its segments were deleted, because nobody watched the video; they are encoded one by one when requested.';

comment on column renditions.on_demand_peak_bps is 'While it is evicted: highest bit rate of segments encoded one by one.';

comment on column renditions.upmix is 'Whether it is sound in 5.1 that was made of a track with fewer channels.';

comment on column renditions.enhanced is 'Whether it was upscaled: viewers choose it, players do not by themselves.';

comment on table share_links is 'A link at which a private content can be watched without an account.';

comment on column simulcast_targets.stream_key is 'Of the other server, encrypted with AES-256-GCM.';

comment on table sound_segments is 'Sound that is encoded on request beside copied pictures; forgotten after a day.';

comment on column sound_segments.number is 'Of the segment, from 0.';

comment on column sound_segments.attempts is 'Counts claims: writes of earlier ones have no effect.';

comment on column sound_segments.failures is 'Attempts that failed; interrupted ones do not count.';

comment on column sound_segments.available_at is 'When it may be claimed; of one that is being encoded, when it is given to another worker.';

comment on column sound_segments.wanted_at is 'When a viewer asked for it last.';

comment on column transcode_jobs.reserved_bytes is 'Counts while the job is QUEUED or TRANSCODING; each claim and each end of an attempt sets it to 0.';

comment on column transcode_jobs.purpose is 'PROCESS: of an uploaded video; REPEAT: of a video that is played meanwhile as it was processed before; RENDITIONS: encodes renditions of such a video, not shown as a job; ENHANCE: adds renditions that a member of the channel asked for; CAPTIONS: makes captions.';

comment on column transcode_jobs.priority is 'Chunks of jobs with a higher one are encoded first.';

comment on column transcode_jobs.codec is 'Of jobs with the purpose RENDITIONS that encode a video in another codec.';

comment on column transcode_jobs.error_text is 'error_message as a message with its values, {"key", "values"}; null if it has none. So in the other tables.';

comment on column transcode_jobs.plan_cost_ms is 'CPU time that was estimated for what comes before the chunks, in ms; null where that is about the same for all.';

comment on column transcode_jobs.encode_cost_ms is 'CPU time that was estimated for its chunks, in ms; null: not known.';

comment on column two_factors.last_used_step is 'Of the last code that was accepted: number of its 30 s since 1970; it and earlier ones are refused.';

comment on table upscale_models is 'Models that enlarge videos; without rows, no worker has looked. Those of the platform are refused where the workers cannot run models.';

comment on column upscale_models.digest is 'SHA-256 of the file, in hexadecimal; null where it was not read.';

comment on column upscale_models.facts is 'What the probe found out: see ModelFacts.';

comment on column upscale_models.cost is 'CPU seconds for a million pixels, on one core of an ordinary server.';

comment on column upscale_models.provider is 'The execution provider of ONNX Runtime that is used; null: the CPU, unmeasured.';

comment on column upscale_models.measured is 'What was measured of each provider: see MeasuredProvider.';

comment on column video_assets.renditions is 'Qualities of videos that have no rows in renditions.';

comment on column video_assets.derived_bytes is 'Size of the package, measured when it was stored.';

comment on column video_assets.derived_files is 'Number of files in the package.';

comment on column video_assets.original_deleted_at is 'When the uploaded file was given up because of channels.keep_originals: it no longer counts as storage, and its object is deleted a day later.';

comment on column video_assets.loudness is '{integratedLufs,rangeLu,truePeakDbtp} of the default audio track; null for silence, and where it was not measured.';

comment on column video_assets.original_key is 'Of a trimmed video: the object of the uploaded file.';

comment on column video_assets.original_bytes is 'Of a trimmed video: size of the uploaded file.';

comment on column video_assets.is_damaged is 'Whether decoding found damaged parts, which the decoder concealed; true once a part of the file with one was encoded.';

comment on column virality_channels.mean is 'Deviation of the logit of the click-through rate of the channel from the prediction by features.';

comment on column virality_channels.variance is 'Remaining variance of the mean if the coefficients were known.';

comment on column virality_channels.pull is 'By column of the model: decrease of the effect per increase of the coefficient.';

comment on table virality_models is 'The model in use; each training replaces it.';

comment on column virality_models.contents is 'Public contents with impressions in the training data.';

comment on column virality_models.calibration_error is 'Mean error of predicted click-through rates on held-out contents; null: too few contents.';

comment on column virality_models.feature_gain is 'Gain of the features in mean log likelihood of held-out clicks; null: too few contents.';

comment on column watch_sessions.variant_id is 'The variant of a running test that the card showed; null for none.';

comment on column webhook_deliveries.about_id is 'The content that the event is about, or else its subject: what a webhook may keep the order of; null for tests.';

comment on table work_attempts is 'Attempts at jobs and at chunks of videos: which process worked on what, and how it ended. Kept for a day.';

comment on column work_attempts.work is 'Name of the kind of work and its id.';

comment on column work_attempts.outcome is 'RETURNED: handed back by a process that stopped. DIED: its process died. LOST: others had it meanwhile. Null: runs.';

comment on table work_processes is 'Processes that work. One that is not seen for some seconds and has not stopped has died. Kept for a day.';

comment on table workers is 'Worker processes that are running, or crashed within the last day.';

comment on column workers.sandbox is 'state (complete, incomplete, refusing), method, protections and advice, as /readyz shows them.';

CREATE OR REPLACE FUNCTION public.account_settings_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same account_settings := new;
begin
  if (new.do_not_track, new.keep_history, new.language)
    is distinct from (old.do_not_track, old.keep_history, old.language) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.accounts_complete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into channels (id, account_id, handle, name, title, created_at, updated_at)
  values (new.primary_channel_id, new.id, new.username, new.username, new.name, new.created_at, new.created_at);
  insert into channel_ids (id) values (new.primary_channel_id);
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (new.primary_channel_id, new.id, 'OWNER', new.created_at, new.created_at);
  insert into subscriptions (account_id) values (new.id);
  insert into account_settings (account_id) values (new.id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.accounts_remove_social()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  insert into follow_changes (channel_id, account_id, delta, created_at)
  select channel_id, account_id, -1, now() from follows where account_id = old.id;
  for r in select id from comments where account_id = old.id order by depth desc, id loop
    perform comment_remove(r.id, now());
  end loop;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION public.accounts_use_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update invitations set used_at = new.created_at
   where id = new.invitation_id and used_at is null and revoked_at is null and expires_at > new.created_at
     and (email is null or email = new.email);
  if not found then raise exception 'The invitation % cannot be used.', new.invitation_id; end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.analytics_period(p_zone text, p_range text, p_from timestamp with time zone, p_to timestamp with time zone, p_now timestamp with time zone)
 RETURNS TABLE(from_at timestamp with time zone, to_at timestamp with time zone, prev_from timestamp with time zone, prev_to timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  with local as (
    select p_now at time zone p_zone as now, case p_range
      when 'LAST_7D' then 7 when 'LAST_28D' then 28 when 'LAST_30D' then 30 when 'LAST_90D' then 90 end as days),
  bounds as (
    select case p_range when 'MTD' then date_trunc('month', now) when 'YTD' then date_trunc('year', now)
             else date_trunc('day', now) - make_interval(days => days - 1) end as first,
           now,
           case p_range when 'MTD' then interval '1 month' when 'YTD' then interval '1 year'
             else make_interval(days => days) end as step
    from local)
  select first at time zone p_zone, next_15min(p_now),
         (first - step) at time zone p_zone, next_15min((now - step) at time zone p_zone)
  from bounds where p_range <> 'CUSTOM'
  union all
  select a, b, a - (b - a), a
  from (select next_15min(p_from - interval '14 minutes 59.999 seconds') as a, next_15min(p_to) as b) c
    where p_range = 'CUSTOM';
$function$
;

CREATE OR REPLACE FUNCTION public.api_key_usage_limits_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same api_key_usage_limits := new;
begin
  if (new.deletes_per_day, new.publishes_per_hour, new.processing_minutes_per_day)
    is distinct from (old.deletes_per_day, old.publishes_per_hour, old.processing_minutes_per_day) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.api_key_usage_total(p_account uuid, p_limit_name text, p_now timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(amount), 0) from api_key_usage
  where account_id = p_account and limit_name = p_limit_name
    and at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end
$function$
;

CREATE OR REPLACE FUNCTION public.assign_taxonomy_terms(p_content uuid, p_categories uuid[], p_genres uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.broadcast_charges_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('broadcast-minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.captions_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same captions := new;
begin
  if (new.language, new.label, new.kind, new.is_default, new.is_forced, new.vtt)
    is distinct from (old.language, old.label, old.kind, old.is_default, old.is_forced, old.vtt) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.card_image(p_content uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select i.id from image_assets i where i.content_id = p_content and i.purpose in ('THUMBNAIL', 'POSTER')
  order by i.purpose = 'THUMBNAIL' desc, i.created_at desc, i.id desc limit 1;
$function$
;

CREATE OR REPLACE FUNCTION public.channel_blocks_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:blocks', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:blocks', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.channel_members_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('account:channels', t.account_id, 1),
        ('channel:members', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('account:channels', t.account_id, 1),
        ('channel:members', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.channel_moderation_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same channel_moderation := new;
begin
  if (new.blocked_words, new.hold_links)
    is distinct from (old.blocked_words, old.hold_links) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.channel_of_object(kind text, object uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when kind = 'channel' then object
    when kind in ('feature', 'short', 'serie', 'season', 'episode', 'miniserie', 'stream')
      then (select channel_id from contents where id = object)
    when kind = 'playlist' then (select channel_id from playlists where id = object)
    when kind = 'playlistItem'
      then (select p.channel_id from playlist_items i join playlists p on p.id = i.playlist_id where i.id = object)
    when kind = 'comment' then (select channel_id from comments where id = object)
    when kind = 'chatMessage' then (select channel_id from chat_messages where id = object)
    when kind = 'commentEdit'
      then (select c.channel_id from comment_edits e join comments c on c.id = e.comment_id where e.id = object)
    when kind = 'block' then (select channel_id from channel_blocks where id = object)
    when kind = 'report' then (select channel_id from reports where id = object)
    when kind = 'captions' then (select channel_id from captions where id = object)
    when kind = 'webhook' then (select channel_id from webhooks where id = object)
    when kind = 'webhookDelivery'
      then (select w.channel_id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.id = object)
    when kind = 'videoAsset' then (select channel_id from video_assets where id = object)
    when kind = 'imageAsset' then (select channel_id from image_assets where id = object)
    when kind = 'ingestion' then (select channel_id from ingestions where id = object)
    when kind = 'job' then (select channel_id from transcode_jobs where id = object)
    when kind = 'youtubePublishJob' then (select channel_id from youtube_publish_jobs where id = object)
    when kind = 'signingKey' then (select channel_id from signing_keys where id = object)
    when kind = 'contentShare' then (select channel_id from content_shares where id = object)
    when kind = 'shareLink' then (select channel_id from share_links where id = object)
    when kind = 'contentTest'
      then (select c.channel_id from content_tests t join contents c on c.id = t.content_id where t.id = object)
    when kind = 'contentTestVariant'
      then (select c.channel_id from content_test_variants v join content_tests t on t.id = v.test_id
        join contents c on c.id = t.content_id where v.id = object)
    when kind = 'channelInvitation' then (select channel_id from channel_invitations where id = object)
    when kind in ('member', 'membership') then (select channel_id from channel_members where id = object)
  end
$function$
;

CREATE OR REPLACE FUNCTION public.channels_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channels', '00000000-0000-0000-0000-000000000000'::uuid, case when not (t.is_test or t.is_hidden) then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.channels_mark_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  while hide_channel_batch(old.id, null) > 0 loop end loop;
  delete from ingestions where channel_id = old.id and state = 'OPEN';
  delete from transcode_jobs where channel_id = old.id and status in ('QUEUED', 'TRANSCODING', 'CANCELLING');
  update channel_ids set deleted_at = now() where id = old.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.channels_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same channels := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.name,
    new.handle::text, new.time_zone, new.website_url, new.keep_originals,
    new.encrypt_private_videos, new.encode_av1, new.encode_hevc, new.prefer_enhanced)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.name,
    old.handle::text, old.time_zone, old.website_url, old.keep_originals,
    old.encrypt_private_videos, old.encode_av1, old.encode_hevc, old.prefer_enhanced) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.channels_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.handle, n.is_hidden, n.title, n.summary, n.short_summary, n.keywords)
        is distinct from
          (o.name, o.handle, o.is_hidden, o.title, o.summary, o.short_summary, o.keywords);
  end if;
  if ids is not null then perform search_write_channels(ids); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.channels_search_renamed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.channels_tags_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.chats_notify()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('reelgraph_chats', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.chats_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same chats := new;
begin
  if (new.mode, new.slow_mode_ms)
    is distinct from (old.mode, old.slow_mode_ms) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.chats_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.comment_likes_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select comment_id, count(*) as n from new_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count + r.n where id = r.comment_id;
    end loop;
  else
    for r in select comment_id, count(*) as n from old_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count - r.n where id = r.comment_id;
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.comment_remove(p_comment uuid, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  c comments;
  above comments;
  -- Itself and the empty places that only it kept.
  gone uuid[];
  -- A place that stands by itself again.
  kept uuid;
begin
  select * into c from comments where id = p_comment and account_id is not null for update;
  if not found then
    return false;
  end if;
  insert into events (type, channel_id, subject_id, payload)
  values ('comment.deleted', c.channel_id, c.id, jsonb_build_object('contentId', c.content_id));
  if exists (select 1 from comments where parent_id = c.id) then
    delete from comment_likes where comment_id = c.id;
    delete from comment_edits where comment_id = c.id;
    delete from comment_mentions where comment_id = c.id;
    delete from reports where comment_id = c.id;
    update comments set body = '', account_id = null, deleted_at = p_now, placeholder = true, pin = 0, hearted = false
      where id = c.id;
    return true;
  end if;
  gone := array[c.id];
  while c.parent_id is not null loop
    select * into above from comments where id = c.parent_id for update;
    exit when not above.placeholder or exists (select 1 from comments where parent_id = above.id and id <> c.id);
    if above.account_id is not null then
      kept := above.id;
      exit;
    end if;
    gone := gone || above.id;
    c := above;
  end loop;
  delete from comments where id = any(gone); -- at once: counts are kept per statement
  update comments set placeholder = false where id = kept;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.comments_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:comments', t.content_id, case when t.status = 'PUBLISHED' and t.deleted_at is null then 1 else 0 end),
        ('content:threads', t.content_id, case when t.listed and t.parent_id is null then 1 else 0 end),
        ('comment:replies', t.parent_id, case when t.listed then 1 else 0 end),
        ('comment:thread', t.root_id, case when t.listed then 1 else 0 end),
        ('channel:held', t.channel_id, case when t.status = 'HELD' and t.deleted_at is null then 1 else 0 end),
        ('account:comments', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and (c.scope not in ('content:comments', 'content:threads') or exists (select 1 from contents o where o.id = c.key))
        and (c.scope not in ('comment:replies', 'comment:thread') or exists (select 1 from comments o where o.id = c.key))
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('comment:replies', 'comment:thread') and key in (select id from old_rows);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.conceal_account_batch(p_account uuid, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  a record;
  hidden uuid[];
begin
  select id, closed_at into a from accounts where closed_at is not null and concealed_at is null
    and (p_account is null or id = p_account) order by closed_at limit 1 for no key update skip locked;
  if not found then return false; end if;
  hidden := array(select x.id from comments x where x.account_id = a.id and x.deleted_at is null and x.depth = (
      select max(depth) from comments where account_id = a.id and deleted_at is null)
    order by x.id limit p_limit for update);
  if cardinality(hidden) > 0 then
    update comments c set deleted_at = a.closed_at, pin = 0, placeholder = exists (
      select 1 from comments r where r.parent_id = c.id and (r.deleted_at is null or r.placeholder))
    where c.id = any(hidden);
    return true;
  end if;
  update contents set deleted_at = a.closed_at, release_at = null, publish_when_ready = false where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.account_id = a.id and c.deleted_at is null limit p_limit));
  if found then return true; end if;
  with hidden as (
    update playlists p set visibility = 'PRIVATE' from (
      select l.id, l.visibility from channels h join playlists l on l.channel_id = h.id
      where h.account_id = a.id and l.visibility <> 'PRIVATE' limit p_limit for update of l) was
    where p.id = was.id returning p.id, was.visibility
  )
  insert into concealed_playlists (playlist_id, visibility) select id, visibility from hidden
  on conflict (playlist_id) do update set visibility = excluded.visibility;
  if found then return true; end if;
  update accounts set concealed_at = closed_at where id = a.id;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.consume_api_key_usage(p_account uuid, p_limit_name text, p_amount integer, p_now timestamp with time zone, p_id uuid)
 RETURNS TABLE(allowed boolean, per integer, spent double precision, retry_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
begin
  select case p_limit_name when 'DELETES' then b.deletes_per_day when 'PUBLISHES' then b.publishes_per_hour
    else b.processing_minutes_per_day end
  into per from api_key_usage_limits b where b.account_id = p_account for update;
  if per is null then return; end if;
  delete from api_key_usage s where s.account_id = p_account and s.at <= p_now - interval '1 day';
  spent := api_key_usage_total(p_account, p_limit_name, p_now);
  allowed := case when p_amount = 0 then spent < per else spent + p_amount <= per end;
  if allowed and p_amount > 0 then
    insert into api_key_usage (id, account_id, limit_name, amount, at) values (p_id, p_account, p_limit_name, p_amount,
      p_now);
  end if;
  if not allowed then
    select min(s.at) + case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end into retry_at
    from api_key_usage s where s.account_id = p_account and s.limit_name = p_limit_name
      and s.at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end;
  end if;
  return next;
end $function$
;

CREATE OR REPLACE FUNCTION public.content_daily_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:views', t.content_id, t.views)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from contents o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.content_listing_terms_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('term:listed:' || t.kind, t.term_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('term:listed:' || t.kind, t.term_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.content_listing_terms_write(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.content_listings_write(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.content_related(p_id uuid)
 RETURNS TABLE(id uuid, score integer)
 LANGUAGE sql
 STABLE ROWS 50
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.content_term_ids(p_id uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select array(select category_id from content_categories where content_id = p_id union all select genre_id
    from content_genres where content_id = p_id);
$function$
;

CREATE OR REPLACE FUNCTION public.contents_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:' || t.kind, '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:' || t.kind, t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:contents', t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:' || t.kind || ':' || t.status, t.channel_id, case when t.deleted_at is null then 1 else 0 end),
        ('channel:trash', t.channel_id, case when t.deleted_at is not null and t.trashed_with is null then 1 else 0 end),
        ('children:kept', t.parent_id, case when t.deleted_at is null then 1 else 0 end),
        ('children:shown', t.parent_id, case when t.deleted_at is null and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC' then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and (c.scope not in ('children:kept', 'children:shown') or exists (select 1 from contents o where o.id = c.key))
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('children:kept', 'children:shown', 'content:likes', 'content:comments', 'content:threads', 'content:views') and key in (select id from old_rows);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_open_in_playlists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update playlist_items set open = (new.effective_visibility <> 'PRIVATE') where content_id = new.id
    and open <> (new.effective_visibility <> 'PRIVATE');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_propagate_visibility()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select 1 from new_rows n join old_rows o on o.id = n.id
                 where n.effective_visibility <> o.effective_visibility and n.kind in ('SERIES', 'SEASON',
                   'MINISERIES')) then
    return null;
  end if;
  update contents c set parent_effective_visibility = n.effective_visibility
  from new_rows n join old_rows o on o.id = n.id
  where n.effective_visibility <> o.effective_visibility and c.parent_id = n.id
    and c.parent_effective_visibility <> n.effective_visibility;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same contents := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.language,
    new.rating_id, new.visibility, new.layout, new.contains_ads, new.allow_download,
    new.is_premiere, new.is_finale, new.note, new.chapters, new.comment_mode)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.language,
    old.rating_id, old.visibility, old.layout, old.contains_ads, old.allow_download,
    old.is_premiere, old.is_finale, old.note, old.chapters, old.comment_mode) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  same.listed := old.listed;
  same.effective_visibility := old.effective_visibility;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_set_parent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare p record;
begin
  if new.parent_id is null then
    new.parent_effective_visibility := case when exists (select from channels h where h.id = new.channel_id
      and h.is_test) then 'PRIVATE' else 'PUBLIC' end;
    return new;
  end if;
  select kind, channel_id, effective_visibility into p from contents where id = new.parent_id for share;
  if not found then return new; end if; -- the foreign key says so
  if p.channel_id <> new.channel_id or not ((p.kind = 'SERIES' and new.kind = 'SEASON') or (p.kind in ('SEASON',
    'MINISERIES') and new.kind = 'EPISODE')) then
    raise exception 'a % cannot be below this %', new.kind, p.kind using errcode = 'check_violation',
      constraint = 'contents_parent_kind';
  end if;
  new.parent_effective_visibility := p.effective_visibility;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.contents_tags_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.counter_add(p_scope text, p_key uuid, p_delta bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into counters (scope, key, shard, value)
  values (p_scope, p_key, (pg_backend_pid() % 16)::smallint, p_delta)
  on conflict (scope, key, shard) do update set value = counters.value + excluded.value;
$function$
;

CREATE OR REPLACE FUNCTION public.counter_value(p_scope text, p_key uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(sum(value), 0)::bigint from counters where scope = p_scope and key = p_key;
$function$
;

CREATE OR REPLACE FUNCTION public.delete_account_batch(p_now timestamp with time zone, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  account uuid;
  part text;
  deleted bigint;
begin
  select id into account from accounts where deletes_at <= p_now order by deletes_at limit 1 for update skip locked;
  if not found then return false; end if;
  perform comment_remove(x.id, p_now) from (
    select id from comments where account_id = account limit p_limit) x;
  if found then return true; end if;
  foreach part in array array['likes', 'comment_likes', 'follows', 'watch_positions', 'notifications',
    'watch_later', 'chat_messages'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where account_id = $1 limit $2 '
      'for update skip locked))', part)
    using account, p_limit;
    get diagnostics deleted = row_count;
    if deleted > 0 then return true; end if;
  end loop;
  delete from content_shares s using accounts a where a.id = account and s.email = a.email;
  insert into events (type, channel_id, subject_id)
    select 'channel.deleted', id, id from channels where account_id = account order by id;
  delete from accounts where id = account;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.encode_done_in_ms(p_job uuid, p_cost_ms double precision, p_left_ms double precision, p_longest_ms double precision)
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  with jobs as materialized (select * from encode_jobs_open()),
  own as (
    select place, cost_left_ms, left_ms, longest_ms from jobs where job_id = p_job
    union all select p_cost_ms, p_cost_ms, p_left_ms, p_longest_ms where p_job is null
  ),
  load as (
    select encode_lanes() as lanes, coalesce(sum(o.running), 0) as running,
      coalesce(sum(o.left_ms) filter (where o.place < own.place), 0) as before_ms,
      coalesce(sum(o.left_ms) filter (where o.place < own.place and o.cost_left_ms <= 45000), 0) as short_before_ms,
      coalesce(min(o.free_in_ms) filter (where o.place >= own.place), 0) as free_in_ms
    from own left join jobs o on o.job_id is distinct from p_job
  )
  select case when own.cost_left_ms <= 45000
    then l.short_before_ms + greatest(own.longest_ms, own.left_ms / greatest(1, l.lanes + 1 - l.running))
    else l.before_ms / l.lanes + case when l.running >= l.lanes then l.free_in_ms else 0 end
      + greatest(own.longest_ms, own.left_ms / l.lanes) end
  from own, load l
$function$
;

CREATE OR REPLACE FUNCTION public.encode_jobs_open()
 RETURNS TABLE(job_id uuid, place double precision, cost_left_ms double precision, left_ms double precision, longest_ms double precision, running integer, free_in_ms double precision)
 LANGUAGE sql
 STABLE
AS $function$
  with chunks as (
    select c.job_id, coalesce(lower(j.enhancement), c.kind) as kind, c.cost_ms, c.cpu_ms, c.progress, c.state,
      c.state = 'RUNNING' and c.available_at > now() as is_running
    from encode_chunks c join transcode_jobs j on j.id = c.job_id where c.kind <> 'on-demand'
  ),
  measured as (
    select c.job_id, c.kind, sum(c.cpu_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null) as cpu_ms,
      sum(c.cost_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null) as cost_ms
    from chunks c group by c.job_id, c.kind
  ),
  factors as (
    select m.job_id, m.kind,
      (coalesce(m.cpu_ms, 0) + 10000 * s.cpu_per_cost) / (coalesce(m.cost_ms, 0) + 10000) * s.wall_per_cpu as factor
    from measured m, encode_speed(m.kind) s
  ),
  undone as (
    select c.job_id, c.is_running, c.cost_ms * (1 - c.progress) as cost_ms,
      c.cost_ms * (1 - c.progress) * f.factor as left_ms
    from chunks c join factors f on f.job_id = c.job_id and f.kind = c.kind where c.state <> 'DONE'
  ),
  sums as (
    select u.job_id, sum(u.cost_ms) as cost_ms, sum(u.left_ms) as left_ms, max(u.left_ms) as longest_ms,
      (count(*) filter (where u.is_running))::int as running, min(u.left_ms) filter (where u.is_running) as free_in_ms
    from undone u group by u.job_id
  )
  select p.job_id, coalesce(s.cost_ms, 0) - 1000 * extract(epoch from now() - p.created_at) - 1e12 * j.priority,
    coalesce(s.cost_ms, 0), coalesce(s.left_ms, 0), coalesce(s.longest_ms, 0), coalesce(s.running, 0), s.free_in_ms
  from encode_plans p join transcode_jobs j on j.id = p.job_id and j.status = 'TRANSCODING'
    left join sums s on s.job_id = p.job_id
  union all
  select j.id, j.encode_cost_ms - 1e12 * j.priority, j.encode_cost_ms,
    j.encode_cost_ms * s.cpu_per_cost * s.wall_per_cpu, j.encode_cost_ms * s.cpu_per_cost * s.wall_per_cpu, 0, null
  from transcode_jobs j, encode_speed(lower(j.enhancement)) s
  where j.status in ('QUEUED', 'TRANSCODING') and j.encode_cost_ms is not null
    and not exists (select from encode_plans p where p.job_id = j.id)
$function$
;

CREATE OR REPLACE FUNCTION public.encode_lanes()
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select greatest(1, coalesce(sum(lanes), 0))::double precision from encode_workers
  where seen_at > now() - interval '20 seconds';
$function$
;

CREATE OR REPLACE FUNCTION public.encode_planning_ms()
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(coalesce(j.plan_cost_ms, 1000) * s.cpu_per_cost * s.wall_per_cpu), 0) / 2
  from transcode_jobs j,
    encode_speed(case when j.plan_cost_ms is null then 'plan' else lower(j.enhancement) || '-plan' end) s
  where j.status in ('QUEUED', 'TRANSCODING') and j.purpose <> 'CAPTIONS' and j.video_asset_id is not null
    and not exists (select from encode_plans p where p.job_id = j.id)
$function$
;

CREATE OR REPLACE FUNCTION public.encode_remaining_ms(p_job uuid)
 RETURNS double precision
 LANGUAGE sql
 STABLE
AS $function$
  select encode_done_in_ms(p_job, null, null, null)
    + p.finish_cost_ms * f.cpu_per_cost * f.wall_per_cpu * least(1, (100 - j.progress) / 10.0)
  from encode_plans p join transcode_jobs j on j.id = p.job_id, encode_speed('finish') f
  where p.job_id = p_job and j.status = 'TRANSCODING'
$function$
;

CREATE OR REPLACE FUNCTION public.encode_speed(p_kind text, OUT cpu_per_cost double precision, OUT wall_per_cpu double precision, OUT bytes_per_peak double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select (coalesce(s.cpu_ms, 0) + 500) / (coalesce(s.cost_ms, 0) + 500),
    (coalesce(s.wall_ms, 0) + 500) / (coalesce(s.cpu_ms, 0) + 500),
    (coalesce(s.bytes, 0) + 500000) / (coalesce(s.peak_bytes, 0) + 1000000)
  from (select p_kind as kind) k left join encode_speeds s on s.kind = k.kind;
$function$
;

CREATE OR REPLACE FUNCTION public.enqueue_object_purges()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  case tg_table_name
    when 'contents' then
      insert into object_purges (key_prefix, due_at)
      select 'media/' || o.id || '/', now() + after.days * interval '1 day' from old_rows o, (values (0),
        (1)) after (days) order by o.id, after.days;
    when 'video_assets' then
      -- A file may be that of one video, and the original of another.
      insert into object_purges (key_prefix)
      select distinct f.key from old_rows o cross join lateral (values (o.source_key), (o.original_key)) f (key)
      where f.key is not null and not exists (select 1 from video_assets v where v.source_key = f.key)
        and not exists (select 1 from video_assets v where v.original_key = f.key) order by f.key;
      insert into object_purges (key_prefix, due_at)
      select 'media/' || content_id || '/' || id || '/', now() + interval '1 day' from old_rows order by id;
    when 'image_assets' then
      insert into object_purges (key_prefix) select object_prefix from old_rows order by id;
    when 'ingestions' then
      insert into object_purges (key_prefix, due_at)
      select object_key, now() + after.days * interval '1 day' from old_rows o, (values (0), (1)) after (days)
      where not exists (select 1 from video_assets v where v.source_key = o.object_key)
        and not exists (select 1 from video_assets v where v.original_key = o.object_key) order by o.id, after.days;
  end case;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.ensure_test_channel(p_account uuid, p_channel uuid, p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare found_id uuid;
begin
  select id into found_id from channels where account_id = p_account and is_test;
  if found then return found_id; end if;
  insert into channels (id, account_id, handle, name, title, is_test, created_at, updated_at)
  values (p_channel, p_account, 'test-' || right(p_channel::text, 12), 'Test channel', 'Test channel', true, p_now,
    p_now);
  insert into channel_ids (id) values (p_channel);
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (p_channel, p_account, 'OWNER', p_now, p_now);
  insert into events (type, channel_id, subject_id) values ('channel.created', p_channel, p_channel);
  return p_channel;
end $function$
;

CREATE OR REPLACE FUNCTION public.expire_test_data(p_made_before timestamp with time zone, p_deleted_at timestamp with time zone, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare expired bigint;
begin
  with gone as (
    delete from playlists where id = any(array(
      select p.id from channels h join playlists p on p.channel_id = h.id
      where h.is_test and p.created_at < p_made_before limit p_limit))
    returning id, channel_id
  )
  insert into events (type, channel_id, subject_id) select 'playlist.deleted', channel_id, id from gone order by id;
  get diagnostics expired = row_count;
  if expired >= p_limit then return true; end if;
  update contents set deleted_at = p_deleted_at, trashed_with = null, release_at = null, publish_when_ready = false
  where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.is_test and c.created_at < p_made_before and (c.deleted_at is null or c.deleted_at > p_deleted_at)
    limit p_limit for update of c skip locked));
  get diagnostics expired = row_count;
  return expired >= p_limit;
end $function$
;

CREATE OR REPLACE FUNCTION public.follows_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:followers', t.channel_id, 1),
        ('account:follows', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:followers', t.channel_id, 1),
        ('account:follows', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.generation_charges_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('generation:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.credits)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('generation:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.credits)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.hide_channel_batch(p_channel uuid, p_limit integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare hidden bigint;
begin
  update contents set deleted_at = now(), release_at = null, publish_when_ready = false where id = any(array(
    select id from contents where channel_id = p_channel and deleted_at is null order by created_at desc, id desc
      limit p_limit));
  get diagnostics hidden = row_count;
  if hidden > 0 then return hidden; end if;
  update playlists set visibility = 'PRIVATE' where id = any(array(
    select id from playlists where channel_id = p_channel and visibility <> 'PRIVATE' order by created_at desc, id desc
      limit p_limit));
  get diagnostics hidden = row_count;
  return hidden;
end $function$
;

CREATE OR REPLACE FUNCTION public.image_assets_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:images', t.channel_id, 1),
        ('channel:storage', t.channel_id, image_bytes(t.variants))) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.image_assets_set_test()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_test := new.content_id is null and new.playlist_id is null
    and exists (select from channels h where h.id = new.channel_id and h.is_test);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.in_json(value timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when isfinite(value) then to_char(value, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else value::text end;
$function$
;

CREATE OR REPLACE FUNCTION public.ingestions_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:ingestions', t.channel_id, case when not t.is_partial then 1 else 0 end),
        ('channel:storage', t.channel_id, case when t.state = 'OPEN' then t.size_bytes else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.likes_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('content:likes', t.content_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('content:likes', t.content_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from contents o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.live_inputs_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same live_inputs := new;
begin
  if (new.name, new.latency, new.recording, new.visibility, new.start_mode,
    new.reconnect_window_ms, new.srt, new.chat_mode, new.chat_slow_mode_ms)
    is distinct from (old.name, old.latency, old.recording, old.visibility, old.start_mode,
    old.reconnect_window_ms, old.srt, old.chat_mode, old.chat_slow_mode_ms) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.oauth_revoke_access_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from oauth_access_tokens where refresh_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.object_is_public(kind text, object uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(case
    when kind = 'channel' then (select not (is_test or is_hidden) from channels where id = object)
    when kind in ('feature', 'short', 'serie', 'season', 'episode', 'miniserie', 'stream')
      then (select effective_visibility <> 'PRIVATE' and deleted_at is null from contents c
        where c.id = object and c.kind = case object_is_public.kind when 'serie' then 'SERIES'
          when 'miniserie' then 'MINISERIES' else upper(object_is_public.kind) end)
    when kind = 'playlist' then (select open from playlists where id = object)
    when kind = 'playlistItem'
      then (select i.open and p.open from playlist_items i join playlists p on p.id = i.playlist_id where i.id = object)
    when kind = 'comment'
      then (select m.listed and c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from comments m join contents c on c.id = m.content_id where m.id = object)
    when kind = 'chatMessage'
      then (select m.status = 'PUBLISHED' and c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from chat_messages m join contents c on c.id = m.content_id where m.id = object)
    when kind = 'captions'
      then (select c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from captions a join contents c on c.id = a.content_id where a.id = object)
    when kind = 'videoAsset'
      then (select c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from video_assets a join contents c on c.id = a.content_id where a.id = object)
    when kind = 'imageAsset'
      then (select case when a.content_id is null then not a.is_test
          else c.effective_visibility <> 'PRIVATE' and c.deleted_at is null end
        from image_assets a left join contents c on c.id = a.content_id where a.id = object)
  end, false)
$function$
;

CREATE OR REPLACE FUNCTION public.playlist_items_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('playlist:items', t.playlist_id, 1),
        ('playlist:open', t.playlist_id, case when t.open then 1 else 0 end)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
        and exists (select 1 from playlists o where o.id = c.key)
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.playlist_items_set_open()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select effective_visibility <> 'PRIVATE' into new.open from contents where id = new.content_id for share;
  new.open := coalesce(new.open, false); -- no such content: the foreign key says so
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.playlists_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('listed:PLAYLIST', '00000000-0000-0000-0000-000000000000'::uuid, case when t.listed then 1 else 0 end),
        ('channel:listed:PLAYLIST', t.channel_id, case when t.listed then 1 else 0 end),
        ('channel:playlists', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
    delete from counters where scope in ('playlist:items', 'playlist:open') and key in (select id from old_rows);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.playlists_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same playlists := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.visibility)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.visibility) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  same.listed := old.listed;
  same.open := old.open;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.playlists_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows where listed;
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.listed or o.listed)
      and (n.listed, n.channel_id, n.title, n.summary, n.short_summary, n.keywords)
        is distinct from
          (o.listed, o.channel_id, o.title, o.summary, o.short_summary, o.keywords);
  end if;
  if ids is not null then perform search_write_playlists(ids); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.playlists_set_test()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_test := exists (select from channels h where h.id = new.channel_id and h.is_test);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.purge_channel_batch(p_channel uuid, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  channel uuid;
  part text;
  ids uuid[];
  cleared bigint;
begin
  select id into channel from channel_ids where deleted_at is not null and (p_channel is null or id = p_channel)
  order by deleted_at limit 1 for no key update skip locked;
  -- Contents that were being made while the channel was deleted.
  if channel is null or hide_channel_batch(channel, p_limit) > 0 then return channel is not null; end if;
  -- First of all what others still see counted: the channels they follow.
  delete from follows where ctid = any(array(select ctid from follows where channel_id = channel
    limit p_limit for update skip locked));
  if found then return true; end if;
  with recursive tree as (
    (select id from contents where channel_id = channel and deleted_at is not null and trashed_with is null
      order by deleted_at desc, id desc limit 20)
    union
    select c.id from contents c join tree on c.parent_id = tree.id
  )
  select coalesce(array_agg(id), '{}') into ids from tree;
  if purge_contents_batch(ids, p_limit) > 0 then return true; end if;
  delete from contents where id = any(ids);
  if found then return true; end if;
  delete from playlist_items where id = any(array(
    select i.id from playlists p join playlist_items i on i.playlist_id = p.id where p.channel_id = channel
      limit p_limit));
  if found then return true; end if;
  foreach part in array array['playlists', 'follow_changes', 'channel_15min', 'comment_rate_limits', 'image_assets',
    'ingestions'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where channel_id = $1 limit $2 '
      'for update skip locked))', part)
    using channel, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return true; end if;
  end loop;
  delete from channel_ids where id = channel;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.purge_contents_batch(p_ids uuid[], p_limit integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  part text;
  cleared bigint;
begin
  delete from comments where id = any(array(
    select id from comments where content_id = any(p_ids) order by created_at desc, id desc
      limit p_limit for update skip locked));
  get diagnostics cleared = row_count;
  if cleared > 0 then return cleared; end if;
  foreach part in array array['likes', 'content_views', 'watch_15min', 'content_daily', 'content_retention',
    'watch_positions', 'watch_sessions', 'watch_later', 'playlist_items', 'notifications',
    'chat_messages'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where content_id = any($1) limit $2 '
      'for update skip locked))', part)
    using p_ids, p_limit;
    get diagnostics cleared = row_count;
    if cleared > 0 then return cleared; end if;
  end loop;
  return 0;
end $function$
;

CREATE OR REPLACE FUNCTION public.purge_data_exports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into object_purges (key_prefix, due_at)
  select 'exports/' || o.id || '/', now() + after.days * interval '1 day' from old_rows o,
    (values (0), (1)) after (days) order by o.id, after.days;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_write(name text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RG001', message = name;
end $function$
;

CREATE OR REPLACE FUNCTION public.reports_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:reports:' || t.status, t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.reveal_account_batch(p_account uuid, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare a record;
begin
  select id, revealing_from into a from accounts where revealing_from is not null
    and (p_account is null or id = p_account) order by revealing_from limit 1 for no key update skip locked;
  if not found then return false; end if;
  update comments c set deleted_at = null, placeholder = c.status <> 'PUBLISHED' and exists (
    select 1 from comments r where r.parent_id = c.id)
  where c.id = any(array(select x.id from comments x where x.account_id = a.id and x.deleted_at = a.revealing_from
    limit p_limit));
  if found then return true; end if;
  update contents set deleted_at = null where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.account_id = a.id and c.deleted_at = a.revealing_from and c.trashed_with is null and not exists (
      select 1 from contents k where k.parent_id = c.parent_id and k.number = c.number and k.deleted_at is null)
    limit p_limit));
  if found then return true; end if;
  with shown as (
    delete from concealed_playlists where playlist_id = any(array(
      select v.playlist_id from channels h join playlists l on l.channel_id = h.id
      join concealed_playlists v on v.playlist_id = l.id where h.account_id = a.id limit p_limit))
    returning playlist_id, visibility
  )
  update playlists l set visibility = s.visibility from shown s where l.id = s.playlist_id;
  if found then return true; end if;
  update accounts set revealing_from = null where id = a.id;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_documents_remove()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from search_documents where id in (select id from old_rows);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_find(p_query text, p_tags tsquery, p_after timestamp with time zone, p_before timestamp with time zone, p_min_ms bigint, p_max_ms bigint)
 RETURNS SETOF search_hit
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.search_lock_channels(p_channels uuid[], p_renamed boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare bucket integer;
begin
  for bucket in select distinct abs(hashtext(id::text) % 1024) from unnest(p_channels) id order by 1 loop
    if p_renamed then
      perform pg_advisory_xact_lock(hashtext('search_lock_channels'), bucket);
    else
      perform pg_advisory_xact_lock_shared(hashtext('search_lock_channels'), bucket);
    end if;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_ranked(p_wanted tsquery, p_query tsquery, p_name text, p_after timestamp with time zone, p_before timestamp with time zone, p_min_ms bigint, p_max_ms bigint, p_limit integer)
 RETURNS TABLE(id uuid, score integer)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query
    select d.id, search_rank_score(d.words, d.name, d.popularity, p_query, p_name)
    from (select * from search_tiers t where t.words @@ p_wanted limit 10000) d
    where (p_after is null or d.published_at >= p_after) and (p_before is null or d.published_at < p_before)
      and (p_min_ms is null or d.duration_ms >= p_min_ms) and (p_max_ms is null or d.duration_ms <= p_max_ms)
    limit p_limit;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_rebuild()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.search_refresh_channel(p_channel uuid, p_after uuid, p_limit integer)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare ids uuid[];
begin
  perform search_lock_channels(array[p_channel], true);
  ids := array(select id from search_documents where channel_id = p_channel and id > p_after and kind <> 'CHANNEL'
    order by id limit p_limit);
  perform search_write_contents(array(select id from search_documents where id = any(ids) and kind <> 'PLAYLIST'));
  perform search_write_playlists(array(select id from search_documents where id = any(ids) and kind = 'PLAYLIST'));
  return case when cardinality(ids) = p_limit then ids[p_limit] end;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_refresh_renamed(p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.search_refresh_tiers(p_limit integer DEFAULT NULL::integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.search_similar(p_word text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.search_tags(c contents)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array['kind/' || c.kind, 'channel/' || c.channel_id, 'language/' || split_part(c.language, '-', 1),
    'language/' || c.language]
    || array(select 'category/' || category_id from content_categories where content_id = c.id)
    || array(select 'genre/' || genre_id from content_genres where content_id = c.id)
    || array(select distinct 'keyword/' || array_to_string(search_words(k), ' ') from unnest(c.keywords) k);
$function$
;

CREATE OR REPLACE FUNCTION public.search_vocabulary_add(p_ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into search_vocabulary (word)
  select distinct w.lexeme collate "C" from search_documents d, unnest(tsvector_to_array(ts_filter(d.words,
    '{a,b}'))) w (lexeme)
  where d.id = any(p_ids) and length(w.lexeme) between 3 and 40
    and not exists (select 1 from search_vocabulary v where v.word = w.lexeme collate "C")
  order by 1
  on conflict do nothing;
$function$
;

CREATE OR REPLACE FUNCTION public.search_write_channels(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from channels t where t.id = d.id and not (t.is_test or t.is_hidden));
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, 'CHANNEL', t.id, t.name, t.summary, array_to_string(search_words(t.name), ' '),
    search_vector(concat_ws(' ', t.name, t.handle, t.title), array_to_string(t.keywords, ' '), concat_ws(' ', t.short_summary, t.summary),
      array['kind/CHANNEL', 'channel/' || t.id] || array(select 'category/' || category_id from channel_categories where channel_id = t.id)),
    t.created_at, null, search_popularity(counter_value('channel:followers', t.id), 0)
  from channels t
  where t.id = any(p_ids) and not (t.is_test or t.is_hidden) order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform search_vocabulary_add(p_ids);
end $function$
;

CREATE OR REPLACE FUNCTION public.search_write_contents(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform search_lock_channels(array(select distinct channel_id from contents where id = any(p_ids)),
    false);
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from contents t where t.id = d.id and t.listed);
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, t.kind, t.channel_id, t.title, t.summary, array_to_string(search_words(t.title), ' '),
    search_vector(t.title, concat_ws(' ', array_to_string(t.keywords, ' '), h.name, h.handle), concat_ws(' ', t.short_summary, t.summary),
      search_tags(t)),
    t.published_at, t.duration_ms, search_popularity(counter_value('content:views', t.id), counter_value('content:likes', t.id))
  from contents t join channels h on h.id = t.channel_id
  where t.id = any(p_ids) and t.listed order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform content_listings_write(p_ids);
  perform search_vocabulary_add(p_ids);
end $function$
;

CREATE OR REPLACE FUNCTION public.search_write_playlists(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform search_lock_channels(array(select distinct channel_id from playlists where id = any(p_ids)),
    false);
  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from playlists t where t.id = d.id and t.listed);
  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select t.id, 'PLAYLIST', t.channel_id, t.title, t.summary, array_to_string(search_words(t.title), ' '),
    search_vector(t.title, concat_ws(' ', array_to_string(t.keywords, ' '), h.name, h.handle), concat_ws(' ', t.short_summary, t.summary),
      array['kind/PLAYLIST', 'channel/' || t.channel_id]),
    t.created_at, null, 0
  from playlists t join channels h on h.id = t.channel_id
  where t.id = any(p_ids) and t.listed order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
  perform search_vocabulary_add(p_ids);
end $function$
;

CREATE OR REPLACE FUNCTION public.shown_variant(p_content uuid, p_channel uuid, p_account uuid, p_browser uuid, p_opts_out boolean, p_reads boolean)
 RETURNS content_test_variants
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select shown.* from content_tests running join content_test_variants shown on shown.test_id = running.id
  where running.content_id = p_content and running.state = 'RUNNING' and not p_opts_out
    and shown.position = content_test_position(running.id, coalesce(p_account, p_browser), running.variants)
    and not (p_reads and exists (select from channel_members m where m.channel_id = p_channel
      and m.account_id = p_account))
    and not exists (select from account_settings o where o.account_id = p_account and o.do_not_track);
$function$
;

CREATE OR REPLACE FUNCTION public.simulcast_targets_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same simulcast_targets := new;
begin
  if (new.name, new.url, new.stream_key, new.is_enabled)
    is distinct from (old.name, old.url, old.stream_key, old.is_enabled) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.stats_queue_content_daily()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id) select distinct t.content_id from new_rows t;
  elsif tg_op = 'UPDATE' then
    insert into stats_dirty_queue (id)
    select distinct n.content_id from new_rows n join old_rows o on (o.content_id, o.day) = (n.content_id, n.day)
    where n.views <> o.views or n.watch_ms / 300000 <> o.watch_ms / 300000;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id) select distinct t.content_id from old_rows t;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.stats_queue_follows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id) select distinct t.channel_id from new_rows t;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id) select distinct t.channel_id from old_rows t;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.stats_queue_likes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into stats_dirty_queue (id, day, likes)
    select t.content_id, (t.created_at at time zone 'UTC')::date, count(*) from new_rows t group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into stats_dirty_queue (id, day, likes)
    select t.content_id, (t.created_at at time zone 'UTC')::date, -count(*) from old_rows t group by 1, 2;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.stats_queue_search_documents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into stats_dirty_queue (id) select distinct t.id from new_rows t where t.kind <> 'PLAYLIST';
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.transcode_jobs_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:jobs', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:jobs', t.channel_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.upload_charges_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('minutes:' || to_char(t.month, 'YYYY-MM'), t.account_id, t.duration_ms)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.video_assets_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'UPDATE' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from (select (new).*) t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)
      union all
      select d.scope, d.key, -d.n from (select (old).*) t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('channel:videos', t.channel_id, 1),
        ('channel:storage', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:originals', t.channel_id, t.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end),
        ('channel:derived-bytes', t.channel_id, t.derived_bytes),
        ('channel:derived-files', t.channel_id, t.derived_files)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.watch_events_days()
 RETURNS SETOF date
 LANGUAGE sql
 STABLE
AS $function$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'watch_events'::regclass order by 1;
$function$
;

CREATE OR REPLACE FUNCTION public.watch_events_drop_before(p_day date)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare d date; dropped integer := 0;
begin
  for d in select day from watch_events_days() day where day < p_day loop
    execute format('drop table if exists %I', 'watch_events_' || to_char(d, 'YYYYMMDD'));
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$
;

CREATE OR REPLACE FUNCTION public.watch_events_prepare(p_first date, p_last date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare d date; part text;
begin
  for d in select generate_series(p_first, p_last, interval '1 day')::date loop
    part := 'watch_events_' || to_char(d, 'YYYYMMDD');
    if to_regclass(part) is null then
      perform pg_advisory_xact_lock(hashtext('watch_events_prepare'));
      execute format('create table if not exists %I partition of watch_events for values from (%L) to (%L)', part, d,
        d + 1);
    end if;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.watch_positions_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('account:history', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('account:history', t.account_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.webhook_deliveries_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, d.n from new_rows t cross join lateral (values
        ('webhook:deliveries', t.webhook_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
      select d.scope, d.key, -d.n from old_rows t cross join lateral (values
        ('webhook:deliveries', t.webhook_id, 1)) d (scope, key, n)) c (scope, key, n)
      where c.key is not null
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.webhooks_revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare same webhooks := new;
begin
  if (new.url, new.events, new.description, new.delivery_order, new.is_enabled)
    is distinct from (old.url, old.events, old.description, old.delivery_order, old.is_enabled) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $function$
;

CREATE TRIGGER account_archives_object_purges AFTER DELETE ON public.account_archives REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION purge_data_exports();

CREATE TRIGGER account_settings_revise BEFORE UPDATE OF do_not_track, keep_history, language, revision, updated_at ON public.account_settings FOR EACH ROW EXECUTE FUNCTION account_settings_revise();

CREATE TRIGGER accounts_complete AFTER INSERT ON public.accounts FOR EACH ROW EXECUTE FUNCTION accounts_complete();

CREATE TRIGGER accounts_remove_social BEFORE DELETE ON public.accounts FOR EACH ROW EXECUTE FUNCTION accounts_remove_social();

CREATE TRIGGER accounts_use_invitation AFTER INSERT ON public.accounts FOR EACH ROW WHEN ((new.invitation_id IS NOT NULL)) EXECUTE FUNCTION accounts_use_invitation();

CREATE TRIGGER api_key_usage_limits_revise BEFORE UPDATE OF deletes_per_day, publishes_per_hour, processing_minutes_per_day, revision, updated_at ON public.api_key_usage_limits FOR EACH ROW EXECUTE FUNCTION api_key_usage_limits_revise();

CREATE TRIGGER broadcast_charges_count_delete AFTER DELETE ON public.broadcast_charges REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION broadcast_charges_count();

CREATE TRIGGER broadcast_charges_count_insert AFTER INSERT ON public.broadcast_charges REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION broadcast_charges_count();

CREATE TRIGGER broadcast_charges_count_update AFTER UPDATE OF duration_ms ON public.broadcast_charges FOR EACH ROW WHEN ((old.duration_ms IS DISTINCT FROM new.duration_ms)) EXECUTE FUNCTION broadcast_charges_count();

CREATE TRIGGER captions_revise BEFORE UPDATE OF language, label, kind, is_default, is_forced, vtt, revision, updated_at ON public.captions FOR EACH ROW EXECUTE FUNCTION captions_revise();

CREATE TRIGGER channel_blocks_count_delete AFTER DELETE ON public.channel_blocks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION channel_blocks_count();

CREATE TRIGGER channel_blocks_count_insert AFTER INSERT ON public.channel_blocks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channel_blocks_count();

CREATE TRIGGER channel_categories_search_delete AFTER DELETE ON public.channel_categories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_tags_search();

CREATE TRIGGER channel_categories_search_insert AFTER INSERT ON public.channel_categories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_tags_search();

CREATE TRIGGER channel_members_count_delete AFTER DELETE ON public.channel_members REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION channel_members_count();

CREATE TRIGGER channel_members_count_insert AFTER INSERT ON public.channel_members REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channel_members_count();

CREATE TRIGGER channel_moderation_revise BEFORE UPDATE OF blocked_words, hold_links, revision, updated_at ON public.channel_moderation FOR EACH ROW EXECUTE FUNCTION channel_moderation_revise();

CREATE TRIGGER channels_count_delete AFTER DELETE ON public.channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_count();

CREATE TRIGGER channels_count_insert AFTER INSERT ON public.channels REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_count();

CREATE TRIGGER channels_count_update AFTER UPDATE ON public.channels REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_count();

CREATE TRIGGER channels_mark_deleted AFTER DELETE ON public.channels FOR EACH ROW EXECUTE FUNCTION channels_mark_deleted();

CREATE TRIGGER channels_revise BEFORE UPDATE OF title, summary, short_summary, keywords, name, handle, time_zone, website_url, keep_originals, encrypt_private_videos, encode_av1, encode_hevc, prefer_enhanced, revision, updated_at ON public.channels FOR EACH ROW EXECUTE FUNCTION channels_revise();

CREATE TRIGGER channels_search_delete AFTER DELETE ON public.channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_documents_remove();

CREATE TRIGGER channels_search_insert AFTER INSERT ON public.channels REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_search();

CREATE TRIGGER channels_search_update AFTER UPDATE ON public.channels REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_search();

CREATE TRIGGER channels_search_update_renamed AFTER UPDATE ON public.channels REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION channels_search_renamed();

CREATE TRIGGER chats_notify AFTER UPDATE ON public.chats FOR EACH STATEMENT EXECUTE FUNCTION chats_notify();

CREATE TRIGGER chats_revise BEFORE UPDATE OF mode, slow_mode_ms, revision, updated_at ON public.chats FOR EACH ROW EXECUTE FUNCTION chats_revise();

CREATE TRIGGER chats_version BEFORE UPDATE ON public.chats FOR EACH ROW WHEN ((new.version = old.version)) EXECUTE FUNCTION chats_version();

CREATE TRIGGER comment_likes_count_delete AFTER DELETE ON public.comment_likes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION comment_likes_count();

CREATE TRIGGER comment_likes_count_insert AFTER INSERT ON public.comment_likes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION comment_likes_count();

CREATE TRIGGER comments_count_delete AFTER DELETE ON public.comments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION comments_count();

CREATE TRIGGER comments_count_insert AFTER INSERT ON public.comments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION comments_count();

CREATE TRIGGER comments_count_update AFTER UPDATE ON public.comments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION comments_count();

CREATE TRIGGER content_categories_search_delete AFTER DELETE ON public.content_categories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_tags_search();

CREATE TRIGGER content_categories_search_insert AFTER INSERT ON public.content_categories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_tags_search();

CREATE TRIGGER content_daily_count_delete AFTER DELETE ON public.content_daily REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION content_daily_count();

CREATE TRIGGER content_daily_count_insert AFTER INSERT ON public.content_daily REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION content_daily_count();

CREATE TRIGGER content_daily_count_update AFTER UPDATE ON public.content_daily REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION content_daily_count();

CREATE TRIGGER content_daily_stats_delete AFTER DELETE ON public.content_daily REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_content_daily();

CREATE TRIGGER content_daily_stats_insert AFTER INSERT ON public.content_daily REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_content_daily();

CREATE TRIGGER content_daily_stats_update AFTER UPDATE ON public.content_daily REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_content_daily();

CREATE TRIGGER content_genres_search_delete AFTER DELETE ON public.content_genres REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_tags_search();

CREATE TRIGGER content_genres_search_insert AFTER INSERT ON public.content_genres REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_tags_search();

CREATE TRIGGER content_listing_terms_count_delete AFTER DELETE ON public.content_listing_terms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION content_listing_terms_count();

CREATE TRIGGER content_listing_terms_count_insert AFTER INSERT ON public.content_listing_terms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION content_listing_terms_count();

CREATE TRIGGER contents_count_delete AFTER DELETE ON public.contents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_count();

CREATE TRIGGER contents_count_insert AFTER INSERT ON public.contents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_count();

CREATE TRIGGER contents_count_update AFTER UPDATE ON public.contents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_count();

CREATE TRIGGER contents_object_purges AFTER DELETE ON public.contents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION enqueue_object_purges();

CREATE TRIGGER contents_open_in_playlists AFTER UPDATE ON public.contents FOR EACH ROW WHEN (((old.effective_visibility <> 'PRIVATE'::text) <> (new.effective_visibility <> 'PRIVATE'::text))) EXECUTE FUNCTION contents_open_in_playlists();

CREATE TRIGGER contents_propagate_visibility AFTER UPDATE ON public.contents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_propagate_visibility();

CREATE TRIGGER contents_revise BEFORE UPDATE OF title, summary, short_summary, keywords, language, rating_id, visibility, layout, contains_ads, allow_download, is_premiere, is_finale, note, chapters, comment_mode, revision, updated_at ON public.contents FOR EACH ROW EXECUTE FUNCTION contents_revise();

CREATE TRIGGER contents_search_delete AFTER DELETE ON public.contents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_documents_remove();

CREATE TRIGGER contents_search_insert AFTER INSERT ON public.contents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_search();

CREATE TRIGGER contents_search_update AFTER UPDATE ON public.contents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION contents_search();

CREATE TRIGGER contents_set_parent BEFORE INSERT OR UPDATE OF parent_id, channel_id, kind ON public.contents FOR EACH ROW EXECUTE FUNCTION contents_set_parent();

CREATE TRIGGER data_exports_object_purges AFTER DELETE ON public.data_exports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION purge_data_exports();

CREATE TRIGGER follows_count_delete AFTER DELETE ON public.follows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follows_count();

CREATE TRIGGER follows_count_insert AFTER INSERT ON public.follows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follows_count();

CREATE TRIGGER follows_stats_delete AFTER DELETE ON public.follows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_follows();

CREATE TRIGGER follows_stats_insert AFTER INSERT ON public.follows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_follows();

CREATE TRIGGER generation_charges_count_delete AFTER DELETE ON public.generation_charges REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION generation_charges_count();

CREATE TRIGGER generation_charges_count_insert AFTER INSERT ON public.generation_charges REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION generation_charges_count();

CREATE TRIGGER image_assets_count_delete AFTER DELETE ON public.image_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION image_assets_count();

CREATE TRIGGER image_assets_count_insert AFTER INSERT ON public.image_assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION image_assets_count();

CREATE TRIGGER image_assets_count_update AFTER UPDATE OF variants ON public.image_assets FOR EACH ROW WHEN ((old.variants IS DISTINCT FROM new.variants)) EXECUTE FUNCTION image_assets_count();

CREATE TRIGGER image_assets_object_purges AFTER DELETE ON public.image_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION enqueue_object_purges();

CREATE TRIGGER image_assets_set_test BEFORE INSERT ON public.image_assets FOR EACH ROW EXECUTE FUNCTION image_assets_set_test();

CREATE TRIGGER ingestions_count_delete AFTER DELETE ON public.ingestions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestions_count();

CREATE TRIGGER ingestions_count_insert AFTER INSERT ON public.ingestions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestions_count();

CREATE TRIGGER ingestions_count_update AFTER UPDATE OF state, size_bytes ON public.ingestions FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.size_bytes IS DISTINCT FROM new.size_bytes))) EXECUTE FUNCTION ingestions_count();

CREATE TRIGGER ingestions_object_purges AFTER DELETE ON public.ingestions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION enqueue_object_purges();

CREATE TRIGGER likes_count_delete AFTER DELETE ON public.likes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION likes_count();

CREATE TRIGGER likes_count_insert AFTER INSERT ON public.likes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION likes_count();

CREATE TRIGGER likes_stats_delete AFTER DELETE ON public.likes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_likes();

CREATE TRIGGER likes_stats_insert AFTER INSERT ON public.likes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_likes();

CREATE TRIGGER live_inputs_revise BEFORE UPDATE OF name, latency, recording, visibility, start_mode, reconnect_window_ms, srt, chat_mode, chat_slow_mode_ms, revision, updated_at ON public.live_inputs FOR EACH ROW EXECUTE FUNCTION live_inputs_revise();

CREATE TRIGGER oauth_refresh_tokens_revoked AFTER UPDATE OF revoked ON public.oauth_refresh_tokens FOR EACH ROW WHEN (((old.revoked IS NULL) AND (new.revoked IS NOT NULL))) EXECUTE FUNCTION oauth_revoke_access_tokens();

CREATE TRIGGER playlist_items_count_delete AFTER DELETE ON public.playlist_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION playlist_items_count();

CREATE TRIGGER playlist_items_count_insert AFTER INSERT ON public.playlist_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlist_items_count();

CREATE TRIGGER playlist_items_count_update AFTER UPDATE ON public.playlist_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlist_items_count();

CREATE TRIGGER playlist_items_set_open BEFORE INSERT ON public.playlist_items FOR EACH ROW EXECUTE FUNCTION playlist_items_set_open();

CREATE TRIGGER playlists_count_delete AFTER DELETE ON public.playlists REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION playlists_count();

CREATE TRIGGER playlists_count_insert AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlists_count();

CREATE TRIGGER playlists_count_update AFTER UPDATE ON public.playlists REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlists_count();

CREATE TRIGGER playlists_revise BEFORE UPDATE OF title, summary, short_summary, keywords, visibility, revision, updated_at ON public.playlists FOR EACH ROW EXECUTE FUNCTION playlists_revise();

CREATE TRIGGER playlists_search_delete AFTER DELETE ON public.playlists REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION search_documents_remove();

CREATE TRIGGER playlists_search_insert AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlists_search();

CREATE TRIGGER playlists_search_update AFTER UPDATE ON public.playlists REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION playlists_search();

CREATE TRIGGER playlists_set_test BEFORE INSERT ON public.playlists FOR EACH ROW EXECUTE FUNCTION playlists_set_test();

CREATE TRIGGER reports_count_delete AFTER DELETE ON public.reports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION reports_count();

CREATE TRIGGER reports_count_insert AFTER INSERT ON public.reports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION reports_count();

CREATE TRIGGER reports_count_update AFTER UPDATE ON public.reports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION reports_count();

CREATE TRIGGER search_documents_stats_insert AFTER INSERT ON public.search_documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stats_queue_search_documents();

CREATE TRIGGER simulcast_targets_revise BEFORE UPDATE OF name, url, stream_key, is_enabled, revision, updated_at ON public.simulcast_targets FOR EACH ROW EXECUTE FUNCTION simulcast_targets_revise();

CREATE TRIGGER transcode_jobs_count_delete AFTER DELETE ON public.transcode_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION transcode_jobs_count();

CREATE TRIGGER transcode_jobs_count_insert AFTER INSERT ON public.transcode_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION transcode_jobs_count();

CREATE TRIGGER upload_charges_count_delete AFTER DELETE ON public.upload_charges REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION upload_charges_count();

CREATE TRIGGER upload_charges_count_insert AFTER INSERT ON public.upload_charges REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION upload_charges_count();

CREATE TRIGGER video_assets_count_delete AFTER DELETE ON public.video_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION video_assets_count();

CREATE TRIGGER video_assets_count_insert AFTER INSERT ON public.video_assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION video_assets_count();

CREATE TRIGGER video_assets_count_update AFTER UPDATE OF derived_bytes, derived_files, original_deleted_at ON public.video_assets FOR EACH ROW WHEN (((old.derived_bytes IS DISTINCT FROM new.derived_bytes) OR (old.derived_files IS DISTINCT FROM new.derived_files) OR (old.original_deleted_at IS DISTINCT FROM new.original_deleted_at))) EXECUTE FUNCTION video_assets_count();

CREATE TRIGGER video_assets_object_purges AFTER DELETE ON public.video_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION enqueue_object_purges();

CREATE TRIGGER watch_positions_count_delete AFTER DELETE ON public.watch_positions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION watch_positions_count();

CREATE TRIGGER watch_positions_count_insert AFTER INSERT ON public.watch_positions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION watch_positions_count();

CREATE TRIGGER webhook_deliveries_count_delete AFTER DELETE ON public.webhook_deliveries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_count();

CREATE TRIGGER webhook_deliveries_count_insert AFTER INSERT ON public.webhook_deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_count();

CREATE TRIGGER webhooks_revise BEFORE UPDATE OF url, events, description, delivery_order, is_enabled, revision, updated_at ON public.webhooks FOR EACH ROW EXECUTE FUNCTION webhooks_revise();

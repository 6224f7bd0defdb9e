-- One salt per UTC day. Once it is deleted, the pseudonyms of the day cannot be attributed.
create table viewer_salts (
  day date primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- Raw events from players, partitioned by the UTC day of occurred_at. (session_id, seq) identifies an event, so that
-- repeated delivery has no effect. xact orders events as in the event log: a reader never skips an event that commits
-- late (ADR 0020).
create table watch_events (
  day date not null,
  xact xid8 not null default pg_current_xact_id(),
  session_id uuid not null,
  seq integer not null,
  kind text not null,
  content_id uuid not null,
  channel_id uuid not null,
  -- A pseudonym: derived from the account, or from address and browser with the salt of the day.
  viewer uuid not null,
  -- Null unless the account keeps a watch history.
  account_id uuid,
  occurred_at timestamptz not null,
  country text not null,
  device text not null,
  os text not null,
  browser text not null,
  -- Duration of the content at that time; null if unknown.
  duration_ms integer,
  position_ms integer not null,
  -- Played since the previous event: from, to, from, to, … in milliseconds of the content.
  ranges integer[] not null,
  -- START: time to first frame; REBUFFER: duration of the stall.
  value_ms integer,
  -- QUARTILE, QUALITY_CHANGE and ERROR: which one.
  detail text,
  primary key (session_id, seq, day)
) partition by range (day);
create index watch_events_order on watch_events (xact);

-- The position of the roll-up, written in the transaction of its effects.
create table watch_cursor (
  singleton boolean default true primary key check (singleton),
  xact xid8 not null default '0',
  updated_at timestamptz not null default now()
);

-- Playback sessions in progress.
create table watch_sessions (
  session_id uuid not null,
  content_id uuid not null references contents on delete cascade,
  started boolean not null,
  watched_ms bigint not null,
  -- Whether enough was watched to count as a play.
  played boolean not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  shown boolean not null default false,
  followed boolean not null default false,
  variant_id uuid,
  -- Where the playback began, as its player reported.
  source text,
  primary key (session_id, content_id)
);
create index watch_sessions_content on watch_sessions (content_id);
create index watch_sessions_last on watch_sessions (last_at);
comment on column watch_sessions.variant_id is 'The variant of a running test that the card showed; null for none.';

-- One row per counted view, so that unique viewers of any period can be counted exactly.
create table content_views (
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null,
  viewer uuid not null,
  at timestamptz not null,
  country text not null,
  device text not null,
  os text not null,
  browser text not null,
  source text not null default 'DIRECT',
  primary key (content_id, viewer, at)
);
create index content_views_channel on content_views (channel_id, at, viewer);
create index content_views_content on content_views (content_id, at, viewer);

-- Totals per content, 15 minutes, country and client. Days in every time zone are made of 15-minute intervals.
create table watch_15min (
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null,
  at timestamptz not null,
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
  clicks bigint not null default 0,
  primary key (content_id, at, country, device, os, browser)
);
create index watch_15min_channel on watch_15min (channel_id, at);

-- The same totals per channel and 15 minutes, for time series.
create table channel_15min (
  channel_id uuid not null references channel_ids on delete cascade,
  at timestamptz not null,
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
  clicks bigint not null default 0,
  primary key (channel_id, at)
);

-- The same totals per content and UTC day, for lists of contents and trends.
create table content_daily (
  content_id uuid not null references contents on delete cascade,
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
  clicks bigint not null default 0,
  primary key (content_id, day)
);
create index content_daily_channel on content_daily (channel_id, day);
create index content_daily_day on content_daily (day, content_id);

-- How many more playbacks watched this second of a content than the second before.
create table content_retention (
  content_id uuid not null references contents on delete cascade,
  second integer not null,
  change bigint not null,
  primary key (content_id, second)
);

-- The playback position and watch history of an account.
create table watch_positions (
  account_id uuid not null references accounts on delete cascade,
  content_id uuid not null references contents on delete cascade,
  position_ms integer not null,
  duration_ms integer,
  watched_ms bigint not null,
  completed boolean not null,
  updated_at timestamptz not null,
  primary key (account_id, content_id)
);
create index watch_positions_content on watch_positions (content_id);
create index watch_positions_latest on watch_positions (account_id, updated_at desc, content_id desc);
-- For the planner: see events in 0001_baseline_platform.sql.
alter table watch_positions alter column account_id set (n_distinct = -0.001);

-- Titles and images of a content that are shown to its viewers by chance, to find out which is clicked most.
create table content_tests (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  state text not null default 'RUNNING' check (state in ('RUNNING', 'WON', 'NO_DIFFERENCE', 'STOPPED')),
  end_reason text
    check (end_reason in ('WINNER_FOUND', 'TIME_OVER', 'STOPPED_BY_MEMBER', 'CONTENT_CHANGED', 'NOT_PUBLIC')),
  variants smallint not null check (variants between 2 and 3),
  apply_winner boolean not null,
  min_days smallint not null check (min_days >= 1),
  max_days smallint not null check (max_days >= min_days),
  started_at timestamptz not null,
  ended_at timestamptz,
  winner smallint,
  applied smallint,
  applied_at timestamptz,
  check ((state = 'RUNNING') = (ended_at is null)),
  check ((state = 'RUNNING') = (end_reason is null)),
  check ((state = 'WON') = (winner is not null)),
  check ((applied is null) = (applied_at is null))
);
create unique index content_tests_running on content_tests (content_id) where state = 'RUNNING';
create index content_tests_newest on content_tests (content_id, started_at, id);
comment on column content_tests.winner is 'Position of the variant that is clicked more often than every other one.';
comment on column content_tests.applied is 'Position of the variant that the content was given last.';

create table content_test_variants (
  id uuid primary key,
  test_id uuid not null references content_tests on delete cascade,
  position smallint not null check (position between 0 and 2),
  title text not null,
  image_id uuid,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  viewers bigint not null default 0,
  unique (test_id, position)
);
comment on table content_test_variants is 'Position 0 is the content as it was when the test started.';
comment on column content_test_variants.image_id is
  'The image on cards, which may have been deleted since the test ended; null for none.';
comment on column content_test_variants.viewers is 'Viewers who clicked, each counted once.';

-- The viewers who clicked in a running test, so that each counts once; deleted with its end.
create table content_test_viewers (
  test_id uuid not null references content_tests on delete cascade,
  viewer uuid not null,
  primary key (test_id, viewer)
);

insert into watch_cursor default values;

-- What players report, and what is summed up of it. Raw events are append-only and partitioned by day; days are dropped
-- after their time, the sums stay.

-- day is the UTC day of occurred_at; (session_id, seq) names an event, so that sending it twice is the same as once.
-- xact orders events as the event log does: a reader never passes one that commits late.
create table watch_events (
  day         date not null,
  xact        xid8 not null default pg_current_xact_id(),
  session_id  uuid not null,
  seq         integer not null,
  kind        text not null,
  content_id  uuid not null,
  channel_id  uuid not null,
  -- A pseudonym: of the account, or of address and browser under a salt that exists for a day.
  viewer      uuid not null,
  -- Only where the account keeps a history.
  account_id  uuid,
  occurred_at timestamptz not null,
  country     text not null,
  device      text not null,
  os          text not null,
  browser     text not null,
  -- Length of the content when the event came; null where it was not known.
  duration_ms integer,
  position_ms integer not null,
  -- Played since the event before: from, to, from, to, … in milliseconds of the content.
  ranges      integer[] not null,
  -- START: until the first picture; REBUFFER: how long playback stood.
  value_ms    integer,
  -- QUARTILE, QUALITY_CHANGE and ERROR: which one.
  detail      text,
  primary key (session_id, seq, day)
) partition by range (day);
create index watch_events_order on watch_events (xact);

-- Makes sure that there is a partition for each day from p_first to p_last.
create function watch_events_prepare(p_first date, p_last date) returns void language plpgsql as $$
declare d date; part text;
begin
  for d in select generate_series(p_first, p_last, interval '1 day')::date loop
    part := 'watch_events_' || to_char(d, 'YYYYMMDD');
    if to_regclass(part) is null then
      perform pg_advisory_xact_lock(hashtext('watch_events_prepare'));
      execute format('create table if not exists %I partition of watch_events for values from (%L) to (%L)', part, d, d + 1);
    end if;
  end loop;
end $$;

-- The days that have a partition.
create function watch_events_days() returns setof date language sql stable as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'watch_events'::regclass order by 1;
$$;

-- Drops the partitions of the days before p_day; answers how many.
create function watch_events_drop_before(p_day date) returns integer language plpgsql as $$
declare d date; dropped integer := 0;
begin
  for d in select day from watch_events_days() day where day < p_day loop
    execute format('drop table if exists %I', 'watch_events_' || to_char(d, 'YYYYMMDD'));
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- One salt for a UTC day; without it nobody can tell whose pseudonym was whose.
create table viewer_salts (
  day  date primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- How far the roll-up has read; its effects are written in the same transaction.
create table watch_cursor (
  singleton   boolean primary key default true check (singleton),
  xact       xid8 not null default '0',
  updated_at timestamptz not null default now()
);
insert into watch_cursor default values;

-- What is known of a playback while it lasts.
create table watch_sessions (
  session_id uuid not null,
  content_id uuid not null references contents on delete cascade,
  started    boolean not null,
  watched_ms bigint not null,
  -- Whether enough was watched for it to be a play.
  played     boolean not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  primary key (session_id, content_id)
);
create index watch_sessions_last on watch_sessions (last_at);

-- One row for each counted view, so that different viewers of any period can be counted exactly.
create table content_views (
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null,
  viewer     uuid not null,
  at         timestamptz not null,
  country    text not null,
  device     text not null,
  os         text not null,
  browser    text not null,
  primary key (content_id, viewer, at)
);
create index content_views_channel on content_views (channel_id, at);
create index content_views_content on content_views (content_id, at);

-- Sums by quarter of an hour, which every time zone's days are made of, and by what was watched with, where.
create table watch_15min (
  content_id  uuid not null references contents on delete cascade,
  channel_id  uuid not null,
  at          timestamptz not null,
  country     text not null,
  device      text not null,
  os          text not null,
  browser     text not null,
  views       bigint not null default 0,
  plays       bigint not null default 0,
  watch_ms    bigint not null default 0,
  starts      bigint not null default 0,
  startups    bigint not null default 0,
  startup_ms  bigint not null default 0,
  rebuffers   bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors      bigint not null default 0,
  completes   bigint not null default 0,
  primary key (content_id, at, country, device, os, browser)
);
create index watch_15min_channel on watch_15min (channel_id, at);

-- The same sums by channel and quarter of an hour: what time series read.
create table channel_15min (
  channel_id  uuid not null references channels on delete cascade,
  at          timestamptz not null,
  views       bigint not null default 0,
  plays       bigint not null default 0,
  watch_ms    bigint not null default 0,
  starts      bigint not null default 0,
  startups    bigint not null default 0,
  startup_ms  bigint not null default 0,
  rebuffers   bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors      bigint not null default 0,
  completes   bigint not null default 0,
  primary key (channel_id, at)
);

-- The same sums by content and UTC day: what lists of contents and trends read.
create table content_daily (
  content_id  uuid not null references contents on delete cascade,
  channel_id  uuid not null,
  day         date not null,
  views       bigint not null default 0,
  plays       bigint not null default 0,
  watch_ms    bigint not null default 0,
  starts      bigint not null default 0,
  startups    bigint not null default 0,
  startup_ms  bigint not null default 0,
  rebuffers   bigint not null default 0,
  rebuffer_ms bigint not null default 0,
  errors      bigint not null default 0,
  completes   bigint not null default 0,
  primary key (content_id, day)
);
create index content_daily_channel on content_daily (channel_id, day);
create index content_daily_day on content_daily (day, content_id);

-- How many more playbacks watched this second of a content than the second before it.
create table content_retention (
  content_id uuid not null references contents on delete cascade,
  second     integer not null,
  change     bigint not null,
  primary key (content_id, second)
);

-- Where an account stopped watching.
create table watch_positions (
  account_id  uuid not null references accounts on delete cascade,
  content_id  uuid not null references contents on delete cascade,
  position_ms integer not null,
  duration_ms integer,
  watched_ms  bigint not null,
  completed   boolean not null,
  updated_at  timestamptz not null,
  primary key (account_id, content_id)
);
create index watch_positions_latest on watch_positions (account_id, updated_at desc, content_id desc);
create index watch_positions_content on watch_positions (content_id);

-- counter 'content:views' of a content is the sum of its days.
create function content_daily_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select content_id, sum(views)::bigint as n from new_rows group by 1 having sum(views) <> 0 order by 1 loop
      perform counter_add('content:views', r.content_id, r.n);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select content_id, sum(views)::bigint as n from old_rows group by 1 having sum(views) <> 0 order by 1 loop
      perform counter_add('content:views', r.content_id, -r.n);
    end loop;
  else
    for r in select content_id, sum(n)::bigint as n from (
               select content_id, views as n from new_rows union all select content_id, -views from old_rows) d
             group by 1 having sum(n) <> 0 order by 1 loop
      perform counter_add('content:views', r.content_id, r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger content_daily_count_insert after insert on content_daily referencing new table as new_rows for each statement execute function content_daily_count();
create trigger content_daily_count_update after update on content_daily referencing old table as old_rows new table as new_rows for each statement execute function content_daily_count();
create trigger content_daily_count_delete after delete on content_daily referencing old table as old_rows for each statement execute function content_daily_count();

-- The instant rounded up to a quarter of an hour.
create function next_15min(p_at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(ceil(extract(epoch from p_at) / 900) * 900);
$$;

-- A period of analytics and the one it is compared with, in the channel's time zone, in whole quarters of an hour.
create function analytics_period(p_zone text, p_range text, p_from timestamptz, p_to timestamptz, p_now timestamptz)
returns table (from_at timestamptz, to_at timestamptz, prev_from timestamptz, prev_to timestamptz) language sql stable as $$
  with local as (
    select p_now at time zone p_zone as now, case p_range
      when 'LAST_7D' then 7 when 'LAST_28D' then 28 when 'LAST_30D' then 30 when 'LAST_90D' then 90 end as days),
  bounds as (
    select case p_range when 'MTD' then date_trunc('month', now) when 'YTD' then date_trunc('year', now)
             else date_trunc('day', now) - make_interval(days => days - 1) end as first,
           now,
           case p_range when 'MTD' then interval '1 month' when 'YTD' then interval '1 year' else make_interval(days => days) end as step
    from local)
  select first at time zone p_zone, next_15min(p_now),
         (first - step) at time zone p_zone, next_15min((now - step) at time zone p_zone)
  from bounds where p_range <> 'CUSTOM'
  union all
  select a, b, a - (b - a), a
  from (select next_15min(p_from - interval '14 minutes 59.999 seconds') as a, next_15min(p_to) as b) c where p_range = 'CUSTOM';
$$;

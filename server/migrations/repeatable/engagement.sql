-- The days that have a partition.
create or replace function watch_events_days() returns SETOF date language sql stable as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'watch_events'::regclass order by 1;
$$;

-- Creates the missing partitions from p_first to p_last.
create or replace function watch_events_prepare(p_first date, p_last date) returns void language plpgsql as $$
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
end $$;

-- Drops the partitions of the days before p_day; returns how many.
create or replace function watch_events_drop_before(p_day date) returns integer language plpgsql as $$
declare d date; dropped integer := 0;
begin
  for d in select day from watch_events_days() day where day < p_day loop
    execute format('drop table if exists %I', 'watch_events_' || to_char(d, 'YYYYMMDD'));
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- The instant rounded up to 15 minutes.
create or replace function next_15min(p_at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(ceil(extract(epoch from p_at) / 900) * 900);
$$;

-- A period of analytics and the period it is compared with, in the channel's time zone, in whole 15-minute intervals.
create or replace function analytics_period(p_zone text, p_range text, p_from timestamptz, p_to timestamptz,
  p_now timestamptz) returns TABLE(from_at timestamptz, to_at timestamptz, prev_from timestamptz,
  prev_to timestamptz) language sql stable as $$
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
$$;

-- The variant, from 0, that a viewer (an account, or the pseudonym of a browser) gets in a test: always the same one,
-- and each one for the same share of viewers (engagement/README.md).
create or replace function content_test_position(p_test uuid, p_viewer uuid, p_variants integer) returns integer
language sql immutable strict parallel safe as $$
  select ((get_byte(h, 0) * 16777216::bigint + get_byte(h, 1) * 65536 + get_byte(h, 2) * 256 + get_byte(h, 3))
    * p_variants / 4294967296)::integer
  from (select sha256(uuid_send(p_test) || uuid_send(p_viewer)) as h) d;
$$;

-- The image that cards of a content show: the newest thumbnail, or else the newest poster.
create or replace function card_image(p_content uuid) returns uuid language sql stable parallel safe as $$
  select i.id from image_assets i where i.content_id = p_content and i.purpose in ('THUMBNAIL', 'POSTER')
  order by i.purpose = 'THUMBNAIL' desc, i.created_at desc, i.id desc limit 1;
$$;

-- The variant that a viewer gets in the running test of a content: by account, or else by browser. Null for viewers who
-- opt out of tracking and for members of the channel, where `p_reads` says that they may read as such.
create or replace function shown_variant(p_content uuid, p_channel uuid, p_account uuid, p_browser uuid,
  p_opts_out boolean, p_reads boolean) returns content_test_variants language sql stable parallel safe as $$
  select shown.* from content_tests running join content_test_variants shown on shown.test_id = running.id
  where running.content_id = p_content and running.state = 'RUNNING' and not p_opts_out
    and shown.position = content_test_position(running.id, coalesce(p_account, p_browser), running.variants)
    and not (p_reads and exists (select from channel_members m where m.channel_id = p_channel
      and m.account_id = p_account))
    and not exists (select from account_settings o where o.account_id = p_account and o.do_not_track);
$$;

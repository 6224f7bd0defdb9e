-- Members as a list, settings of every account, and what counts against the quotas of a plan.

-- members -------------------------------------------------------------------------------------------------

alter table channel_members add column id uuid not null default uuidv7();
alter table channel_members add constraint channel_members_id_key unique (id);
create index channel_members_newest on channel_members (channel_id, created_at desc, id desc);
create index channel_members_of_account on channel_members (account_id, created_at desc, id desc);

-- The owner is a member since the channel was made.
create or replace function channels_add_owner() returns trigger language plpgsql as $$
begin
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (new.id, new.account_id, 'OWNER', new.created_at, new.created_at);
  return null;
end $$;

-- Scope 'channel:members' has the channel as key, 'account:channels' the account.
create function channel_members_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select 'account:channels' as scope, account_id as key, count(*) as n from new_rows group by 2
             union all select 'channel:members', channel_id, count(*) from new_rows group by 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select 'account:channels' as scope, account_id as key, count(*) as n from old_rows group by 2
             union all select 'channel:members', channel_id, count(*) from old_rows group by 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger channel_members_count_insert after insert on channel_members referencing new table as new_rows for each statement execute function channel_members_count();
create trigger channel_members_count_delete after delete on channel_members referencing old table as old_rows for each statement execute function channel_members_count();

insert into counters (scope, key, shard, value)
select 'channel:members', channel_id, 0, count(*) from channel_members group by 2
union all select 'account:channels', account_id, 0, count(*) from channel_members group by 2;

-- settings ------------------------------------------------------------------------------------------------

-- Every account has a row from here on.
create or replace function accounts_complete() returns trigger language plpgsql as $$
begin
  insert into channels (id, account_id, handle, name, title, created_at, updated_at)
  values (new.primary_channel_id, new.id, new.username, new.username, new.name, new.created_at, new.created_at);
  insert into subscriptions (account_id) values (new.id);
  insert into account_settings (account_id) values (new.id);
  return null;
end $$;
insert into account_settings (account_id) select id from accounts on conflict do nothing;

-- storage -------------------------------------------------------------------------------------------------

-- What a channel stores, in bytes (scope 'channel:storage'): its videos as they were uploaded, the files of its images, and
-- the declared size of uploads that are open. An account's usage is the sum over the channels it owns, so that it moves with a
-- channel. 'channel:videos' and 'channel:images' are how many there are.

create index video_assets_channel on video_assets (channel_id, created_at desc, id desc);
create index image_assets_newest on image_assets (channel_id, created_at desc, id desc);

create function image_bytes(variants jsonb) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum((v ->> 'sizeBytes')::bigint), 0)::bigint from jsonb_array_elements(variants) v;
$$;

create function media_count_apply(p_channel uuid, p_scope text, p_files bigint, p_bytes bigint) returns void language plpgsql as $$
begin
  perform counter_add('channel:storage', p_channel, p_bytes);
  perform counter_add(p_scope, p_channel, p_files);
end $$;

create function video_assets_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as files, sum(size_bytes)::bigint as bytes from new_rows group by 1 order by 1 loop
      perform media_count_apply(r.channel_id, 'channel:videos', r.files, r.bytes);
    end loop;
  else
    for r in select channel_id, count(*) as files, sum(size_bytes)::bigint as bytes from old_rows group by 1 order by 1 loop
      perform media_count_apply(r.channel_id, 'channel:videos', -r.files, -r.bytes);
    end loop;
  end if;
  return null;
end $$;
create trigger video_assets_count_insert after insert on video_assets referencing new table as new_rows for each statement execute function video_assets_count();
create trigger video_assets_count_delete after delete on video_assets referencing old table as old_rows for each statement execute function video_assets_count();

create function image_assets_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as files, sum(image_bytes(variants))::bigint as bytes from new_rows group by 1 order by 1 loop
      perform media_count_apply(r.channel_id, 'channel:images', r.files, r.bytes);
    end loop;
  else
    for r in select channel_id, count(*) as files, sum(image_bytes(variants))::bigint as bytes from old_rows group by 1 order by 1 loop
      perform media_count_apply(r.channel_id, 'channel:images', -r.files, -r.bytes);
    end loop;
  end if;
  return null;
end $$;
create trigger image_assets_count_insert after insert on image_assets referencing new table as new_rows for each statement execute function image_assets_count();
create trigger image_assets_count_delete after delete on image_assets referencing old table as old_rows for each statement execute function image_assets_count();

-- By row, so that the many updates that only tell how far an upload is cost nothing.
create function ingestions_reserve() returns trigger language plpgsql as $$
declare held bigint := 0;
begin
  if tg_op <> 'INSERT' and old.state = 'OPEN' then held := held - old.size_bytes; end if;
  if tg_op <> 'DELETE' and new.state = 'OPEN' then held := held + new.size_bytes; end if;
  if held <> 0 then perform counter_add('channel:storage', coalesce(new.channel_id, old.channel_id), held); end if;
  return null;
end $$;
create trigger ingestions_reserve_insert after insert on ingestions for each row execute function ingestions_reserve();
create trigger ingestions_reserve_update after update of state on ingestions for each row when (old.state <> new.state) execute function ingestions_reserve();
create trigger ingestions_reserve_delete after delete on ingestions for each row execute function ingestions_reserve();

insert into counters (scope, key, shard, value)
select 'channel:storage', channel_id, 0, sum(bytes)::bigint from (
  select channel_id, size_bytes as bytes from video_assets
  union all select channel_id, image_bytes(variants) from image_assets
  union all select channel_id, size_bytes from ingestions where state = 'OPEN') stored group by 2
union all select 'channel:videos', channel_id, 0, count(*) from video_assets group by 2
union all select 'channel:images', channel_id, 0, count(*) from image_assets group by 2;

-- upload minutes ------------------------------------------------------------------------------------------

-- What processing a video took from the minutes its owner has in a month (UTC). It outlives the video: deleting does not give
-- minutes back; failing does.
create table upload_charges (
  video_asset_id uuid primary key,
  account_id     uuid not null references accounts on delete cascade,
  -- The first of the month.
  month          date not null,
  duration_ms    bigint not null check (duration_ms >= 0)
);
create index upload_charges_account on upload_charges (account_id);

-- Scope 'minutes:YYYY-MM' has the account as key and counts milliseconds.
create function upload_charges_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select 'minutes:' || to_char(month, 'YYYY-MM') as scope, account_id, sum(duration_ms)::bigint as ms from new_rows group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.account_id, r.ms);
    end loop;
  else
    for r in select 'minutes:' || to_char(month, 'YYYY-MM') as scope, account_id, sum(duration_ms)::bigint as ms from old_rows group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.account_id, -r.ms);
    end loop;
  end if;
  return null;
end $$;
create trigger upload_charges_count_insert after insert on upload_charges referencing new table as new_rows for each statement execute function upload_charges_count();
create trigger upload_charges_count_delete after delete on upload_charges referencing old table as old_rows for each statement execute function upload_charges_count();

-- However a job ends badly, a video that never became playable costs nothing.
create function upload_charges_refund() returns trigger language plpgsql as $$
begin
  delete from upload_charges where video_asset_id = new.video_asset_id
    and not exists (select from video_assets v where v.id = new.video_asset_id and v.ready_at is not null);
  return null;
end $$;
create trigger upload_charges_refund after update of status on transcode_jobs for each row
  when (new.status in ('ERROR', 'CANCELLED') and new.video_asset_id is not null) execute function upload_charges_refund();

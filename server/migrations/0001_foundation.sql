-- Accounts, channels, contents, assets, processing and the event log.
-- Conventions: UUIDv7 keys made by the application, timestamptz instants, text + CHECK instead of enums,
-- counters kept exact by statement-level triggers so that totalCount never counts a table.

create extension if not exists citext;

-- accounts ------------------------------------------------------------------------------------------------

create table accounts (
  id                 uuid primary key,
  email              citext not null unique,
  email_verified     boolean not null default false,
  name               text not null,
  image              text,
  username           citext not null unique check (username ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{1,38}$'),
  primary_channel_id uuid not null default gen_random_uuid(),
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);

create table sessions (
  id          uuid primary key,
  account_id  uuid not null references accounts on delete cascade,
  token       text not null unique,
  expires_at  timestamptz not null,
  ip_address  text,
  user_agent  text,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index sessions_account on sessions (account_id);

-- How an account signs in (a password hash, later an external provider).
create table credentials (
  id                       uuid primary key,
  account_id               uuid not null references accounts on delete cascade,
  provider_id              text not null,
  provider_account_id      text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  unique (provider_id, provider_account_id)
);
create index credentials_account on credentials (account_id);

create table verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- access_until is derived from the other columns by the one transition table in code; SQL only compares it.
create table subscriptions (
  account_id        uuid primary key references accounts on delete cascade,
  plan              text not null default 'FREE' check (plan in ('FREE', 'PREMIUM', 'PREMIUM_PLUS', 'CREATOR_PLUS')),
  billing_interval  text not null default 'MONTHLY' check (billing_interval in ('MONTHLY', 'ANNUAL')),
  state             text not null default 'ACTIVE' check (state in ('TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED')),
  bill_at           timestamptz,
  ends_at           timestamptz,
  canceled_at       timestamptz,
  past_due_at       timestamptz,
  trial_started_at  timestamptz,
  trial_ends_at     timestamptz,
  trial_converted   boolean not null default false,
  access_until      timestamptz not null default '-infinity',
  updated_at        timestamptz not null default now()
);

-- One current key per account. lookup_hash = HMAC-SHA256 of the key; sealed = the key under AES-256-GCM.
create table api_keys (
  account_id   uuid primary key references accounts on delete cascade,
  id           uuid not null unique,
  lookup_hash  bytea not null unique check (octet_length(lookup_hash) = 32),
  sealed       bytea not null,
  hint         text not null,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz
);

-- channels ------------------------------------------------------------------------------------------------

create table channels (
  id              uuid primary key,
  account_id      uuid not null references accounts on delete cascade,
  handle          citext not null unique,
  name            text not null,
  title           text not null,
  summary         text not null default '',
  short_summary   text not null default '',
  keywords        text[] not null default '{}',
  followers_count bigint not null default 0,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create index channels_account on channels (account_id, id);
create index channels_newest on channels (created_at desc, id desc);
alter table accounts add foreign key (primary_channel_id) references channels deferrable initially deferred;

-- An account never exists without its channel and subscription: both are made by the insert itself.
create function accounts_complete() returns trigger language plpgsql as $$
begin
  insert into channels (id, account_id, handle, name, title)
  values (new.primary_channel_id, new.id, new.username, new.username, new.name);
  insert into subscriptions (account_id) values (new.id);
  return null;
end $$;
create trigger accounts_complete after insert on accounts for each row execute function accounts_complete();

-- contents ------------------------------------------------------------------------------------------------

create table contents (
  id             uuid primary key,
  channel_id     uuid not null references channels on delete cascade,
  kind           text not null check (kind in ('FEATURE', 'SHORT')),
  status         text not null default 'DRAFT' check (status in ('DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED')),
  visibility     text not null default 'PUBLIC' check (visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  title          text not null,
  summary        text not null default '',
  short_summary  text not null default '',
  keywords       text[] not null default '{}',
  layout         text not null default 'LANDSCAPE' check (layout in ('LANDSCAPE', 'PORTRAIT', 'VR')),
  duration_ms    bigint,
  -- Set while processing when the uploader asked for publication as soon as the video is ready.
  publish_when_ready boolean not null default false,
  release_at     timestamptz,
  published_at   timestamptz,
  deleted_at     timestamptz,
  likes_count    bigint not null default 0,
  comments_count bigint not null default 0,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  -- What anyone may list; partial indexes and counters use the same expression.
  listed         boolean not null generated always as (status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null) stored,
  check ((status = 'PUBLISHED') = (published_at is not null))
);
create index contents_listed on contents (kind, published_at desc, id desc) where listed;
create index contents_channel_listed on contents (channel_id, kind, published_at desc, id desc) where listed;
create index contents_channel on contents (channel_id, created_at desc, id desc) where deleted_at is null;
create index contents_due on contents (release_at) where status = 'READY' and release_at is not null and deleted_at is null;

-- counters ------------------------------------------------------------------------------------------------

-- Exact counts of lists. A count is the sum of its shards: concurrent writers land on different rows.
-- scope 'channels' and 'listed:<KIND>' have key 0; 'channel:listed:<KIND>', 'channel:contents' and 'channel:ingestions' have the channel.
create table counters (
  scope text not null,
  key   uuid not null,
  shard smallint not null,
  value bigint not null default 0,
  primary key (scope, key, shard)
) with (fillfactor = 70);

create function counter_add(p_scope text, p_key uuid, p_delta bigint) returns void language sql as $$
  insert into counters (scope, key, shard, value)
  values (p_scope, p_key, (pg_backend_pid() % 16)::smallint, p_delta)
  on conflict (scope, key, shard) do update set value = counters.value + excluded.value;
$$;

create function counter_value(p_scope text, p_key uuid) returns bigint language sql stable parallel safe as $$
  select coalesce(sum(value), 0)::bigint from counters where scope = p_scope and key = p_key;
$$;

create function contents_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, kind, count(*) filter (where listed) as listed, count(*) filter (where deleted_at is null) as kept
             from new_rows group by 1, 2 order by 1, 2 loop
      perform contents_count_apply(r.channel_id, r.kind, r.listed, r.kept);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select channel_id, kind, count(*) filter (where listed) as listed, count(*) filter (where deleted_at is null) as kept
             from old_rows group by 1, 2 order by 1, 2 loop
      perform contents_count_apply(r.channel_id, r.kind, -r.listed, -r.kept);
    end loop;
  else
    for r in select channel_id, kind, sum(listed)::bigint as listed, sum(kept)::bigint as kept from (
               select channel_id, kind, listed::int as listed, (deleted_at is null)::int as kept from new_rows
               union all
               select channel_id, kind, -listed::int, -(deleted_at is null)::int from old_rows) d
             group by 1, 2 having sum(listed) <> 0 or sum(kept) <> 0 order by 1, 2 loop
      perform contents_count_apply(r.channel_id, r.kind, r.listed, r.kept);
    end loop;
  end if;
  return null;
end $$;

create function contents_count_apply(p_channel uuid, p_kind text, p_listed bigint, p_kept bigint) returns void language plpgsql as $$
begin
  if p_listed <> 0 then
    perform counter_add('listed:' || p_kind, '00000000-0000-0000-0000-000000000000', p_listed);
    perform counter_add('channel:listed:' || p_kind, p_channel, p_listed);
  end if;
  if p_kept <> 0 then
    perform counter_add('channel:contents', p_channel, p_kept);
  end if;
end $$;

create trigger contents_count_insert after insert on contents referencing new table as new_rows for each statement execute function contents_count();
create trigger contents_count_update after update on contents referencing old table as old_rows new table as new_rows for each statement execute function contents_count();
create trigger contents_count_delete after delete on contents referencing old table as old_rows for each statement execute function contents_count();

create function channels_count() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform counter_add('channels', '00000000-0000-0000-0000-000000000000', (select count(*) from new_rows));
  else
    perform counter_add('channels', '00000000-0000-0000-0000-000000000000', -(select count(*) from old_rows));
  end if;
  return null;
end $$;
create trigger channels_count_insert after insert on channels referencing new table as new_rows for each statement execute function channels_count();
create trigger channels_count_delete after delete on channels referencing old table as old_rows for each statement execute function channels_count();

-- assets --------------------------------------------------------------------------------------------------

-- An upload in progress or finished. Its address holds a token derived from the id and the secret key, so none is kept.
create table ingestions (
  id                uuid primary key,
  channel_id        uuid not null references channels on delete cascade,
  -- Null for a channel's own images.
  content_id        uuid references contents on delete cascade,
  media_kind        text not null check (media_kind in ('VIDEO', 'IMAGE')),
  -- VIDEO: a VideoContentType; IMAGE: an ImagePurpose.
  hint              text not null,
  -- IMAGE: what the picture shows.
  alt               text not null default '',
  filename          text not null,
  -- As the client declares it; what counts is found in the bytes.
  filetype          text not null,
  asset_name        text not null,
  size_bytes        bigint not null check (size_bytes > 0),
  received_bytes    bigint not null default 0,
  state             text not null default 'OPEN' check (state in ('OPEN', 'FINISHED', 'FAILED', 'EXPIRED')),
  -- VIDEO: whether processing starts by itself when the last byte is in.
  auto_process      boolean not null default false,
  object_key        text not null,
  error_code        text,
  error_message     text,
  -- Moves on with every piece that arrives.
  expires_at        timestamptz not null,
  -- One request at a time works on an upload, on whichever instance: a lease that its holder renews.
  lock_owner        uuid,
  locked_until      timestamptz,
  -- Another request waits for the lock; the holder ends early.
  lock_requested       boolean not null default false,
  created_at        timestamptz not null default now(),
  finished_at       timestamptz,
  check (content_id is not null or media_kind = 'IMAGE')
);
create index ingestions_channel on ingestions (channel_id, created_at desc, id desc);
create index ingestions_content on ingestions (content_id, created_at desc, id desc);
create function ingestions_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('channel:ingestions', r.channel_id, r.n);
    end loop;
  else
    for r in select channel_id, count(*) as n from old_rows group by 1 order by 1 loop
      perform counter_add('channel:ingestions', r.channel_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger ingestions_count_insert after insert on ingestions referencing new table as new_rows for each statement execute function ingestions_count();
create trigger ingestions_count_delete after delete on ingestions referencing old table as old_rows for each statement execute function ingestions_count();
create index ingestions_open on ingestions (expires_at) where state = 'OPEN';
create index ingestions_received on ingestions (id) where state = 'OPEN' and received_bytes = size_bytes;

create table video_assets (
  id            uuid primary key,
  channel_id    uuid not null references channels on delete cascade,
  content_id    uuid not null references contents on delete cascade,
  ingestion_id  uuid references ingestions on delete set null,
  hint          text not null,
  filename      text not null,
  source_key    text not null,
  size_bytes    bigint not null,
  mime_type     text,
  width         integer,
  height        integer,
  duration_ms   bigint,
  -- Facts found by ffprobe, as written by media/probe.
  probe         jsonb,
  -- [{label,width,height,bandwidthBps,averageBandwidthBps,codecs,frameRate,path}], highest first; null until packaged.
  renditions    jsonb,
  -- {pattern,count,intervalMs} of the pictures for the seek bar, below package_prefix; null for sound alone.
  thumbnails    jsonb,
  -- Object key prefix of the HLS package and the file name of its master playlist in it; null until packaged.
  package_prefix text,
  ready_at      timestamptz,
  created_at    timestamptz not null default now()
);
create index video_assets_content on video_assets (content_id, created_at desc, id desc);

create table image_assets (
  id             uuid primary key,
  channel_id     uuid not null references channels on delete cascade,
  -- Null for a channel's own images (avatar, banner).
  content_id     uuid references contents on delete cascade,
  purpose        text not null,
  alt            text not null default '',
  width          integer not null,
  height         integer not null,
  mime_type      text not null,
  size_bytes     bigint not null,
  object_prefix  text not null,
  -- [{file,width,height,format,sizeBytes}], largest first; file is relative to object_prefix.
  variants       jsonb not null,
  dominant_color text not null,
  blurhash       text not null,
  created_at     timestamptz not null default now()
);
create index image_assets_content on image_assets (content_id, created_at desc, id desc) where content_id is not null;
create index image_assets_channel on image_assets (channel_id, created_at desc, id desc) where content_id is null;

create table transcode_jobs (
  id             uuid primary key,
  channel_id     uuid not null references channels on delete cascade,
  content_id     uuid not null references contents on delete cascade,
  video_asset_id uuid references video_assets on delete cascade,
  status         text not null default 'QUEUED' check (status in
                   ('CANCELLED', 'CANCELLING', 'COMPLETE', 'ERROR', 'IDLE', 'NONE', 'QUEUED', 'TRANSCODING', 'UNKNOWN')),
  progress       smallint not null default 0 check (progress between 0 and 100),
  -- Whether the output is in the object store and served.
  deployed       boolean not null default false,
  attempts       smallint not null default 0,
  error_code     text,
  error_message  text,
  created_at     timestamptz not null default now(),
  started_at     timestamptz,
  finished_at    timestamptz
);
create index transcode_jobs_content on transcode_jobs (content_id, created_at desc, id desc);

-- events --------------------------------------------------------------------------------------------------

-- Written in the transaction of the change it reports. Delivery order is (xact, id) below the oldest running
-- transaction, so that a reader never passes an event that commits late.
create table events (
  id         bigint generated always as identity primary key,
  xact       xid8 not null default pg_current_xact_id(),
  type       text not null,
  channel_id uuid,
  subject_id uuid not null,
  payload    jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index events_order on events (xact, id);

-- What is true of the whole platform, such as the fingerprint of SECRET_KEY.
create table platform_metadata (
  name  text primary key,
  value text not null
);

-- How far each internal consumer has read the log; its effects and its cursor are written in one transaction.
create table event_cursors (
  consumer   text primary key,
  xact       xid8 not null default '0',
  event_id   bigint not null default 0,
  -- Failures of the event after the cursor; after too many it is set aside and the error kept.
  failures   smallint not null default 0,
  retry_at   timestamptz not null default '-infinity',
  updated_at timestamptz not null default now()
);

create table event_failures (
  consumer   text not null references event_cursors on delete cascade,
  event_id   bigint not null references events on delete cascade,
  error      text not null,
  created_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

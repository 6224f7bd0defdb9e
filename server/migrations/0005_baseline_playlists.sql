create table playlists (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  title text not null,
  summary text not null default '',
  short_summary text not null default '',
  keywords text[] not null default '{}',
  visibility text not null default 'PUBLIC' check (visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether public lists contain it; the partial index and counters use this column.
  listed boolean not null generated always as (visibility = 'PUBLIC' and not is_test) stored,
  -- Of a test channel. Set by a trigger.
  is_test boolean not null default false,
  open boolean not null generated always as (visibility <> 'PRIVATE' and not is_test) stored,
  revision integer not null default 1,
  -- Apart from updated_at, because an update that sets only that changes nothing.
  items_changed_at timestamptz
);
create index playlists_channel on playlists (channel_id, created_at desc, id desc);
create index playlists_listed on playlists (created_at desc, id desc) where listed;
-- For the planner: see events in 0001_baseline_platform.sql.
alter table playlists alter column channel_id set (n_distinct = -0.001);
comment on column playlists.open is 'Whether anyone with the link may see it.';

-- position: a fractional index between the neighbours, so that moving an item updates one row. Changing items locks the
-- row of the playlist. The constraint is checked at the end of a statement, which may renumber all items. open: whether
-- the content's effective visibility is not PRIVATE; maintained by triggers.
create table playlist_items (
  id uuid primary key,
  playlist_id uuid not null references playlists on delete cascade,
  content_id uuid not null references contents on delete cascade,
  position text collate "C" not null,
  open boolean not null,
  created_at timestamptz not null default now(),
  constraint playlist_items_position unique (playlist_id, position) include (open) deferrable
);
-- Whether a playlist contains a content is asked for each of an account's playlists: a popular content is in thousands
-- of others.
create index playlist_items_content on playlist_items (content_id, playlist_id);
alter table playlist_items alter column playlist_id set (n_distinct = -0.001);

-- Visibility that playlists had before the closing of their account made them private.
create table concealed_playlists (
  playlist_id uuid primary key references playlists on delete cascade,
  visibility text not null
);

-- What accounts want to watch later: a list of the account, not a playlist of its channel.
create table watch_later (
  content_id uuid not null references contents on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (content_id, account_id)
);
create index watch_later_account on watch_later (account_id, created_at desc, content_id desc);
alter table watch_later alter column account_id set (n_distinct = -0.001);

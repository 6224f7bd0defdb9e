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
  listed boolean not null generated always as (visibility = 'PUBLIC') stored
);
create index playlists_channel on playlists (channel_id, created_at desc, id desc);
create index playlists_listed on playlists (created_at desc, id desc) where listed;
-- A parent has a thousandth of the rows, for the planner: see comments in 0007_social.sql.
alter table playlists alter column channel_id set (n_distinct = -0.001);

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
create index playlist_items_content on playlist_items (content_id);
alter table playlist_items alter column playlist_id set (n_distinct = -0.001);

-- Deleting a channel hides its contents at once; the rows it leaves are deleted in batches. Large tables reference
-- channel_ids, which outlives the channel, so that the channel itself with its handle, members and webhooks is deleted
-- immediately.
create table channel_ids (
  id uuid primary key,
  deleted_at timestamptz
);
create index channel_ids_deleted on channel_ids (deleted_at) where deleted_at is not null;
comment on column channel_ids.deleted_at is 'When the channel was deleted. The row is deleted with the last row that references it.';

create table channels (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  handle citext not null unique,
  name text not null,
  title text not null,
  summary text not null default '',
  short_summary text not null default '',
  keywords text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- IANA time zone of the channel's days, weeks and months.
  time_zone text not null default 'UTC'
);
create index channels_account on channels (account_id, id);
create index channels_newest on channels (created_at desc, id desc);
alter table accounts add foreign key (primary_channel_id) references channels deferrable initially deferred;

create table channel_members (
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  role text not null check (role in ('OWNER', 'MANAGER', 'EDITOR', 'VIEWER')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  id uuid not null default uuidv7() unique,
  primary key (channel_id, account_id)
);
create index channel_members_account on channel_members (account_id, channel_id);
create index channel_members_newest on channel_members (channel_id, created_at desc, id desc);
create index channel_members_of_account on channel_members (account_id, created_at desc, id desc);
create unique index channel_members_owner on channel_members (channel_id) where role = 'OWNER';

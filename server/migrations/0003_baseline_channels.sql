-- Deleting a channel hides its contents at once; the rows it leaves are deleted in batches. Large tables reference
-- channel_ids, which outlives the channel, so that the channel itself with its handle, members and webhooks is deleted
-- immediately.
create table channel_ids (
  id uuid primary key,
  deleted_at timestamptz
);
create index channel_ids_deleted on channel_ids (deleted_at) where deleted_at is not null;
comment on column channel_ids.deleted_at is
  'When the channel was deleted. The row is deleted with the last row that references it.';

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
  time_zone text not null default 'UTC',
  website_url text check (length(website_url) <= 2048),
  keep_originals boolean not null default true,
  encrypt_private_videos boolean not null default false,
  encode_av1 boolean not null default false,
  encode_hevc boolean not null default false,
  prefer_enhanced boolean not null default false,
  -- What a test token makes is in the account's test channel, visible to the account only, and deleted a day later. The
  -- triggers contents_set_parent and playlists_set_test take that over for contents and playlists.
  is_test boolean not null default false,
  -- Of an account that is going to be deleted: only members see the channel.
  is_hidden boolean not null default false,
  revision integer not null default 1
);
create index channels_account on channels (account_id, id);
create index channels_newest on channels (created_at desc, id desc);
create unique index channels_test on channels (account_id) where is_test;
comment on column channels.website_url is 'https or http URL; null without one.';
comment on column channels.keep_originals is 'Whether uploaded video files are kept after processing.';
comment on column channels.encrypt_private_videos is 'Whether videos that are not public are sent encrypted.';
comment on column channels.encode_av1 is 'Whether videos get renditions in AV1.';
comment on column channels.encode_hevc is 'Whether videos get renditions in HEVC.';
comment on column channels.prefer_enhanced is
  'Whether manifests have players choose upscaled sizes and upmixed sound by themselves.';
comment on column channels.is_test is 'The test channel of its account; never changes.';
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

-- Invitations to become a member of a channel: for one account (account_id), or for whoever has the address (email).
-- token_hash: SHA-256 of the token in the link of the message. One that has expired is PENDING with expires_at in the
-- past.
create table channel_invitations (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  role text not null check (role in ('VIEWER', 'EDITOR', 'MANAGER')),
  account_id uuid references accounts on delete cascade,
  email citext,
  token_hash bytea not null unique,
  invited_by uuid references accounts on delete set null,
  state text not null default 'PENDING' check (state in ('PENDING', 'ACCEPTED', 'DECLINED', 'WITHDRAWN')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint channel_invitations_recipient check ((account_id is null) <> (email is null)),
  constraint channel_invitations_ended check ((state = 'PENDING') = (ended_at is null))
);
create index channel_invitations_channel on channel_invitations (channel_id, created_at desc, id desc);
create index channel_invitations_account on channel_invitations (account_id, created_at desc, id desc)
  where account_id is not null;
create index channel_invitations_email on channel_invitations (email, created_at desc, id desc)
  where email is not null;
create index channel_invitations_invited_by on channel_invitations (invited_by) where invited_by is not null;
create index channel_invitations_expiry on channel_invitations (expires_at);

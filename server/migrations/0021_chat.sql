-- The chat of a stream, from its first segment on.
create table chats (
  -- That of the stream.
  id uuid primary key references contents on delete cascade,
  -- Who may write.
  mode text not null default 'EVERYONE' check (mode in ('EVERYONE', 'FOLLOWERS', 'MEMBERS', 'NOBODY')),
  -- How long an account waits between two messages.
  slow_mode_ms integer not null default 0 check (slow_mode_ms between 0 and 600000),
  -- Until the broadcast ends.
  is_open boolean not null default true,
  -- Counts its changes. Each locks the row, so that readers who have seen a version have seen all before it.
  version bigint not null default 0,
  pinned_id uuid,
  updated_at timestamptz not null,
  revision integer not null default 1
);

create table chat_messages (
  id uuid primary key,
  content_id uuid not null references chats on delete cascade,
  -- The channel of the stream; no foreign key, because messages are deleted with their stream.
  channel_id uuid not null,
  account_id uuid not null references accounts on delete cascade,
  body text not null,
  status text not null check (status in ('PUBLISHED', 'HELD', 'DELETED')),
  -- Why it is held for review.
  held_for text check (held_for in ('BLOCKED_WORD', 'LINK')),
  -- The version of the chat with its last change. What is deleted stays as a row without a text, for readers who have
  -- the message.
  version bigint not null,
  -- In the recording; null before that is complete, and where the recording does not have that moment.
  position_ms integer,
  created_at timestamptz not null,
  check ((status = 'HELD') = (held_for is not null)),
  check (status <> 'DELETED' or body = '')
);
create index chat_messages_version on chat_messages (content_id, version);
create index chat_messages_newest on chat_messages (content_id, created_at desc, id desc) where status <> 'DELETED';
create index chat_messages_held on chat_messages (content_id, created_at, id) where status = 'HELD';
create index chat_messages_position on chat_messages (content_id, position_ms, id) where status = 'PUBLISHED';
create index chat_messages_account on chat_messages (account_id, created_at desc, id desc);
alter table chat_messages
  alter column content_id set (n_distinct = -0.001), alter column account_id set (n_distinct = -0.001);
alter table chats add foreign key (pinned_id) references chat_messages on delete set null;
create index chats_pinned on chats (pinned_id) where pinned_id is not null;

-- Messages of an account in a chat since window_at. Locking the row serializes them.
create table chat_rate_limits (
  content_id uuid not null references chats on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  window_at timestamptz not null,
  used integer not null,
  last_at timestamptz not null,
  primary key (content_id, account_id)
);
create index chat_rate_limits_account on chat_rate_limits (account_id);

-- Accounts that may not write in the chats of a channel for a while.
create table chat_timeouts (
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  ends_at timestamptz not null,
  primary key (channel_id, account_id)
);
create index chat_timeouts_account on chat_timeouts (account_id);

insert into chats (id, is_open, updated_at)
  select content_id, state in ('LIVE', 'RECONNECTING'), coalesce(started_at, connected_at) from broadcasts
  where content_id is not null;

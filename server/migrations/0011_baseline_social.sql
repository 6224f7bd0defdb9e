create table likes (
  content_id uuid not null references contents on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (content_id, account_id)
);
create index likes_account on likes (account_id, created_at desc, content_id desc);
-- For the planner: see events in 0001_baseline_platform.sql.
alter table likes alter column account_id set (n_distinct = -0.001);

create table follows (
  channel_id uuid not null references channel_ids on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (channel_id, account_id)
);
create index follows_account on follows (account_id, created_at desc, channel_id desc);
create index follows_channel on follows (channel_id, created_at desc, account_id desc);
alter table follows
  alter column channel_id set (n_distinct = -0.001), alter column account_id set (n_distinct = -0.001);

-- Every follow (1) and unfollow (-1), for analytics of gained and lost followers. Rows outlive the account.
create table follow_changes (
  id bigint generated always as identity primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  account_id uuid not null,
  delta smallint not null check (delta in (1, -1)),
  created_at timestamptz not null
);
create index follow_changes_channel on follow_changes (channel_id, created_at);

-- Rules that hold comments for review. A channel without a row has the defaults.
create table channel_moderation (
  channel_id uuid primary key references channels on delete cascade,
  blocked_words text[] not null default '{}',
  hold_links boolean not null default false,
  updated_at timestamptz not null,
  revision integer not null default 1
);

-- Accounts that may not comment or like in a channel.
create table channel_blocks (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  unique (channel_id, account_id)
);
create index channel_blocks_account on channel_blocks (account_id);
create index channel_blocks_newest on channel_blocks (channel_id, created_at desc, id desc);

create table comments (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  -- The channel of the content; no foreign key, because comments are deleted with their content.
  channel_id uuid not null,
  -- The comment it replies to and the first comment of the thread; both null for a first comment. Threads are read by
  -- root_id, so depth costs nothing. A comment with replies is not deleted but becomes a placeholder.
  parent_id uuid references comments,
  root_id uuid references comments,
  depth integer not null default 0,
  -- Null once the comment or the account is deleted.
  account_id uuid references accounts on delete set null,
  body text not null,
  status text not null default 'PUBLISHED' check (status in ('PUBLISHED', 'HELD', 'REJECTED')),
  -- Why it is held for review.
  held_for text check (held_for in ('ALL', 'BLOCKED_WORD', 'LINK', 'MODERATOR')),
  pin smallint not null default 0 check (pin in (0, 1)),
  hearted boolean not null default false,
  -- A column instead of a counter, because lists are sorted by it.
  likes_count bigint not null default 0,
  -- Shown without text, because it was deleted or rejected and has replies.
  placeholder boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- Whether public lists contain it.
  listed boolean not null generated always as (status = 'PUBLISHED' and deleted_at is null or placeholder) stored,
  -- Taken down by an operator: it stays rejected, whatever the moderators of the channel decide.
  taken_down_at timestamptz,
  check ((depth = 0) = (parent_id is null) and (parent_id is null) = (root_id is null)),
  check (account_id is not null or deleted_at is not null)
);
create index comments_account on comments (account_id, created_at desc, id desc) where account_id is not null;
create index comments_account_content on comments (account_id, content_id) where account_id is not null;
create index comments_content on comments (content_id);
create index comments_held on comments (channel_id, created_at, id) where status = 'HELD';
create index comments_newest on comments (content_id, pin desc, created_at desc, id desc)
  where parent_id is null and listed;
create unique index comments_pinned on comments (content_id) where pin = 1;
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
create index comments_thread on comments (root_id, created_at, id) where root_id is not null;
create index comments_top on comments (content_id, pin desc, likes_count desc, id desc)
  where parent_id is null and listed;
-- Lists of a channel's comments, newest first; it serves the channel's analytics, which count them by time, too.
create index comments_channel on comments (channel_id, created_at desc, id desc) where deleted_at is null;
-- For the planner, as above. Replies are a twentieth: the foreign key checks of each deleted comment use the index in
-- small tables too.
alter table comments
  alter column content_id set (n_distinct = -0.001), alter column parent_id set (n_distinct = -0.05),
  alter column root_id set (n_distinct = -0.05), alter column account_id set (n_distinct = -0.001),
  alter column channel_id set (n_distinct = -0.001);

create table comment_likes (
  comment_id uuid not null references comments on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (comment_id, account_id)
);
create index comment_likes_account on comment_likes (account_id);

create table comment_mentions (
  comment_id uuid not null references comments on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  primary key (comment_id, account_id)
);
create index comment_mentions_account on comment_mentions (account_id, comment_id desc);

-- The text of a comment before each edit.
create table comment_edits (
  id uuid primary key,
  comment_id uuid not null references comments on delete cascade,
  body text not null,
  created_at timestamptz not null
);
create index comment_edits_comment on comment_edits (comment_id, created_at desc, id desc);

-- Comments of an account in a channel since window_at. Locking the row serializes the account's comments in the
-- channel.
create table comment_rate_limits (
  account_id uuid not null references accounts on delete cascade,
  channel_id uuid not null references channel_ids on delete cascade,
  window_at timestamptz not null,
  used integer not null,
  primary key (account_id, channel_id)
);
create index comment_rate_limits_channel on comment_rate_limits (channel_id);

create table reports (
  id uuid primary key,
  -- The channel whose moderators handle it.
  channel_id uuid not null references channels on delete cascade,
  -- The reported content or comment; both null if the channel itself is reported.
  content_id uuid references contents on delete cascade,
  comment_id uuid references comments on delete cascade,
  -- The id of the reported content, comment or channel.
  subject_id uuid not null,
  -- The reporter; null once the account is deleted.
  account_id uuid references accounts on delete set null,
  reason text not null check (reason in ('SPAM', 'HARASSMENT', 'HATE', 'VIOLENCE', 'SEXUAL', 'MISINFORMATION',
    'COPYRIGHT', 'OTHER')),
  note text not null default '',
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED', 'DISMISSED')),
  resolved_by uuid references accounts on delete set null,
  resolved_at timestamptz,
  created_at timestamptz not null,
  check (num_nonnulls(content_id, comment_id) <= 1),
  check ((status = 'OPEN') = (resolved_at is null))
);
create index reports_account on reports (account_id);
create index reports_channel on reports (channel_id, status, created_at desc, id desc);
create index reports_comment on reports (comment_id) where comment_id is not null;
create index reports_content on reports (content_id) where content_id is not null;
create unique index reports_open on reports (account_id, subject_id) where status = 'OPEN';
create index reports_resolver on reports (resolved_by) where resolved_by is not null;
-- Reports of all channels, and the open ones about one thing.
create index reports_newest on reports (status, created_at, id);
create index reports_subject on reports (subject_id) where status = 'OPEN';

-- What accounts are told. Written by a consumer of the event log; deleted with the content, comment or invitation they
-- are about, and by age.
create table notifications (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('COMMENT_REPLY', 'COMMENT_HEART', 'NEW_VIDEO', 'PROCESSING_DONE',
    'PROCESSING_FAILED', 'CHANNEL_INVITATION', 'REPORT_REVIEWED')),
  content_id uuid references contents on delete cascade,
  comment_id uuid references comments on delete cascade,
  -- Whether the account sees it in the application; others only wait to be mailed.
  in_page boolean not null,
  -- Whether a message is to be sent.
  mail_due boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz,
  invitation_id uuid references channel_invitations on delete cascade,
  constraint notifications_subject check ((content_id is null) <> (invitation_id is null))
);
create index notifications_account on notifications (account_id, created_at desc, id desc) where in_page;
create index notifications_unread on notifications (account_id) where read_at is null and in_page;
create unique index notifications_once on notifications
  (account_id, kind, content_id, coalesce(comment_id, content_id));
create index notifications_mail_due on notifications (created_at) where mail_due;
create index notifications_age on notifications (created_at);
create index notifications_content on notifications (content_id);
create index notifications_comment on notifications (comment_id) where comment_id is not null;
create unique index notifications_invitation on notifications (invitation_id) where invitation_id is not null;
alter table notifications alter column account_id set (n_distinct = -0.001);

-- Likes, follows, comments and their moderation.

-- Counts are kept in counters, so that nobody waits for the row of a popular content or channel.
alter table contents drop column likes_count, drop column comments_count;
alter table channels drop column followers_count;

-- Who may comment on a content, and whether comments appear at once.
alter table contents add column comment_mode text not null default 'ENABLED'
  check (comment_mode in ('ENABLED', 'HOLD_ALL', 'MEMBERS_ONLY', 'DISABLED'));

-- likes and follows ---------------------------------------------------------------------------------------

create table likes (
  content_id uuid not null references contents on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (content_id, account_id)
);
create index likes_account on likes (account_id, created_at desc, content_id desc);

create table follows (
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (channel_id, account_id)
);
create index follows_account on follows (account_id, created_at desc, channel_id desc);
create index follows_channel on follows (channel_id, created_at desc, account_id desc);

-- Every follow (1) and unfollow (-1) there was: what subscribers gained and lost are counted from. Outlives the account, as a bare number.
create table follow_changes (
  id         bigint generated always as identity primary key,
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null,
  delta      smallint not null check (delta in (1, -1)),
  created_at timestamptz not null
);
create index follow_changes_channel on follow_changes (channel_id, created_at);

-- comments ------------------------------------------------------------------------------------------------

create table comments (
  id          uuid primary key,
  content_id  uuid not null references contents on delete cascade,
  -- The content's; comments go with their content.
  channel_id  uuid not null,
  -- What it answers, and the comment that the thread began with; both null for the first of a thread. Threads are read by these, never
  -- by following parents, so that their depth costs nothing. A row with answers cannot be deleted: its place is kept.
  parent_id   uuid references comments,
  root_id     uuid references comments,
  depth       integer not null default 0 check ((depth = 0) = (parent_id is null) and (parent_id is null) = (root_id is null)),
  -- Null once the comment or the account is deleted.
  account_id  uuid references accounts on delete set null,
  body        text not null,
  status      text not null default 'PUBLISHED' check (status in ('PUBLISHED', 'HELD', 'REJECTED')),
  -- Why it is held.
  held_for    text check (held_for in ('ALL', 'BLOCKED_WORD', 'LINK', 'MODERATOR')),
  pin         smallint not null default 0 check (pin in (0, 1)),
  hearted     boolean not null default false,
  -- A column and no counter, because lists are sorted by it.
  likes_count bigint not null default 0,
  -- An empty place is shown for it, because it is deleted or taken back and has answers.
  placeholder boolean not null default false,
  created_at  timestamptz not null,
  edited_at   timestamptz,
  deleted_at  timestamptz,
  -- Whether it has a place in the lists that everyone reads.
  listed      boolean not null generated always as ((status = 'PUBLISHED' and deleted_at is null) or placeholder) stored,
  check (account_id is not null or deleted_at is not null)
);
create index comments_newest on comments (content_id, pin desc, created_at desc, id desc) where parent_id is null and listed;
create index comments_top on comments (content_id, pin desc, likes_count desc, id desc) where parent_id is null and listed;
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
create index comments_thread on comments (root_id, created_at, id) where root_id is not null;
create index comments_account on comments (account_id, created_at desc, id desc) where account_id is not null;
create index comments_account_content on comments (account_id, content_id) where account_id is not null;
create index comments_content on comments (content_id);
create index comments_held on comments (channel_id, created_at, id) where status = 'HELD';
create unique index comments_pinned on comments (content_id) where pin = 1;

create table comment_likes (
  comment_id uuid not null references comments on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (comment_id, account_id)
);
create index comment_likes_account on comment_likes (account_id);

-- What a comment said before each edit.
create table comment_edits (
  id         uuid primary key,
  comment_id uuid not null references comments on delete cascade,
  body       text not null,
  created_at timestamptz not null
);
create index comment_edits_comment on comment_edits (comment_id, created_at desc, id desc);

create table comment_mentions (
  comment_id uuid not null references comments on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  primary key (comment_id, account_id)
);
create index comment_mentions_account on comment_mentions (account_id, comment_id desc);

-- How many comments an account wrote in a channel since `window_at`; the row is also what its comments there wait in line at.
create table comment_rate_limits (
  account_id uuid not null references accounts on delete cascade,
  channel_id uuid not null references channels on delete cascade,
  window_at  timestamptz not null,
  used       integer not null,
  primary key (account_id, channel_id)
);
create index comment_rate_limits_channel on comment_rate_limits (channel_id);

-- moderation ----------------------------------------------------------------------------------------------

-- What holds comments for review; a channel without a row has the defaults.
create table channel_moderation (
  channel_id    uuid primary key references channels on delete cascade,
  blocked_words text[] not null default '{}',
  hold_links    boolean not null default false,
  updated_at    timestamptz not null
);

-- Accounts that may not comment and like in a channel.
create table channel_blocks (
  id         uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  unique (channel_id, account_id)
);
create index channel_blocks_newest on channel_blocks (channel_id, created_at desc, id desc);
create index channel_blocks_account on channel_blocks (account_id);

create table reports (
  id          uuid primary key,
  -- The channel whose moderators see it.
  channel_id  uuid not null references channels on delete cascade,
  -- What is reported: one of them, or neither for the channel itself.
  content_id  uuid references contents on delete cascade,
  comment_id  uuid references comments on delete cascade,
  -- The id of what is reported, whichever it is.
  subject_id  uuid not null,
  -- Who reported it; null once the account is gone.
  account_id  uuid references accounts on delete set null,
  reason      text not null check (reason in ('SPAM', 'HARASSMENT', 'HATE', 'VIOLENCE', 'SEXUAL', 'MISINFORMATION', 'COPYRIGHT', 'OTHER')),
  note        text not null default '',
  status      text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED', 'DISMISSED')),
  resolved_by uuid references accounts on delete set null,
  resolved_at timestamptz,
  created_at  timestamptz not null,
  check (num_nonnulls(content_id, comment_id) <= 1),
  check ((status = 'OPEN') = (resolved_at is null))
);
create unique index reports_open on reports (account_id, subject_id) where status = 'OPEN';
create index reports_channel on reports (channel_id, status, created_at desc, id desc);
create index reports_content on reports (content_id) where content_id is not null;
create index reports_comment on reports (comment_id) where comment_id is not null;
create index reports_resolver on reports (resolved_by) where resolved_by is not null;

-- counts --------------------------------------------------------------------------------------------------

-- scope 'content:likes' has the content as key, 'channel:followers' the channel, 'account:follows' the account.

create function likes_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select content_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('content:likes', r.content_id, r.n);
    end loop;
  else
    for r in select content_id, count(*) as n from old_rows o where exists (select 1 from contents c where c.id = o.content_id)
             group by 1 order by 1 loop
      perform counter_add('content:likes', r.content_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger likes_count_insert after insert on likes referencing new table as new_rows for each statement execute function likes_count();
create trigger likes_count_delete after delete on likes referencing old table as old_rows for each statement execute function likes_count();

create function follows_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select scope, key, count(*) as n from (
               select 'channel:followers' as scope, channel_id as key from new_rows
               union all select 'account:follows', account_id from new_rows) d
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  else
    for r in select scope, key, count(*) as n from (
               select 'channel:followers' as scope, channel_id as key from old_rows
               union all select 'account:follows', account_id from old_rows) d
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger follows_count_insert after insert on follows referencing new table as new_rows for each statement execute function follows_count();
create trigger follows_count_delete after delete on follows referencing old table as old_rows for each statement execute function follows_count();

-- What a comment adds to which count.
create function comment_counts(c comments) returns table (scope text, key uuid, n bigint) language sql immutable as $$
  select * from (values
    ('content:comments', c.content_id, (c.status = 'PUBLISHED' and c.deleted_at is null)::int::bigint),
    ('content:threads', c.content_id, (c.listed and c.parent_id is null)::int::bigint),
    ('comment:replies', c.parent_id, (c.listed and c.parent_id is not null)::int::bigint),
    ('comment:thread', c.root_id, (c.listed and c.root_id is not null)::int::bigint),
    ('channel:held', c.channel_id, (c.status = 'HELD' and c.deleted_at is null)::int::bigint),
    ('account:comments', c.account_id, (c.account_id is not null)::int::bigint)
  ) v (scope, key, n) where v.n <> 0;
$$;

create function comments_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select f.scope, f.key, sum(f.n)::bigint as n from new_rows c cross join lateral comment_counts(c) f
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select f.scope, f.key, sum(f.n)::bigint as n from old_rows o cross join lateral comment_counts(o) f
             where f.scope not like 'content:%' or exists (select 1 from contents c where c.id = f.key)
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, -r.n);
    end loop;
    delete from counters where scope in ('comment:replies', 'comment:thread') and key in (select id from old_rows);
  else
    for r in select scope, key, sum(n)::bigint as n from (
               select f.* from new_rows c cross join lateral comment_counts(c) f
               union all select f.scope, f.key, -f.n from old_rows c cross join lateral comment_counts(c) f) d
             group by 1, 2 having sum(n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger comments_count_insert after insert on comments referencing new table as new_rows for each statement execute function comments_count();
create trigger comments_count_update after update on comments referencing old table as old_rows new table as new_rows for each statement execute function comments_count();
create trigger comments_count_delete after delete on comments referencing old table as old_rows for each statement execute function comments_count();

-- One comment after the other, in order of their ids, so that two accounts that leave at once do not wait for each other.
create function comment_likes_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select comment_id, count(*) as n from new_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count + r.n where id = r.comment_id;
    end loop;
  else
    for r in select comment_id, count(*) as n from old_rows group by 1 order by 1 loop
      update comments set likes_count = likes_count - r.n where id = r.comment_id;
    end loop;
  end if;
  return null;
end $$;
create trigger comment_likes_count_insert after insert on comment_likes referencing new table as new_rows for each statement execute function comment_likes_count();
create trigger comment_likes_count_delete after delete on comment_likes referencing old table as old_rows for each statement execute function comment_likes_count();

-- scope 'channel:blocks' has the channel as key, and so have 'channel:reports:OPEN', ':RESOLVED' and ':DISMISSED'.
create function channel_blocks_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('channel:blocks', r.channel_id, r.n);
    end loop;
  else
    for r in select channel_id, count(*) as n from old_rows group by 1 order by 1 loop
      perform counter_add('channel:blocks', r.channel_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger channel_blocks_count_insert after insert on channel_blocks referencing new table as new_rows for each statement execute function channel_blocks_count();
create trigger channel_blocks_count_delete after delete on channel_blocks referencing old table as old_rows for each statement execute function channel_blocks_count();

create function reports_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, status, count(*) as n from new_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('channel:reports:' || r.status, r.channel_id, r.n);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select channel_id, status, count(*) as n from old_rows group by 1, 2 order by 1, 2 loop
      perform counter_add('channel:reports:' || r.status, r.channel_id, -r.n);
    end loop;
  else
    for r in select channel_id, status, sum(n)::bigint as n from (
               select channel_id, status, 1 as n from new_rows union all select channel_id, status, -1 from old_rows) d
             group by 1, 2 having sum(n) <> 0 order by 1, 2 loop
      perform counter_add('channel:reports:' || r.status, r.channel_id, r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger reports_count_insert after insert on reports referencing new table as new_rows for each statement execute function reports_count();
create trigger reports_count_update after update on reports referencing old table as old_rows new table as new_rows for each statement execute function reports_count();
create trigger reports_count_delete after delete on reports referencing old table as old_rows for each statement execute function reports_count();

-- deleting ------------------------------------------------------------------------------------------------

-- Takes a comment away and writes the event. One with answers keeps an empty place; one without goes, and so do the empty places
-- above it that nothing holds any more. The locks keep answers from arriving meanwhile.
create function comment_remove(p_comment uuid, p_now timestamptz) returns boolean language plpgsql as $$
declare
  c comments;
  above comments;
  -- Itself and the empty places that only it kept.
  gone uuid[];
  -- A place that stands by itself again.
  kept uuid;
begin
  select * into c from comments where id = p_comment and deleted_at is null for update;
  if not found then
    return false;
  end if;
  insert into events (type, channel_id, subject_id, payload)
  values ('comment.deleted', c.channel_id, c.id, jsonb_build_object('contentId', c.content_id));
  if exists (select 1 from comments where parent_id = c.id) then
    delete from comment_likes where comment_id = c.id;
    delete from comment_edits where comment_id = c.id;
    delete from comment_mentions where comment_id = c.id;
    delete from reports where comment_id = c.id;
    update comments set body = '', account_id = null, deleted_at = p_now, placeholder = true, pin = 0, hearted = false where id = c.id;
    return true;
  end if;
  gone := array[c.id];
  while c.parent_id is not null loop
    select * into above from comments where id = c.parent_id for update;
    exit when not above.placeholder or exists (select 1 from comments where parent_id = above.id and id <> c.id);
    if above.deleted_at is null then
      kept := above.id;
      exit;
    end if;
    gone := gone || above.id;
    c := above;
  end loop;
  delete from comments where id = any(gone); -- at once: counts are kept per statement
  update comments set placeholder = false where id = kept;
  return true;
end $$;

-- An account that leaves takes its comments along and is no follower any more; what only points at it goes with the row.
create function accounts_remove_social() returns trigger language plpgsql as $$
declare r record;
begin
  insert into follow_changes (channel_id, account_id, delta, created_at)
  select channel_id, account_id, -1, now() from follows where account_id = old.id;
  for r in select id from comments where account_id = old.id order by depth desc, id loop
    perform comment_remove(r.id, now());
  end loop;
  return old;
end $$;
create trigger accounts_remove_social before delete on accounts for each row execute function accounts_remove_social();

-- Counts of what is gone for good are not kept. Its likes and comments go after this trigger and leave these counts alone then.
create function contents_forget_counts() returns trigger language plpgsql as $$
begin
  delete from counters where scope in ('content:likes', 'content:comments', 'content:threads') and key in (select id from old_rows);
  return null;
end $$;
create trigger contents_forget_counts after delete on contents referencing old table as old_rows for each statement execute function contents_forget_counts();

-- Private sharing of contents (ADR 0174): the people who may watch one, and links for whoever has them.
create table content_shares (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null references channels on delete cascade,
  account_id uuid references accounts on delete cascade,
  -- Of somebody who may have no account: it gives access to the account that has confirmed it.
  email citext,
  created_by uuid references accounts on delete set null,
  created_at timestamptz not null,
  constraint content_shares_person check ((account_id is null) <> (email is null))
);
comment on table content_shares is 'A person who may watch a private content.';
create unique index content_shares_account on content_shares (account_id, content_id) where account_id is not null;
create unique index content_shares_email on content_shares (email, content_id) where email is not null;
create index content_shares_content on content_shares (content_id, created_at desc, id desc);
create index content_shares_channel on content_shares (channel_id);
create index content_shares_created_by on content_shares (created_by) where created_by is not null;

create table share_links (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  channel_id uuid not null references channels on delete cascade,
  name text not null default '' check (char_length(name) <= 100),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- As the sign-in library stores passwords; null: none is asked for.
  password_hash text,
  -- Null: until it is deleted.
  expires_at timestamptz,
  -- Null: any number of times.
  max_uses integer check (max_uses > 0),
  uses integer not null default 0,
  created_by uuid references accounts on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint share_links_uses check (uses >= 0 and (max_uses is null or uses <= max_uses))
);
comment on table share_links is 'A link at which a private content can be watched without an account.';
create index share_links_content on share_links (content_id, created_at desc, id desc);
create index share_links_channel on share_links (channel_id);
create index share_links_created_by on share_links (created_by) where created_by is not null;

-- Locks attempt_counters: it has rows of the last attempts only, few enough to be checked at once.
alter table attempt_counters
  drop constraint attempt_counters_kind_check,
  add constraint attempt_counters_kind_check check (kind in ('SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS',
    'PASSWORD_CHANGE', 'OPERATOR_CODE', 'RESET_ACCOUNT', 'RESET_ADDRESS', 'CONFIRM_EMAIL', 'SHARE_LINK',
    'SHARE_LINK_ADDRESS'));

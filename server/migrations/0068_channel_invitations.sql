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

-- Notifications of invitations are about no content.
alter table notifications alter column content_id drop not null;
alter table notifications add column invitation_id uuid references channel_invitations on delete cascade;
alter table notifications add constraint notifications_subject check ((content_id is null) <> (invitation_id is null));
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('COMMENT_REPLY', 'COMMENT_HEART',
  'NEW_VIDEO', 'PROCESSING_DONE', 'PROCESSING_FAILED', 'CHANNEL_INVITATION'));
create unique index notifications_invitation on notifications (invitation_id) where invitation_id is not null;

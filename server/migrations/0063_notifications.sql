-- What accounts are told: replies, hearts, new videos of followed channels, and the processing of their videos. Written
-- by a consumer of the event log; deleted with the content or comment they are about, and by age.
create table notifications (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null
    check (kind in ('COMMENT_REPLY', 'COMMENT_HEART', 'NEW_VIDEO', 'PROCESSING_DONE', 'PROCESSING_FAILED')),
  content_id uuid not null references contents on delete cascade,
  comment_id uuid references comments on delete cascade,
  -- Whether the account sees it in the application; others only wait to be mailed.
  in_page boolean not null,
  -- Whether a message is to be sent.
  mail_due boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_account on notifications (account_id, created_at desc, id desc) where in_page;
create index notifications_unread on notifications (account_id) where read_at is null and in_page;
create unique index notifications_once on notifications (account_id, kind, content_id, coalesce(comment_id, content_id));
create index notifications_mail_due on notifications (created_at) where mail_due;
create index notifications_age on notifications (created_at);
create index notifications_content on notifications (content_id);
create index notifications_comment on notifications (comment_id) where comment_id is not null;
-- A parent has a thousandth of the rows, for the planner: see comments in 0007_social.sql.
alter table notifications alter column account_id set (n_distinct = -0.001);

alter table account_settings
  add column notifications_off text[] not null default '{}',
  add column notifications_mailed text[] not null default '{}';
comment on column account_settings.notifications_off is 'Kinds that are not shown in the application.';
comment on column account_settings.notifications_mailed is 'Kinds that are also sent by mail.';

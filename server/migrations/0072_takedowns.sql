-- Operators take contents down: whatever their visibility, only members of their channel see them then.
alter table contents
  add column taken_down_at timestamptz,
  add column takedown_reason text check (char_length(takedown_reason) between 1 and 500),
  add constraint contents_takedown check ((taken_down_at is null) = (takedown_reason is null)),
  alter column listed set expression as (
    status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null and taken_down_at is null
    and parent_effective_visibility = 'PUBLIC'),
  alter column effective_visibility set expression as (
    case when status <> 'PUBLISHED' or visibility = 'PRIVATE' or deleted_at is not null or taken_down_at is not null
      or parent_effective_visibility = 'PRIVATE' then 'PRIVATE'
    when visibility = 'UNLISTED' or parent_effective_visibility = 'UNLISTED' then 'UNLISTED'
    else 'PUBLIC' end);

-- A comment that an operator took down stays rejected, whatever the moderators of the channel decide.
alter table comments add column taken_down_at timestamptz;

-- Reports of all channels, and the open ones about one thing.
create index reports_newest on reports (status, created_at, id);
create index reports_subject on reports (subject_id) where status = 'OPEN';

-- Who reported something is told that it was reviewed.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('COMMENT_REPLY', 'COMMENT_HEART', 'NEW_VIDEO', 'PROCESSING_DONE', 'PROCESSING_FAILED',
    'CHANNEL_INVITATION', 'REPORT_REVIEWED'));

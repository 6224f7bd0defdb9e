-- A date before a content was created is when it was first published elsewhere.
drop index contents_due;
create index contents_due on contents (release_at)
  where status = 'READY' and release_at > created_at and deleted_at is null;

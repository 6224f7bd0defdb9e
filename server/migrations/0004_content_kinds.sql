-- Every kind of content is a row of contents: series contain seasons, seasons and miniseries contain episodes.

alter table contents drop constraint contents_kind_check;
alter table contents add constraint contents_kind_check
  check (kind in ('FEATURE', 'SHORT', 'SERIE', 'SEASON', 'EPISODE', 'MINISERIE', 'STREAM'));
alter table contents
  -- The serie of a season; the season or miniserie of an episode.
  add column parent_id uuid references contents on delete restrict,
  -- Seasons and episodes: their number as the audience reads it, unique among the ones kept below a parent.
  add column number integer check (number between 0 and 100000),
  add constraint contents_parent_required check ((kind in ('SEASON', 'EPISODE')) = (parent_id is not null)),
  add constraint contents_number_required check ((kind in ('SEASON', 'EPISODE')) = (number is not null)),
  add constraint contents_not_own_parent check (parent_id <> id);
create index contents_children on contents (parent_id, number, id) where deleted_at is null;

-- Objects to be deleted from the store: everything whose key begins with the prefix. Rows are written by the transaction that
-- deletes what used them, and removed once the objects are gone.
create table object_purges (
  id         bigint generated always as identity primary key,
  key_prefix text not null check (length(key_prefix) > 10),
  attempts   smallint not null default 0,
  due_at     timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index object_purges_due on object_purges (due_at);

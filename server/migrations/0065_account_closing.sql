-- Accounts that are going to be deleted. closed_at: when it was asked for; deletes_at: when it happens; concealed_at:
-- when everything of its channels was hidden; revealing_from: the closed_at of a closing that was undone, until
-- everything is shown again.
alter table accounts
  add column closed_at timestamptz,
  add column deletes_at timestamptz,
  add column concealed_at timestamptz,
  add column revealing_from timestamptz,
  add constraint accounts_closing check ((closed_at is null) = (deletes_at is null)
    and (concealed_at is null or closed_at is not null) and (revealing_from is null or closed_at is null));
create index accounts_closed on accounts (deletes_at) where deletes_at is not null;
create index accounts_revealing on accounts (revealing_from) where revealing_from is not null;

-- Channels of such accounts: only their members see them.
alter table channels add column is_hidden boolean not null default false;

-- Visibility that playlists had before the closing of their account made them private.
create table concealed_playlists (
  playlist_id uuid primary key references playlists on delete cascade,
  visibility text not null
);

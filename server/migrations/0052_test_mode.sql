-- Test mode: what a test token makes is in the account's test channel, visible to the account only, and deleted a day
-- later. The triggers contents_set_parent and playlists_set_test take that over for contents and playlists.
alter table channels add column is_test boolean not null default false;
comment on column channels.is_test is 'The test channel of its account; never changes.';
create unique index channels_test on channels (account_id) where is_test;

alter table api_tokens add column is_test boolean not null default false;
alter table api_tokens add constraint api_tokens_test_channel check (not is_test or cardinality(channel_ids) = 1);

alter table playlists add column is_test boolean not null default false;
alter table playlists
  alter column listed set expression as (visibility = 'PUBLIC' and not is_test),
  add column open boolean not null generated always as (visibility <> 'PRIVATE' and not is_test) stored;
comment on column playlists.open is 'Whether anyone with the link may see it.';

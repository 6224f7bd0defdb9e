-- Of videos that are private or not published.
alter table channels add column encrypt_private_videos boolean not null default false;
comment on column channels.encrypt_private_videos is 'Whether videos that are not public are sent encrypted.';

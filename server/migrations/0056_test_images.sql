-- Images of a test channel itself, so that reading an image need not look for its channel. Set by a trigger.
alter table image_assets add column is_test boolean not null default false;
update image_assets i set is_test = true from channels h
where h.id = i.channel_id and h.is_test and i.content_id is null and i.playlist_id is null;

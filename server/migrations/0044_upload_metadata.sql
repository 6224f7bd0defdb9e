-- What the client of a tus upload said about it: HEAD returns it as it was sent (tus 1.0.0, "Upload-Metadata").
alter table ingestions add column upload_metadata text check (length(upload_metadata) <= 16384);
comment on column ingestions.upload_metadata is 'The header Upload-Metadata of POST /uploads; null if opened otherwise.';

-- The sizes of a video are chosen by its first chunks (ADR 0088).
alter table encode_chunks add column is_sample boolean not null default false;
comment on column encode_chunks.is_sample is 'Whether its outputs tell which sizes the video needs. Encoded before others.';

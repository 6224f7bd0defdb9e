-- Partial uploads, and final ones that join them: the extension concatenation of tus 1.0.0 (ADR 0146).
alter table ingestions
  add column is_partial boolean not null default false,
  add column upload_concat text check (length(upload_concat) <= 16384),
  add column final_id uuid references ingestions on delete cascade,
  add column final_position smallint check (final_position >= 1);
alter table ingestions drop constraint ingestions_check;
alter table ingestions add constraint ingestions_check check (content_id is not null or media_kind = 'IMAGE' or is_partial);
alter table ingestions add constraint ingestions_partial
  check (not is_partial or content_id is null and playlist_id is null and upload_concat is null);
alter table ingestions add constraint ingestions_final
  check ((final_id is null) = (final_position is null) and (final_id is null or is_partial));
comment on column ingestions.is_partial is 'Whether it is a part of another upload, and nothing of its own.';
comment on column ingestions.upload_concat is 'The header Upload-Concat of an upload that joins partial ones; null for others.';
comment on column ingestions.final_id is 'Of a partial upload: the one that it was joined to.';
comment on column ingestions.final_position is 'Of a partial upload that was joined: its position, from 1.';
create unique index ingestions_final_position on ingestions (final_id, final_position) where final_id is not null;
create index ingestions_joining on ingestions (id) where state = 'OPEN' and upload_concat is not null;
create index ingestions_partial_ended on ingestions (expires_at) where is_partial and state <> 'OPEN';
drop index ingestions_received;
create index ingestions_received on ingestions (id)
  where state = 'OPEN' and received_bytes = size_bytes and not size_deferred and not is_partial and upload_concat is null;

-- Lists of a channel's contents by title, ignoring case and accents.
create index contents_channel_title on contents (
  channel_id,
  (regexp_replace(casefold(normalize(title, NFKD) collate "pg_unicode_fast"), '[\u0300-\u036f]', '', 'g') collate "C"),
  id
) where deleted_at is null;

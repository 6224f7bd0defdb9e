-- Parts of a video are kept, or a new content is made of one. The file that was uploaded stays beside what was cut from
-- it, so that the whole video can be played again.
alter table video_assets
  -- TRIM: cut from the file of an earlier video of the content; REVERT: that file again.
  add column edit text check (edit in ('TRIM', 'REVERT')),
  -- Of TRIM: [{"startMs":0,"endMs":1000},...] of the original.
  add column kept_ranges jsonb,
  add column original_key text,
  add column original_bytes bigint not null default 0 check (original_bytes >= 0),
  -- Of TRIM: captions and chapters as they are for the original, {"captions":[{id,version,vtt}],"chapters",
  -- "chaptersAfter"}.
  add column texts_before jsonb,
  add constraint video_assets_trim check (
    (edit is not distinct from 'TRIM') = (original_key is not null)
    and (original_key is null) = (kept_ranges is null)
    and (original_key is not null or original_bytes = 0)
  );
create index video_assets_original on video_assets (original_key) where original_key is not null;
comment on column video_assets.original_key is 'Of a trimmed video: the object of the uploaded file.';
comment on column video_assets.original_bytes is 'Of a trimmed video: size of the uploaded file.';

-- Where a clip is from.
alter table contents
  add column clipped_from uuid references contents on delete set null,
  add column clip_start_ms bigint,
  add column clip_end_ms bigint,
  add constraint contents_clip check (
    (clip_start_ms is null) = (clip_end_ms is null) and clip_start_ms < clip_end_ms
    and (clipped_from is null or clip_start_ms is not null)
  );
create index contents_clipped_from on contents (clipped_from) where clipped_from is not null;

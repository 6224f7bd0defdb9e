alter table channels add column keep_originals boolean not null default true;
comment on column channels.keep_originals is 'Whether uploaded video files are kept after processing.';

alter table video_assets add column original_deleted_at timestamptz;
comment on column video_assets.original_deleted_at is 'When the uploaded file was given up because of channels.keep_originals: it no longer counts as storage, and its object is deleted a day later.';

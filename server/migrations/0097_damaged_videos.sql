alter table video_assets add column is_damaged boolean not null default false;
comment on column video_assets.is_damaged is
  'Whether decoding found damaged parts, which the decoder concealed; true once a part of the file with one was encoded.';

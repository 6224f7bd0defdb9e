alter table video_assets add column loudness jsonb;
comment on column video_assets.loudness is
  '{integratedLufs,rangeLu,truePeakDbtp} of the default audio track; null for silence, and where it was not measured.';

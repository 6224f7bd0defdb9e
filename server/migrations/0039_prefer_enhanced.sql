alter table channels add column prefer_enhanced boolean not null default false;
comment on column channels.prefer_enhanced is
  'Whether manifests have players choose upscaled sizes and upmixed sound by themselves.';

alter table captions add column is_forced boolean not null default false;
comment on column captions.is_forced is
  'Shown to viewers who chose none; at most one per content and language, which the commands enforce.';

alter table contents add column enhance_when_ready boolean not null default false;
comment on column contents.enhance_when_ready is
  'Whether its video is to be enhanced once it is processed; false again when these jobs are queued.';

-- Whether the file is decoded whole and measured before it is encoded, because what was encoded of it was not as
-- planned: see ADR 0139.
alter table transcode_jobs add column decodes_whole boolean not null default false;

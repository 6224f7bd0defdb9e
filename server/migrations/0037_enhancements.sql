-- Upmixes and upscaled videos are kept in the same way.
alter table upmixes rename to enhancements;
alter table enhancements rename constraint upmixes_pkey to enhancements_pkey;
alter table enhancements rename constraint upmixes_video_asset_id_fkey to enhancements_video_asset_id_fkey;
alter table enhancements rename constraint upmixes_job_id_fkey to enhancements_job_id_fkey;
alter index upmixes_job rename to enhancements_job;
alter table enhancements add column kind text not null default 'UPMIX' check (kind in ('UPMIX', 'UPSCALE'));
alter table enhancements alter column kind drop default;
alter table enhancements add column input jsonb not null default '{}';
alter table enhancements drop constraint enhancements_pkey;
alter table enhancements add primary key (video_asset_id, kind);
comment on table enhancements is
  'What members of a channel had made of a video beside the original. Once it is complete: what was measured and '
  'decided, the name of the package, and what is stored in it; without a package where nothing was gained.';
comment on column enhancements.kind is
  'UPMIX: the main track in 5.1; UPSCALE: the pictures at a larger size, with the target and the model as input.';

alter table renditions add column enhanced boolean;
comment on column renditions.enhanced is 'Whether it was upscaled: viewers choose it, players do not by themselves.';

-- When segments of videos were last requested, to the day.
create table video_fetches (
  video_asset_id uuid primary key references video_assets on delete cascade,
  fetched_on date not null
);
-- Of videos from before it is not known.
insert into video_fetches (video_asset_id, fetched_on)
select id, current_date from video_assets where ready_at is not null;
create index video_fetches_day on video_fetches (fetched_on);

alter table renditions add column state text not null default 'STORED' check (state in ('STORED', 'EVICTED'));
alter table renditions add column on_demand_peak_bps bigint;
alter table renditions add check ((state = 'EVICTED') = (on_demand_peak_bps is not null));
comment on column renditions.state is
  'EVICTED: its segments were deleted, because nobody watched the video; they are encoded one by one when requested.';
comment on column renditions.on_demand_peak_bps is
  'While it is evicted: highest bit rate of segments encoded one by one.';

alter table encode_plans add column folder text;
comment on column encode_plans.folder is
  'The package of a video whose evicted renditions are encoded again; null for a package of the job itself.';

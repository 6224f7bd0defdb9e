-- What an enhancement makes, which its row in enhancements says only until another one takes its place.
alter table transcode_jobs add column enhancement text
  constraint transcode_jobs_enhancement_check check (enhancement in ('UPMIX', 'UPSCALE'));
update transcode_jobs j set enhancement = e.kind from enhancements e where e.job_id = j.id;
-- Enhancements are encoded in the same order as everything else.
update transcode_jobs set priority = 0
where purpose = 'ENHANCE' and priority < 0 and status in ('QUEUED', 'TRANSCODING');
-- Jobs of every kind are listed, and counted.
insert into counters (scope, key, shard, value)
select 'channel:jobs', channel_id, 0, count(*) from transcode_jobs where purpose = 'RENDITIONS' group by channel_id
on conflict (scope, key, shard) do update set value = counters.value + excluded.value;

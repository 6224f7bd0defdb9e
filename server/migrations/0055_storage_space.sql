-- Room of the object store that running work was promised: what a fetch was told it will receive, what processing may write.
alter table transcode_jobs add column reserved_bytes bigint not null default 0 check (reserved_bytes >= 0);
comment on column transcode_jobs.reserved_bytes is 'Counts while the job is QUEUED or TRANSCODING; each claim and each end of an attempt sets it to 0.';
create index transcode_jobs_reserved on transcode_jobs (channel_id)
  where reserved_bytes > 0 and status in ('QUEUED', 'TRANSCODING');

-- What processing made of a video: streams, downloads, previews. Counted apart from what was uploaded (ADR 0047).
alter table video_assets add column derived_bytes bigint not null default 0 check (derived_bytes >= 0);
alter table video_assets add column derived_files integer not null default 0 check (derived_files >= 0);
comment on column video_assets.derived_bytes is 'Size of the package, measured when it was stored; of videos processed before migration 0055 an estimate by average bit rates.';
comment on column video_assets.derived_files is 'Files of the package; 0 for videos processed before migration 0055.';

-- Every rendition with its share of the sound, and the largest once more as a download.
update video_assets v set derived_bytes = e.bytes
from (
  select a.id, ((sum(r.bps) + max(r.bps)) * a.duration_ms / 8000)::bigint as bytes
  from video_assets a, lateral (select (x ->> 'averageBandwidthBps')::numeric as bps from jsonb_array_elements(a.renditions) x) r
  where a.package_prefix is not null and a.renditions is not null and a.duration_ms is not null
  group by a.id, a.duration_ms
) e where e.id = v.id and e.bytes is not null;

insert into counters (scope, key, shard, value)
select 'channel:derived-bytes', channel_id, 0, sum(derived_bytes)::bigint from video_assets where derived_bytes > 0 group by 2
on conflict (scope, key, shard) do update set value = counters.value + excluded.value;

-- Scopes 'channel:derived-bytes' and 'channel:derived-files': what the channel's videos were made into.
create function video_assets_derived() returns trigger language plpgsql as $$
declare
  bytes bigint := 0;
  files bigint := 0;
begin
  if tg_op <> 'INSERT' then
    bytes := bytes - old.derived_bytes;
    files := files - old.derived_files;
  end if;
  if tg_op <> 'DELETE' then
    bytes := bytes + new.derived_bytes;
    files := files + new.derived_files;
  end if;
  if bytes <> 0 then perform counter_add('channel:derived-bytes', coalesce(new.channel_id, old.channel_id), bytes); end if;
  if files <> 0 then perform counter_add('channel:derived-files', coalesce(new.channel_id, old.channel_id), files); end if;
  return null;
end $$;
create trigger video_assets_derived_insert after insert on video_assets for each row when (new.derived_bytes > 0 or new.derived_files > 0)
  execute function video_assets_derived();
create trigger video_assets_derived_update after update of derived_bytes, derived_files on video_assets for each row
  when (old.derived_bytes <> new.derived_bytes or old.derived_files <> new.derived_files) execute function video_assets_derived();
create trigger video_assets_derived_delete after delete on video_assets for each row when (old.derived_bytes > 0 or old.derived_files > 0)
  execute function video_assets_derived();

-- Images of test channels are private; those of contents and playlists are what these are.
create or replace function image_assets_set_test() returns trigger language plpgsql as $$
begin
  new.is_test := new.content_id is null and new.playlist_id is null
    and exists (select from channels h where h.id = new.channel_id and h.is_test);
  return new;
end $$;
create or replace trigger image_assets_set_test before insert on image_assets
  for each row execute function image_assets_set_test();

-- The total size of the variants of an image.
create or replace function image_bytes(variants jsonb) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum((v ->> 'sizeBytes')::bigint), 0)::bigint from jsonb_array_elements(variants) v;
$$;

-- Enqueues the deletion of the objects that a deleted row owned, whatever deleted the row. Streams that viewers may be
-- playing are deleted a day later; so is, a second time, what a killed worker may have stored late.
create or replace function enqueue_object_purges() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'contents' then
      insert into object_purges (key_prefix, due_at)
      select 'media/' || o.id || '/', now() + after.days * interval '1 day' from old_rows o, (values (0),
        (1)) after (days) order by o.id, after.days;
    when 'video_assets' then
      -- A file may be that of one video, and the original of another.
      insert into object_purges (key_prefix)
      select distinct f.key from old_rows o cross join lateral (values (o.source_key), (o.original_key)) f (key)
      where f.key is not null and not exists (select 1 from video_assets v where v.source_key = f.key)
        and not exists (select 1 from video_assets v where v.original_key = f.key) order by f.key;
      insert into object_purges (key_prefix, due_at)
      select 'media/' || content_id || '/' || id || '/', now() + interval '1 day' from old_rows order by id;
    when 'image_assets' then
      insert into object_purges (key_prefix) select object_prefix from old_rows order by id;
    when 'ingestions' then
      insert into object_purges (key_prefix, due_at)
      select object_key, now() + after.days * interval '1 day' from old_rows o, (values (0), (1)) after (days)
      where not exists (select 1 from video_assets v where v.source_key = o.object_key)
        and not exists (select 1 from video_assets v where v.original_key = o.object_key) order by o.id, after.days;
  end case;
  return null;
end $$;
create or replace trigger contents_object_purges after delete
  on contents referencing old table as old_rows for each statement
  execute function enqueue_object_purges();
create or replace trigger video_assets_object_purges after delete
  on video_assets referencing old table as old_rows for each statement
  execute function enqueue_object_purges();
create or replace trigger image_assets_object_purges after delete
  on image_assets referencing old table as old_rows for each statement
  execute function enqueue_object_purges();
create or replace trigger ingestions_object_purges after delete
  on ingestions referencing old table as old_rows for each statement
  execute function enqueue_object_purges();

-- How the measured work of a kind differs from its estimate; what was not measured is taken as estimated.
create or replace function encode_speed(p_kind text, out cpu_per_cost double precision,
  out wall_per_cpu double precision, out bytes_per_peak double precision) language sql stable as $$
  select (coalesce(s.cpu_ms, 0) + 500) / (coalesce(s.cost_ms, 0) + 500),
    (coalesce(s.wall_ms, 0) + 500) / (coalesce(s.cpu_ms, 0) + 500),
    (coalesce(s.bytes, 0) + 500000) / (coalesce(s.peak_bytes, 0) + 1000000)
  from (select p_kind as kind) k left join encode_speeds s on s.kind = k.kind;
$$;

-- Chunks that are encoded at a time on all workers.
create or replace function encode_lanes() returns double precision language sql stable as $$
  select greatest(1, coalesce(sum(lanes), 0))::double precision from encode_workers
  where seen_at > now() - interval '20 seconds';
$$;

-- Jobs that are encoded or wait for their plan: their place in the queue, as chunks are claimed; their estimated CPU
-- time left; milliseconds left as one lane takes them, by their own chunks that are done as far as there are some, of
-- all chunks and of the longest; chunks that run, and milliseconds until the first of them is done.
create or replace function encode_jobs_open() returns table (job_id uuid, place double precision,
  cost_left_ms double precision, left_ms double precision, longest_ms double precision, running integer,
  free_in_ms double precision) language sql stable as $$
  with chunks as (
    select c.job_id, coalesce(lower(j.enhancement), c.kind) as kind, c.cost_ms, c.cpu_ms, c.progress, c.state,
      c.state = 'RUNNING' and c.available_at > now() as is_running
    from encode_chunks c join transcode_jobs j on j.id = c.job_id where c.kind <> 'on-demand'
  ),
  measured as (
    select c.job_id, c.kind, sum(c.cpu_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null) as cpu_ms,
      sum(c.cost_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null) as cost_ms
    from chunks c group by c.job_id, c.kind
  ),
  factors as (
    select m.job_id, m.kind,
      (coalesce(m.cpu_ms, 0) + 10000 * s.cpu_per_cost) / (coalesce(m.cost_ms, 0) + 10000) * s.wall_per_cpu as factor
    from measured m, encode_speed(m.kind) s
  ),
  undone as (
    select c.job_id, c.is_running, c.cost_ms * (1 - c.progress) as cost_ms,
      c.cost_ms * (1 - c.progress) * f.factor as left_ms
    from chunks c join factors f on f.job_id = c.job_id and f.kind = c.kind where c.state <> 'DONE'
  ),
  sums as (
    select u.job_id, sum(u.cost_ms) as cost_ms, sum(u.left_ms) as left_ms, max(u.left_ms) as longest_ms,
      (count(*) filter (where u.is_running))::int as running, min(u.left_ms) filter (where u.is_running) as free_in_ms
    from undone u group by u.job_id
  )
  select p.job_id, coalesce(s.cost_ms, 0) - 1000 * extract(epoch from now() - p.created_at) - 1e12 * j.priority,
    coalesce(s.cost_ms, 0), coalesce(s.left_ms, 0), coalesce(s.longest_ms, 0), coalesce(s.running, 0), s.free_in_ms
  from encode_plans p join transcode_jobs j on j.id = p.job_id and j.status = 'TRANSCODING'
    left join sums s on s.job_id = p.job_id
  union all
  select j.id, j.encode_cost_ms - 1e12 * j.priority, j.encode_cost_ms,
    j.encode_cost_ms * s.cpu_per_cost * s.wall_per_cpu, j.encode_cost_ms * s.cpu_per_cost * s.wall_per_cpu, 0, null
  from transcode_jobs j, encode_speed(lower(j.enhancement)) s
  where j.status in ('QUEUED', 'TRANSCODING') and j.encode_cost_ms is not null
    and not exists (select from encode_plans p where p.job_id = j.id)
$$;

-- Milliseconds until all chunks of a job are encoded; of one that is not there yet (null) by its estimated CPU time,
-- and as one lane takes all of them and the longest. Short jobs do not wait for long ones: workers have a lane for
-- them.
create or replace function encode_done_in_ms(p_job uuid, p_cost_ms double precision, p_left_ms double precision,
  p_longest_ms double precision) returns double precision language sql stable as $$
  with jobs as materialized (select * from encode_jobs_open()),
  own as (
    select place, cost_left_ms, left_ms, longest_ms from jobs where job_id = p_job
    union all select p_cost_ms, p_cost_ms, p_left_ms, p_longest_ms where p_job is null
  ),
  load as (
    select encode_lanes() as lanes, coalesce(sum(o.running), 0) as running,
      coalesce(sum(o.left_ms) filter (where o.place < own.place), 0) as before_ms,
      coalesce(sum(o.left_ms) filter (where o.place < own.place and o.cost_left_ms <= 45000), 0) as short_before_ms,
      coalesce(min(o.free_in_ms) filter (where o.place >= own.place), 0) as free_in_ms
    from own left join jobs o on o.job_id is distinct from p_job
  )
  select case when own.cost_left_ms <= 45000
    then l.short_before_ms + greatest(own.longest_ms, own.left_ms / greatest(1, l.lanes + 1 - l.running))
    else l.before_ms / l.lanes + case when l.running >= l.lanes then l.free_in_ms else 0 end
      + greatest(own.longest_ms, own.left_ms / l.lanes) end
  from own, load l
$$;

-- Milliseconds that the plans of the jobs take that have none yet: two at a time.
create or replace function encode_planning_ms() returns double precision language sql stable as $$
  select coalesce(sum(coalesce(j.plan_cost_ms, 1000) * s.cpu_per_cost * s.wall_per_cpu), 0) / 2
  from transcode_jobs j,
    encode_speed(case when j.plan_cost_ms is null then 'plan' else lower(j.enhancement) || '-plan' end) s
  where j.status in ('QUEUED', 'TRANSCODING') and j.purpose <> 'CAPTIONS' and j.video_asset_id is not null
    and not exists (select from encode_plans p where p.job_id = j.id)
$$;

-- Milliseconds until the processing of a planned video ends; null for others.
create or replace function encode_remaining_ms(p_job uuid) returns double precision language sql stable as $$
  select encode_done_in_ms(p_job, null, null, null)
    + p.finish_cost_ms * f.cpu_per_cost * f.wall_per_cpu * least(1, (100 - j.progress) / 10.0)
  from encode_plans p join transcode_jobs j on j.id = p.job_id, encode_speed('finish') f
  where p.job_id = p_job and j.status = 'TRANSCODING'
$$;

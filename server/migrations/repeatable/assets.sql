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

-- Videos that are being encoded: CPU time left, by their own chunks that are done as far as there are some, of all
-- chunks and of the longest; and their place in the queue, as chunks are claimed.
create or replace function encode_jobs_open() returns table (job_id uuid, place double precision,
  left_ms double precision, longest_ms double precision) language sql stable as $$
  with measured as (
    select c.job_id, c.kind,
      (sum(c.cpu_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null)) as cpu_ms,
      (sum(c.cost_ms) filter (where c.state = 'DONE' and c.cpu_ms is not null)) as cost_ms
    from encode_chunks c where c.kind <> 'on-demand' group by c.job_id, c.kind
  ),
  factors as (
    select m.job_id, m.kind,
      (coalesce(m.cpu_ms, 0) + 10000 * s.cpu_per_cost) / (coalesce(m.cost_ms, 0) + 10000) as factor
    from measured m, encode_speed(m.kind) s
  )
  select p.job_id, coalesce(sum(c.cost_ms * (1 - c.progress)), 0) - 1000 * extract(epoch from now() - p.created_at)
    - 1e12 * max(j.priority),
    coalesce(sum(c.cost_ms * (1 - c.progress) * f.factor), 0),
    coalesce(max(c.cost_ms * (1 - c.progress) * f.factor), 0)
  from encode_plans p join transcode_jobs j on j.id = p.job_id and j.status = 'TRANSCODING'
    left join encode_chunks c on c.job_id = p.job_id and c.state <> 'DONE' and c.kind <> 'on-demand'
    left join factors f on f.job_id = c.job_id and f.kind = c.kind
  group by p.job_id;
$$;

-- Milliseconds until the processing of a planned video ends; null for others.
create or replace function encode_remaining_ms(p_job uuid) returns double precision language sql stable as $$
  with open as materialized (select * from encode_jobs_open()),
  own as (select * from open where job_id = p_job)
  select (coalesce((select sum(o.left_ms) from open o where o.place < own.place), 0) / encode_lanes()
      + greatest(own.left_ms / encode_lanes(), own.longest_ms)) * v.wall_per_cpu
    + p.finish_cost_ms * f.cpu_per_cost * f.wall_per_cpu * least(1, (100 - j.progress) / 10.0)
  from own join encode_plans p on p.job_id = own.job_id join transcode_jobs j on j.id = own.job_id,
    encode_speed('video') v, encode_speed('finish') f;
$$;

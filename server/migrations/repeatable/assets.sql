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
      insert into object_purges (key_prefix) select source_key from old_rows order by id;
      insert into object_purges (key_prefix, due_at)
      select 'media/' || content_id || '/' || id || '/', now() + interval '1 day' from old_rows order by id;
    when 'image_assets' then
      insert into object_purges (key_prefix) select object_prefix from old_rows order by id;
    when 'ingestions' then
      insert into object_purges (key_prefix, due_at)
      select object_key, now() + after.days * interval '1 day' from old_rows o, (values (0), (1)) after (days)
      where not exists (select 1 from video_assets v where v.source_key = o.object_key) order by o.id, after.days;
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

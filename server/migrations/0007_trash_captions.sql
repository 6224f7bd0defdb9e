-- The trash, the deletion of objects that nothing refers to any more, captions, chapters, and jobs that can be cancelled.

-- trash ---------------------------------------------------------------------------------------------------

alter table contents
  -- The container a content went to the trash with; null for what was deleted itself. Restoring the container restores exactly these.
  add column trashed_with uuid references contents on delete set null,
  -- [{startMs,title}], the first at 0, rising; null where none were set.
  add column chapters jsonb,
  add constraint contents_trashed_with check (trashed_with is null or deleted_at is not null);
create index contents_trash on contents (channel_id, deleted_at desc, id desc) where deleted_at is not null and trashed_with is null;
create index contents_purge_due on contents (deleted_at) where deleted_at is not null and trashed_with is null;
create index contents_trashed_with on contents (trashed_with) where trashed_with is not null;
-- All children, those in the trash too: what is purged with a container, and the foreign key.
create index contents_parent on contents (parent_id) where parent_id is not null;

-- Scope 'channel:trash': what a channel's trash lists.
create function contents_trash_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as n from new_rows where deleted_at is not null and trashed_with is null group by 1 order by 1 loop
      perform counter_add('channel:trash', r.channel_id, r.n);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select channel_id, count(*) as n from old_rows where deleted_at is not null and trashed_with is null group by 1 order by 1 loop
      perform counter_add('channel:trash', r.channel_id, -r.n);
    end loop;
  else
    for r in select channel_id, sum(n)::bigint as n from (
               select channel_id, 1 as n from new_rows where deleted_at is not null and trashed_with is null
               union all
               select channel_id, -1 from old_rows where deleted_at is not null and trashed_with is null) d
             group by 1 having sum(n) <> 0 order by 1 loop
      perform counter_add('channel:trash', r.channel_id, r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger contents_trash_count_insert after insert on contents referencing new table as new_rows for each statement execute function contents_trash_count();
create trigger contents_trash_count_update after update on contents referencing old table as old_rows new table as new_rows for each statement execute function contents_trash_count();
create trigger contents_trash_count_delete after delete on contents referencing old table as old_rows for each statement execute function contents_trash_count();
select counter_add('channel:trash', channel_id, count(*)) from contents where deleted_at is not null group by channel_id order by channel_id;

-- objects -------------------------------------------------------------------------------------------------

-- A key_prefix that ends with '/' means everything below it, any other exactly one object.
--
-- Whatever deletes a row that owns objects, be it a purge, a deleted channel or account, or psql, also orders the deletion of the objects: the
-- order is part of the same transaction. What viewers may be playing goes a day later; so does, once more, what a worker that was
-- killed may have stored late.
create function enqueue_object_purges() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'contents' then
      insert into object_purges (key_prefix, due_at)
      select 'media/' || o.id || '/', now() + after.days * interval '1 day' from old_rows o, (values (0), (1)) after (days) order by o.id, after.days;
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
create trigger contents_object_purges after delete on contents referencing old table as old_rows for each statement execute function enqueue_object_purges();
create trigger video_assets_object_purges after delete on video_assets referencing old table as old_rows for each statement execute function enqueue_object_purges();
create trigger image_assets_object_purges after delete on image_assets referencing old table as old_rows for each statement execute function enqueue_object_purges();
create trigger ingestions_object_purges after delete on ingestions referencing old table as old_rows for each statement execute function enqueue_object_purges();
create index video_assets_source on video_assets (source_key);

-- jobs ----------------------------------------------------------------------------------------------------

-- A video that was replaced goes; what was done with it stays in the list of jobs.
alter table transcode_jobs drop constraint transcode_jobs_video_asset_id_fkey;
alter table transcode_jobs add constraint transcode_jobs_video_asset_id_fkey foreign key (video_asset_id) references video_assets on delete set null;
create index transcode_jobs_video on transcode_jobs (video_asset_id);
create index transcode_jobs_channel on transcode_jobs (channel_id, created_at desc, id desc);

-- Scope 'channel:jobs': the jobs of a channel.
create function transcode_jobs_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select channel_id, count(*) as n from new_rows group by 1 order by 1 loop
      perform counter_add('channel:jobs', r.channel_id, r.n);
    end loop;
  else
    for r in select channel_id, count(*) as n from old_rows group by 1 order by 1 loop
      perform counter_add('channel:jobs', r.channel_id, -r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger transcode_jobs_count_insert after insert on transcode_jobs referencing new table as new_rows for each statement execute function transcode_jobs_count();
create trigger transcode_jobs_count_delete after delete on transcode_jobs referencing old table as old_rows for each statement execute function transcode_jobs_count();
select counter_add('channel:jobs', channel_id, count(*)) from transcode_jobs group by channel_id order by channel_id;

-- captions ------------------------------------------------------------------------------------------------

-- What creators add to a content, normalised to WebVTT. The stream offers them beside what is embedded in the video file.
create table captions (
  id         uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  content_id uuid not null references contents on delete cascade,
  -- A BCP 47 language tag.
  language   text not null,
  label      text not null,
  kind       text not null check (kind in ('SUBTITLES', 'CAPTIONS', 'DESCRIPTIONS')),
  -- Of a content at most one; kept by the commands.
  is_default boolean not null default false,
  vtt        text not null,
  -- Part of the address of the file: rises with every new text.
  version    integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index captions_content on captions (content_id, created_at, id);
create index captions_channel on captions (channel_id);

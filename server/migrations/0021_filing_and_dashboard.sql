-- Filing that two may change at once, and what the dashboard of a channel reads.

-- Files a content under these categories and genres instead of those before; null leaves them as they are. Call it with the content's
-- row locked: each statement in here sees what the holder of the lock before has written, which the statement that calls it does not.
create function assign_taxonomy_terms(p_content uuid, p_categories uuid[], p_genres uuid[]) returns void language plpgsql as $$
begin
  if p_categories is not null then
    delete from content_categories where content_id = p_content and category_id <> all (p_categories);
    insert into content_categories (content_id, category_id, position)
    select p_content, g.id, g.position from unnest(p_categories) with ordinality g (id, position)
    on conflict (content_id, category_id) do update set position = excluded.position;
  end if;
  if p_genres is not null then
    delete from content_genres where content_id = p_content and genre_id <> all (p_genres);
    insert into content_genres (content_id, genre_id, position)
    select p_content, g.id, g.position from unnest(p_genres) with ordinality g (id, position)
    on conflict (content_id, genre_id) do update set position = excluded.position;
  end if;
end $$;

-- The jobs of a channel that are not over.
create index transcode_jobs_running on transcode_jobs (channel_id, created_at desc, id desc)
  where status in ('QUEUED', 'TRANSCODING', 'CANCELLING');

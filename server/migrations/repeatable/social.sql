-- Deletes a comment and writes the event. A comment with replies becomes a placeholder; without replies it is deleted
-- together with the placeholders above that have no other reply. The locks keep new replies out meanwhile. What has
-- an author is not deleted for good: it may be a comment of a closed account.
create or replace function comment_remove(p_comment uuid, p_now timestamptz) returns boolean language plpgsql as $$
declare
  c comments;
  above comments;
  -- Itself and the empty places that only it kept.
  gone uuid[];
  -- A place that stands by itself again.
  kept uuid;
begin
  select * into c from comments where id = p_comment and account_id is not null for update;
  if not found then
    return false;
  end if;
  insert into events (type, channel_id, subject_id, payload)
  values ('comment.deleted', c.channel_id, c.id, jsonb_build_object('contentId', c.content_id));
  if exists (select 1 from comments where parent_id = c.id) then
    delete from comment_likes where comment_id = c.id;
    delete from comment_edits where comment_id = c.id;
    delete from comment_mentions where comment_id = c.id;
    delete from reports where comment_id = c.id;
    update comments set body = '', account_id = null, deleted_at = p_now, placeholder = true, pin = 0, hearted = false
      where id = c.id;
    return true;
  end if;
  gone := array[c.id];
  while c.parent_id is not null loop
    select * into above from comments where id = c.parent_id for update;
    exit when not above.placeholder or exists (select 1 from comments where parent_id = above.id and id <> c.id);
    if above.account_id is not null then
      kept := above.id;
      exit;
    end if;
    gone := gone || above.id;
    c := above;
  end loop;
  delete from comments where id = any(gone); -- at once: counts are kept per statement
  update comments set placeholder = false where id = kept;
  return true;
end $$;

-- Ends the follows of a deleted account, and deletes its comments one by one in the order of depth and id, so that two
-- concurrent deletions do not deadlock.
create or replace function accounts_remove_social() returns trigger language plpgsql as $$
declare r record;
begin
  insert into follow_changes (channel_id, account_id, delta, created_at)
  select channel_id, account_id, -1, now() from follows where account_id = old.id;
  for r in select id from comments where account_id = old.id order by depth desc, id loop
    perform comment_remove(r.id, now());
  end loop;
  return old;
end $$;
create or replace trigger accounts_remove_social before delete
  on accounts for each row execute function accounts_remove_social();

-- Hides at most p_limit comments of a closed account, or contents or playlists of its channels: of the given account,
-- or of the one that was closed first. Comments are deleted and contents go to the trash, both with the instant of the
-- closing. Comments keep text and author, which tells them from those deleted for good; what has replies keeps its
-- place, so that replies come first (the largest depth). The lock keeps new replies out. Returns whether there may be
-- more.
create or replace function conceal_account_batch(p_account uuid, p_limit integer) returns boolean language plpgsql as $$
declare
  a record;
  hidden uuid[];
begin
  select id, closed_at into a from accounts where closed_at is not null and concealed_at is null
    and (p_account is null or id = p_account) order by closed_at limit 1 for no key update skip locked;
  if not found then return false; end if;
  hidden := array(select x.id from comments x where x.account_id = a.id and x.deleted_at is null and x.depth = (
      select max(depth) from comments where account_id = a.id and deleted_at is null)
    order by x.id limit p_limit for update);
  if cardinality(hidden) > 0 then
    update comments c set deleted_at = a.closed_at, pin = 0, placeholder = exists (
      select 1 from comments r where r.parent_id = c.id and (r.deleted_at is null or r.placeholder))
    where c.id = any(hidden);
    return true;
  end if;
  update contents set deleted_at = a.closed_at, release_at = null, publish_when_ready = false where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.account_id = a.id and c.deleted_at is null limit p_limit));
  if found then return true; end if;
  with hidden as (
    update playlists p set visibility = 'PRIVATE' from (
      select l.id, l.visibility from channels h join playlists l on l.channel_id = h.id
      where h.account_id = a.id and l.visibility <> 'PRIVATE' limit p_limit for update of l) was
    where p.id = was.id returning p.id, was.visibility
  )
  insert into concealed_playlists (playlist_id, visibility) select id, visibility from hidden
  on conflict (playlist_id) do update set visibility = excluded.visibility;
  if found then return true; end if;
  update accounts set concealed_at = closed_at where id = a.id;
  return true;
end $$;

-- Shows what the closing of an account hid, after it was undone: the same in reverse. A content whose number another
-- one has now stays in the trash.
create or replace function reveal_account_batch(p_account uuid, p_limit integer) returns boolean language plpgsql as $$
declare a record;
begin
  select id, revealing_from into a from accounts where revealing_from is not null
    and (p_account is null or id = p_account) order by revealing_from limit 1 for no key update skip locked;
  if not found then return false; end if;
  update comments c set deleted_at = null, placeholder = c.status <> 'PUBLISHED' and exists (
    select 1 from comments r where r.parent_id = c.id)
  where c.id = any(array(select x.id from comments x where x.account_id = a.id and x.deleted_at = a.revealing_from
    limit p_limit));
  if found then return true; end if;
  update contents set deleted_at = null where id = any(array(
    select c.id from channels h join contents c on c.channel_id = h.id
    where h.account_id = a.id and c.deleted_at = a.revealing_from and c.trashed_with is null and not exists (
      select 1 from contents k where k.parent_id = c.parent_id and k.number = c.number and k.deleted_at is null)
    limit p_limit));
  if found then return true; end if;
  with shown as (
    delete from concealed_playlists where playlist_id = any(array(
      select v.playlist_id from channels h join playlists l on l.channel_id = h.id
      join concealed_playlists v on v.playlist_id = l.id where h.account_id = a.id limit p_limit))
    returning playlist_id, visibility
  )
  update playlists l set visibility = s.visibility from shown s where l.id = s.playlist_id;
  if found then return true; end if;
  update accounts set revealing_from = null where id = a.id;
  return true;
end $$;

-- Deletes an account that is due with what it wrote: its comments and other rows in batches of p_limit, then its
-- channels, whose contents the trash deletes, and itself. Returns whether there may be more.
create or replace function delete_account_batch(p_now timestamptz, p_limit integer) returns boolean
  language plpgsql as $$
declare
  account uuid;
  part text;
  deleted bigint;
begin
  select id into account from accounts where deletes_at <= p_now order by deletes_at limit 1 for update skip locked;
  if not found then return false; end if;
  perform comment_remove(x.id, p_now) from (
    select id from comments where account_id = account limit p_limit) x;
  if found then return true; end if;
  foreach part in array array['likes', 'comment_likes', 'follows', 'watch_positions', 'notifications',
    'watch_later', 'chat_messages'] loop
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where account_id = $1 limit $2 '
      'for update skip locked))', part)
    using account, p_limit;
    get diagnostics deleted = row_count;
    if deleted > 0 then return true; end if;
  end loop;
  delete from content_shares s using accounts a where a.id = account and s.email = a.email;
  insert into events (type, channel_id, subject_id)
    select 'channel.deleted', id, id from channels where account_id = account order by id;
  delete from accounts where id = account;
  return true;
end $$;

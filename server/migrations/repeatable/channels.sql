-- Creates the id that outlives the channel; large tables reference it.
create or replace function channels_add_id() returns trigger language plpgsql as $$
begin
  insert into channel_ids (id) values (new.id);
  return null;
end $$;
create or replace trigger channels_add_id after insert on channels for each row execute function channels_add_id();

-- Adds the owner as a member.
create or replace function channels_add_owner() returns trigger language plpgsql as $$
begin
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (new.id, new.account_id, 'OWNER', new.created_at, new.created_at);
  return null;
end $$;
create or replace trigger channels_add_owner after insert on channels for each row execute function channels_add_owner();

-- Hides the contents and playlists of a deleted channel, and ends its uploads and jobs. Commands hide large channels in
-- batches before.
create or replace function channels_mark_deleted() returns trigger language plpgsql as $$
begin
  while hide_channel_batch(old.id, null) > 0 loop end loop;
  delete from ingestions where channel_id = old.id and state = 'OPEN';
  delete from transcode_jobs where channel_id = old.id and status in ('QUEUED', 'TRANSCODING', 'CANCELLING');
  update channel_ids set deleted_at = now() where id = old.id;
  return null;
end $$;
create or replace trigger channels_mark_deleted after delete on channels for each row execute function channels_mark_deleted();

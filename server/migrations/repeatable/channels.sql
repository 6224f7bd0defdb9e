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
create or replace trigger channels_mark_deleted after delete
  on channels for each row execute function channels_mark_deleted();

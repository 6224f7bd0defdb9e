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

-- The channel that an object belongs to, by its kind as in identifiers; null for kinds outside of channels.
create or replace function channel_of_object(kind text, object uuid) returns uuid language sql stable as $$
  select case
    when kind = 'channel' then object
    when kind in ('feature', 'short', 'serie', 'season', 'episode', 'miniserie', 'stream')
      then (select channel_id from contents where id = object)
    when kind = 'playlist' then (select channel_id from playlists where id = object)
    when kind = 'playlistItem'
      then (select p.channel_id from playlist_items i join playlists p on p.id = i.playlist_id where i.id = object)
    when kind = 'comment' then (select channel_id from comments where id = object)
    when kind = 'chatMessage' then (select channel_id from chat_messages where id = object)
    when kind = 'commentEdit'
      then (select c.channel_id from comment_edits e join comments c on c.id = e.comment_id where e.id = object)
    when kind = 'block' then (select channel_id from channel_blocks where id = object)
    when kind = 'report' then (select channel_id from reports where id = object)
    when kind = 'captions' then (select channel_id from captions where id = object)
    when kind = 'webhook' then (select channel_id from webhooks where id = object)
    when kind = 'webhookDelivery'
      then (select w.channel_id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.id = object)
    when kind = 'videoAsset' then (select channel_id from video_assets where id = object)
    when kind = 'imageAsset' then (select channel_id from image_assets where id = object)
    when kind = 'ingestion' then (select channel_id from ingestions where id = object)
    when kind = 'job' then (select channel_id from transcode_jobs where id = object)
    when kind = 'youtubePublishJob' then (select channel_id from youtube_publish_jobs where id = object)
    when kind = 'signingKey' then (select channel_id from signing_keys where id = object)
    when kind = 'contentShare' then (select channel_id from content_shares where id = object)
    when kind = 'shareLink' then (select channel_id from share_links where id = object)
    when kind = 'contentTest'
      then (select c.channel_id from content_tests t join contents c on c.id = t.content_id where t.id = object)
    when kind = 'contentTestVariant'
      then (select c.channel_id from content_test_variants v join content_tests t on t.id = v.test_id
        join contents c on c.id = t.content_id where v.id = object)
    when kind = 'channelInvitation' then (select channel_id from channel_invitations where id = object)
    when kind in ('member', 'membership') then (select channel_id from channel_members where id = object)
  end
$$;

-- Whether everybody may see an object, by its kind as in identifiers; false for kinds that are never public.
create or replace function object_is_public(kind text, object uuid) returns boolean language sql stable as $$
  select coalesce(case
    when kind = 'channel' then (select not (is_test or is_hidden) from channels where id = object)
    when kind in ('feature', 'short', 'serie', 'season', 'episode', 'miniserie', 'stream')
      then (select effective_visibility <> 'PRIVATE' and deleted_at is null from contents c
        where c.id = object and c.kind = case object_is_public.kind when 'serie' then 'SERIES'
          when 'miniserie' then 'MINISERIES' else upper(object_is_public.kind) end)
    when kind = 'playlist' then (select open from playlists where id = object)
    when kind = 'playlistItem'
      then (select i.open and p.open from playlist_items i join playlists p on p.id = i.playlist_id where i.id = object)
    when kind = 'comment'
      then (select m.listed and c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from comments m join contents c on c.id = m.content_id where m.id = object)
    when kind = 'chatMessage'
      then (select m.status = 'PUBLISHED' and c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from chat_messages m join contents c on c.id = m.content_id where m.id = object)
    when kind = 'captions'
      then (select c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from captions a join contents c on c.id = a.content_id where a.id = object)
    when kind = 'videoAsset'
      then (select c.effective_visibility <> 'PRIVATE' and c.deleted_at is null
        from video_assets a join contents c on c.id = a.content_id where a.id = object)
    when kind = 'imageAsset'
      then (select case when a.content_id is null then not a.is_test
          else c.effective_visibility <> 'PRIVATE' and c.deleted_at is null end
        from image_assets a left join contents c on c.id = a.content_id where a.id = object)
  end, false)
$$;

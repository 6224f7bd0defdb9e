-- Generated from server/migrations/declarations/revisions.ts by npm run gen.

create or replace function contents_revise() returns trigger language plpgsql as $$
declare same contents := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.language,
    new.rating_id, new.visibility, new.layout, new.contains_ads, new.allow_download,
    new.is_premiere, new.is_finale, new.note, new.chapters, new.comment_mode)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.language,
    old.rating_id, old.visibility, old.layout, old.contains_ads, old.allow_download,
    old.is_premiere, old.is_finale, old.note, old.chapters, old.comment_mode) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  same.listed := old.listed;
  same.effective_visibility := old.effective_visibility;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger contents_revise before update of
    title, summary, short_summary, keywords, language, rating_id, visibility,
    layout, contains_ads, allow_download, is_premiere, is_finale, note, chapters,
    comment_mode, revision, updated_at on contents
  for each row execute function contents_revise();

create or replace function channels_revise() returns trigger language plpgsql as $$
declare same channels := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.name,
    new.handle::text, new.time_zone, new.website_url, new.keep_originals,
    new.encrypt_private_videos, new.encode_av1, new.encode_hevc, new.prefer_enhanced)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.name,
    old.handle::text, old.time_zone, old.website_url, old.keep_originals,
    old.encrypt_private_videos, old.encode_av1, old.encode_hevc, old.prefer_enhanced) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger channels_revise before update of
    title, summary, short_summary, keywords, name, handle, time_zone, website_url,
    keep_originals, encrypt_private_videos, encode_av1, encode_hevc,
    prefer_enhanced, revision, updated_at on channels
  for each row execute function channels_revise();

create or replace function playlists_revise() returns trigger language plpgsql as $$
declare same playlists := new;
begin
  if (new.title, new.summary, new.short_summary, new.keywords, new.visibility)
    is distinct from (old.title, old.summary, old.short_summary, old.keywords, old.visibility) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  same.listed := old.listed;
  same.open := old.open;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger playlists_revise before update of
    title, summary, short_summary, keywords, visibility, revision, updated_at on playlists
  for each row execute function playlists_revise();

create or replace function captions_revise() returns trigger language plpgsql as $$
declare same captions := new;
begin
  if (new.language, new.label, new.kind, new.is_default, new.is_forced, new.vtt)
    is distinct from (old.language, old.label, old.kind, old.is_default, old.is_forced, old.vtt) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger captions_revise before update of
    language, label, kind, is_default, is_forced, vtt, revision, updated_at on captions
  for each row execute function captions_revise();

create or replace function channel_moderation_revise() returns trigger language plpgsql as $$
declare same channel_moderation := new;
begin
  if (new.blocked_words, new.hold_links)
    is distinct from (old.blocked_words, old.hold_links) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger channel_moderation_revise before update of
    blocked_words, hold_links, revision, updated_at on channel_moderation
  for each row execute function channel_moderation_revise();

create or replace function chats_revise() returns trigger language plpgsql as $$
declare same chats := new;
begin
  if (new.mode, new.slow_mode_ms)
    is distinct from (old.mode, old.slow_mode_ms) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger chats_revise before update of
    mode, slow_mode_ms, revision, updated_at on chats
  for each row execute function chats_revise();

create or replace function webhooks_revise() returns trigger language plpgsql as $$
declare same webhooks := new;
begin
  if (new.url, new.events, new.description, new.delivery_order, new.is_enabled)
    is distinct from (old.url, old.events, old.description, old.delivery_order, old.is_enabled) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger webhooks_revise before update of
    url, events, description, delivery_order, is_enabled, revision, updated_at on webhooks
  for each row execute function webhooks_revise();

create or replace function live_inputs_revise() returns trigger language plpgsql as $$
declare same live_inputs := new;
begin
  if (new.name, new.latency, new.recording, new.visibility, new.start_mode,
    new.reconnect_window_ms, new.srt, new.chat_mode, new.chat_slow_mode_ms)
    is distinct from (old.name, old.latency, old.recording, old.visibility, old.start_mode,
    old.reconnect_window_ms, old.srt, old.chat_mode, old.chat_slow_mode_ms) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger live_inputs_revise before update of
    name, latency, recording, visibility, start_mode, reconnect_window_ms, srt,
    chat_mode, chat_slow_mode_ms, revision, updated_at on live_inputs
  for each row execute function live_inputs_revise();

create or replace function simulcast_targets_revise() returns trigger language plpgsql as $$
declare same simulcast_targets := new;
begin
  if (new.name, new.url, new.stream_key, new.is_enabled)
    is distinct from (old.name, old.url, old.stream_key, old.is_enabled) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger simulcast_targets_revise before update of
    name, url, stream_key, is_enabled, revision, updated_at on simulcast_targets
  for each row execute function simulcast_targets_revise();

create or replace function account_settings_revise() returns trigger language plpgsql as $$
declare same account_settings := new;
begin
  if (new.do_not_track, new.keep_history, new.language)
    is distinct from (old.do_not_track, old.keep_history, old.language) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger account_settings_revise before update of
    do_not_track, keep_history, language, revision, updated_at on account_settings
  for each row execute function account_settings_revise();

create or replace function api_key_usage_limits_revise() returns trigger language plpgsql as $$
declare same api_key_usage_limits := new;
begin
  if (new.deletes_per_day, new.publishes_per_hour, new.processing_minutes_per_day)
    is distinct from (old.deletes_per_day, old.publishes_per_hour, old.processing_minutes_per_day) then
    new.revision := old.revision + 1;
    return new;
  end if;
  same.updated_at := old.updated_at;
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger api_key_usage_limits_revise before update of
    deletes_per_day, publishes_per_hour, processing_minutes_per_day, revision,
    updated_at on api_key_usage_limits
  for each row execute function api_key_usage_limits_revise();
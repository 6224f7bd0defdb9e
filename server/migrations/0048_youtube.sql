-- What accounts have connected at YouTube, and which contents came from there.

create table youtube_connections (
  account_id        uuid primary key references accounts on delete cascade,
  -- Identifier, title and picture of the channel there, as they were when it was connected.
  channel_id        text not null,
  channel_title     text not null,
  channel_thumbnail text,
  -- The playlist there that holds all of its uploads.
  uploads_playlist_id text not null,
  -- What the person agreed to, as Google names it.
  scopes            text[] not null,
  -- Under AES-256-GCM. What it is exchanged for is kept in memory only.
  sealed_refresh_token bytea not null,
  connected_at      timestamptz not null,
  updated_at        timestamptz not null,
  -- Since when Google takes the token no more; null while it does.
  broken_at         timestamptz
);

-- People on their way to Google and back.
create table youtube_consents (
  -- SHA-256 of what Google gives back; who knows the table cannot finish what others began.
  state_hash      bytea primary key,
  account_id      uuid not null references accounts on delete cascade,
  -- The code verifier (RFC 7636), under AES-256-GCM.
  sealed_verifier bytea not null,
  expires_at      timestamptz not null
);
create index youtube_consents_account on youtube_consents (account_id);
create index youtube_consents_expires on youtube_consents (expires_at);

-- Which video a content was made from: as long as it is there, its channel does not import the video again.
create table youtube_imports (
  content_id      uuid primary key references contents on delete cascade,
  video_id        text not null,
  -- The channel there.
  youtube_channel_id text not null,
  created_at      timestamptz not null
);
create index youtube_imports_video on youtube_imports (video_id);

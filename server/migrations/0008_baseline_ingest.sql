-- Uploads in progress or finished. The upload URL contains a token derived from the id and SECRET_KEY, so no token is
-- stored. tus 1.0.0: clients may join partial uploads ("Concatenation"), say the size later and
-- delete complete uploads ("Termination"). A file may be empty: its upload is complete at once, and its processing
-- fails.
create table ingestions (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  -- Null for a channel's own images, and for partial uploads.
  content_id uuid references contents on delete cascade,
  media_kind text not null check (media_kind in ('VIDEO', 'IMAGE')),
  -- VIDEO: a VideoContentType; IMAGE: an ImagePurpose.
  hint text not null,
  -- IMAGE: what the picture shows.
  alt text not null default '',
  filename text not null,
  -- As declared by the client. The content decides what the file is.
  filetype text not null,
  asset_name text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  received_bytes bigint not null default 0,
  state text not null default 'OPEN' check (state in ('OPEN', 'FINISHED', 'FAILED', 'EXPIRED')),
  -- VIDEO: whether processing starts automatically after the last byte.
  auto_process boolean not null default false,
  object_key text not null,
  error_code text,
  error_message text,
  -- Extended by every chunk that arrives.
  expires_at timestamptz not null,
  -- A lease that its holder renews: one request at a time, across instances, writes to an upload.
  lock_owner uuid,
  locked_until timestamptz,
  -- Another request is waiting for the lease; the holder releases it early.
  lock_requested boolean not null default false,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  playlist_id uuid references playlists on delete cascade,
  -- Until when storage is reserved for the missing bytes: an hour after the upload was opened, resumed, or advanced
  -- (ADR 0040).
  reserved_until timestamptz not null default now() + interval '1 hour',
  reserved_at_bytes bigint not null default 0 check (reserved_at_bytes >= 0),
  -- HEAD returns it as it was sent.
  upload_metadata text check (length(upload_metadata) <= 16384),
  drafted boolean not null default false,
  size_deferred boolean not null default false,
  error_text jsonb,
  is_partial boolean not null default false,
  upload_concat text check (length(upload_concat) <= 16384),
  final_id uuid references ingestions on delete cascade,
  final_position smallint check (final_position >= 1),
  terminated_at timestamptz,
  check (content_id is not null or media_kind = 'IMAGE' or is_partial),
  check (playlist_id is null or content_id is null),
  constraint ingestions_error_text check (error_text is null or error_message is not null),
  constraint ingestions_final
    check ((final_id is null) = (final_position is null) and (final_id is null or is_partial)),
  constraint ingestions_partial
    check (not is_partial or content_id is null and playlist_id is null and upload_concat is null)
);
create index ingestions_channel on ingestions (channel_id, created_at desc, id desc);
-- Counts a channel's open uploads when another is opened.
create index ingestions_channel_open on ingestions (channel_id) where state = 'OPEN';
create index ingestions_content on ingestions (content_id, created_at desc, id desc);
create index ingestions_open on ingestions (expires_at) where state = 'OPEN';
create index ingestions_playlist on ingestions (playlist_id) where playlist_id is not null;
create unique index ingestions_final_position on ingestions (final_id, final_position) where final_id is not null;
create index ingestions_joining on ingestions (id) where state = 'OPEN' and upload_concat is not null;
create index ingestions_partial_ended on ingestions (expires_at) where is_partial and state <> 'OPEN';
create index ingestions_received on ingestions (id)
  where state = 'OPEN' and received_bytes = size_bytes and not size_deferred and not is_partial
    and upload_concat is null;
comment on column ingestions.reserved_until is
  'Afterwards the missing bytes of an open upload no longer count as reserved storage.';
comment on column ingestions.reserved_at_bytes is
  'Bytes received when the reservation was last extended; 1 % of the file more extends it again.';
comment on column ingestions.upload_metadata is
  'The header Upload-Metadata of POST /uploads; null if opened otherwise.';
comment on column ingestions.drafted is
  'Whether its content was created for it: an upload that ends without a file removes it.';
comment on column ingestions.size_deferred is
  'Whether the size is not known yet: size_bytes is then what is reserved so far.';
comment on column ingestions.is_partial is 'Whether it is a part of another upload, and nothing of its own.';
comment on column ingestions.upload_concat is
  'The header Upload-Concat of an upload that joins partial ones; null for others.';
comment on column ingestions.final_id is 'Of a partial upload: the one that it was joined to.';
comment on column ingestions.final_position is 'Of a partial upload that was joined: its position, from 1.';
comment on column ingestions.terminated_at is
  'When the sender deleted the complete upload: its address is gone, and the file stays; null before that.';

alter table video_assets add foreign key (ingestion_id) references ingestions on delete set null;

-- Other servers at which the broadcasts of a live input are published, too.
create table simulcast_targets (
  id uuid primary key,
  input_id uuid not null references live_inputs on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- rtmp or rtmps.
  url text not null check (char_length(url) <= 2048),
  stream_key bytea not null,
  is_enabled boolean not null default true,
  -- As the process that receives the broadcast last said, of the encoder with this connection: it counts as long as
  -- that is the one of the broadcast.
  state text check (state in ('CONNECTING', 'LIVE', 'RETRYING')),
  connection_id uuid,
  -- Why it is not published, or that pictures are left out, as errors of jobs are stored.
  error_message text,
  error_text jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1,
  check ((state is null) = (connection_id is null)),
  check (error_text is null or error_message is not null)
);
create index simulcast_targets_input on simulcast_targets (input_id, created_at, id);
comment on column simulcast_targets.stream_key is 'Of the other server, encrypted with AES-256-GCM.';

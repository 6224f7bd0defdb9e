-- Public halves of the keys that sign playback tokens.
create table signing_keys (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  description text not null default '',
  algorithm text not null check (algorithm in ('EDDSA', 'RS256')),
  -- PEM, SubjectPublicKeyInfo. The private half is not stored.
  public_key text not null,
  created_at timestamptz not null,
  -- To the minute.
  last_used_at timestamptz
);
create index signing_keys_channel on signing_keys (channel_id, created_at desc, id desc);

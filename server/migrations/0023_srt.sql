-- Encoders may also publish by SRT: each input that receives it has a UDP port and a passphrase of its own.
alter table live_inputs
  add column srt boolean not null default false,
  add column srt_port integer unique check (srt_port between 1024 and 65535),
  add column srt_passphrase bytea,
  add check ((srt_port is not null) = srt),
  add check ((srt_passphrase is not null) = srt);
comment on column live_inputs.srt_passphrase is 'Encrypted with AES-256-GCM.';

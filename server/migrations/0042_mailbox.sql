-- Short messages from one process to another that waits for them (ADR 0031). What a crash takes nobody waits for any more.
create unlogged table message_bus (
  -- Who reads it: nothing that can be guessed.
  address text primary key check (length(address) between 1 and 200),
  message text not null check (octet_length(message) <= 4000),
  posted_at timestamptz not null
);
create index message_bus_by_age on message_bus (posted_at);

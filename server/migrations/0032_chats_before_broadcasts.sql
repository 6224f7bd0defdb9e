-- What the chats of the streams of a live input begin with.
alter table live_inputs
  add column chat_mode text not null default 'EVERYONE'
    check (chat_mode in ('EVERYONE', 'FOLLOWERS', 'MEMBERS', 'NOBODY')),
  add column chat_slow_mode_ms integer not null default 0 check (chat_slow_mode_ms between 0 and 600000);

-- Scheduled streams have a chat before they begin.
insert into chats (id, is_open, updated_at)
  select b.content_id, b.state = 'SCHEDULED', now() from broadcasts b
  where b.state in ('SCHEDULED', 'MISSED', 'CANCELED')
    and not exists (select 1 from chats h where h.id = b.content_id);
comment on table chats is 'The chat of a stream, from its schedule or its first segment on.';

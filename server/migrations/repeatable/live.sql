-- Each change of a chat is another version. Those that write messages take the next one themselves.
create or replace function chats_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
-- After chats_revise, which skips updates without a difference.
create or replace trigger chats_version before update on chats
  for each row when (new.version = old.version) execute function chats_version();

-- Wakes the processes that have readers of chats.
create or replace function chats_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('reelgraph_chats', '');
  return null;
end $$;
create or replace trigger chats_notify after update on chats
  for each statement execute function chats_notify();

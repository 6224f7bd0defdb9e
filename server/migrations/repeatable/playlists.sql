-- Playlists of test channels are private.
create or replace function playlists_set_test() returns trigger language plpgsql as $$
begin
  new.is_test := exists (select from channels h where h.id = new.channel_id and h.is_test);
  return new;
end $$;
create or replace trigger playlists_set_test before insert on playlists
  for each row execute function playlists_set_test();

-- Sets `open`. The lock makes the insert wait for a concurrent change of the content's visibility, so that none is
-- missed.
create or replace function playlist_items_set_open() returns trigger language plpgsql as $$
begin
  select effective_visibility <> 'PRIVATE' into new.open from contents where id = new.content_id for share;
  new.open := coalesce(new.open, false); -- no such content: the foreign key says so
  return new;
end $$;
create or replace trigger playlist_items_set_open before insert
  on playlist_items for each row execute function playlist_items_set_open();

-- Marks the playlist items of a content as open or not.
create or replace function contents_open_in_playlists() returns trigger language plpgsql as $$
begin
  update playlist_items set open = (new.effective_visibility <> 'PRIVATE') where content_id = new.id
    and open <> (new.effective_visibility <> 'PRIVATE');
  return null;
end $$;
create or replace trigger contents_open_in_playlists after update on contents
  for each row when ((old.effective_visibility <> 'PRIVATE') <> (new.effective_visibility <> 'PRIVATE')) execute
    function contents_open_in_playlists();

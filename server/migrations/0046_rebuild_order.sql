-- Writing everything anew waits for those who rename channels before it locks the tables, as they do: otherwise the two wait for each other.
create or replace function search_rebuild() returns bigint language plpgsql as $$
begin
  perform search_lock_channels(array(select id from channels), true);
  lock table search_documents, content_listings, search_vocabulary in share row exclusive mode;
  delete from search_documents;
  delete from search_vocabulary;
  delete from content_listings l where not exists (select 1 from contents c where c.id = l.content_id and c.listed);
  perform search_write_channels(array(select id from channels));
  perform search_write_contents(array(select id from contents where listed));
  perform search_write_playlists(array(select id from playlists where listed));
  delete from search_rename_queue;
  perform search_refresh_tiers();
  return (select count(*) from search_documents);
end $$;

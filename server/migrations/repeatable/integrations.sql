-- Enqueues the deletion of the files of a deleted export, whatever deleted it; a day later once more, for what a killed
-- worker may have stored late.
create or replace function purge_data_exports() returns trigger language plpgsql as $$
begin
  insert into object_purges (key_prefix, due_at)
  select 'exports/' || o.id || '/', now() + after.days * interval '1 day' from old_rows o,
    (values (0), (1)) after (days) order by o.id, after.days;
  return null;
end $$;
create or replace trigger data_exports_object_purges after delete
  on data_exports referencing old table as old_rows for each statement
  execute function purge_data_exports();
create or replace trigger account_archives_object_purges after delete
  on account_archives referencing old table as old_rows for each statement
  execute function purge_data_exports();

import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/statement.ts';

const MAKE = `
create table test_disk (is_full boolean not null);
insert into test_disk values (false);
create function test_refuse_when_full() returns trigger language plpgsql as $$
begin
  if (select is_full from test_disk) then
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
  end if;
  return null;
end $$;
do $$ declare one record; begin
  for one in select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss') and c.relname <> 'test_disk'
  loop
    execute format('create trigger test_full before insert or update or delete on %I.%I
      for each statement execute function test_refuse_when_full()', one.nspname, one.relname);
  end loop;
end $$;`;

/**
 * Lets PostgreSQL answer every write as on a full disk (SQLSTATE 53100) while it is set to be full; reads go on. Call
 * it once for each database.
 */
export async function fillableDisk(db: Database): Promise<(isFull: boolean) => Promise<void>> {
  await db.transaction((tx) => tx.executeSql(MAKE));
  return async (isFull) => void (await db.run(sql('test_fill_disk', 'update test_disk set is_full = $1'), [isFull]));
}

import pg from 'pg';
import { createTestDatabase } from '../../server/src/platform/db/testing.ts';

/** What PostgreSQL itself says the migrations made, in a stable order: tables with columns, then constraints, indexes, functions, triggers. */
const PARTS: readonly string[] = [
  `select format(E'create table %I (\\n%s\\n);', c.relname, string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
     case when a.attnotnull then ' not null' else '' end,
     case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          when a.attidentity <> '' then ' generated always as identity'
          when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end), E',\\n' order by a.attnum)) as text
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.relname order by c.relname`,
  `select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
   from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c') order by conrelid::regclass::text, conname`,
  `select pg_get_indexdef(i.indexrelid) || ';' as text from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint x where x.conindid = i.indexrelid) order by c.relname`,
  `select pg_get_functiondef(p.oid) || ';' as text from pg_proc p
   where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.proname`,
  `select pg_get_triggerdef(t.oid) || ';' as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by c.relname, t.tgname`,
];

/** server/migrations/schema.sql: the schema after all migrations, to be read and reviewed, never applied. */
export async function databaseSchema(): Promise<string> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const parts: string[] = [];
    for (const part of PARTS) {
      const { rows } = await client.query<{ text: string }>(part);
      parts.push(rows.map((row) => row.text).join('\n\n'));
    }
    return `-- Generated from the migrations by npm run gen.\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
  } finally {
    await client.end();
    await database.close();
  }
}

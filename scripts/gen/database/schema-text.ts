import type pg from 'pg';

const OWN_FUNCTION =
  `p.pronamespace = 'public'::regnamespace and not exists (select ` +
  `from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

/** The schema that the migrations create, read from PostgreSQL, in a stable and executable order. */
const PARTS: readonly string[] = [
  `select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' ` +
    'order by extname',
  `select format('create type %I as (%s);', c.relname, string_agg(format('%I %s', a.attname, format_type(a.atttypid,
    a.atttypmod)), ', ' order by a.attnum)) as text
   from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace
     and c.relkind = 'c'
   group by c.relname order by c.relname`,
  // Generated columns use them.
  functions('='),
  `select format(E'create %stable %I (\\n%s\\n)%s%s;', case when c.relpersistence = 'u' then 'unlogged ' else '' end,
    c.relname,
     string_agg(format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
       ' collate "' || o.collname || '"',
       case when a.attnotnull then ' not null' else '' end,
       case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            when a.attidentity <> '' then ' generated always as identity'
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end), E',\\n'
              order by a.attnum),
     coalesce(' partition by ' || pg_get_partkeydef(c.oid), ''),
     coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')) as text
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   left join pg_collation o on o.oid = a.attcollation and o.collname <> 'default'
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by c.oid
     order by c.relname`,
  constraints("contype in ('p', 'u', 'c', 'x')"),
  constraints("contype = 'f'"),
  `select format('alter table %I alter column %I set (%s);', c.relname, a.attname, array_to_string(a.attoptions,
    ', ')) as text
   from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.relnamespace = 'public'::regnamespace and a.attoptions is not null order by c.relname, a.attnum`,
  `select pg_get_indexdef(i.indexrelid) || ';' as text from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint x
     where x.conindid = i.indexrelid) order by c.relname`,
  `select format(E'create view %I as\\n%s', c.relname, pg_get_viewdef(c.oid)) as text
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.relname`,
  `select format('comment on %s %I%s is %L;', case d.objsubid when 0 then 'table' else 'column' end, c.relname,
    '.' || a.attname, d.description) as text
   from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
   left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
   where c.relnamespace = 'public'::regnamespace order by c.relname, d.objsubid`,
  functions('<>'),
  `select pg_get_triggerdef(t.oid) || ';' as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by c.relname, t.tgname`,
];

function functions(immutable: '=' | '<>'): string {
  return (
    `select pg_get_functiondef(p.oid) || ';' as text from pg_proc p where ${OWN_FUNCTION} ` +
    `and p.provolatile ${immutable} 'i' order by p.proname, pg_get_function_identity_arguments(p.oid)`
  );
}

function constraints(which: string): string {
  return `select format('alter table %s add constraint %I %s;', conrelid::regclass, conname,
    pg_get_constraintdef(oid)) as text
   from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0 and ${which}
     order by conrelid::regclass::text, conname`;
}

/**
 * The schema of a database as SQL: server/migrations/schema.sql, to be read and reviewed, and the beginning of a
 * snapshot of a release.
 */
export async function schemaText(client: pg.Client): Promise<string> {
  const parts: string[] = [];
  for (const part of PARTS) {
    const { rows } = await client.query<{ text: string }>(part);
    if (rows.length > 0) parts.push(rows.map((row) => row.text).join('\n\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

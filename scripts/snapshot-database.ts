/**
 * `npm run snapshot-database`: writes a database of this version, with data, to
 * server/migrations/releases/<version>.sql. Run it once for each release; a test upgrades every snapshot to the newest
 * schema.
 */
import { readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { openTestCatalog } from '../server/src/domains/catalog/testing.ts';
import { FakeGoogle } from '../server/src/domains/publishing/fake-google.fixture.ts';
import { createTestDatabase } from '../server/src/platform/db/testing.ts';
import { inviteEverybody } from '../server/src/testing/seed-accounts.ts';
import { createSeedData } from '../server/src/testing/seed-data.ts';
import { schemaText } from './gen/database/schema-text.ts';

const TABLES = `
  select c.oid::regclass::text as name,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns,
    max(pg_get_serial_sequence(c.relname, a.attname)) as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by c.oid
    order by 1`;

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const path = `server/migrations/releases/${version}.sql`;
const head = `-- A database of version ${version} with data. Written by npm run snapshot-database, never edited.`;
await writeFile(path, [head, 'set check_function_bodies = off;', await emptySchema(), await seededData()].join('\n\n'));
console.log(path);
process.exit(0);

async function emptySchema(): Promise<string> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const text = await schemaText(client);
  await client.end();
  await database.close();
  return text;
}

/** Rows of a channel with every kind of data, written without triggers, including derived rows. */
async function seededData(): Promise<string> {
  const catalog = await openTestCatalog({ jobs: true, google: await FakeGoogle.start() });
  const owner = await catalog.person('olivia');
  await inviteEverybody(catalog, owner);
  const things = createSeedData(catalog, owner);
  await things.series();
  for (const make of [
    things.content,
    things.uploaded,
    things.image,
    things.webhook,
    things.captions,
    things.job,
    things.trashed,
  ])
    await make();
  for (const make of [
    things.playlist,
    things.comment,
    things.video,
    things.publication,
    things.report,
    things.invitation,
  ])
    await make();
  const viewer = await things.commenter();
  for (const make of [things.liked, things.praised, things.followed]) await make(viewer);
  const parts = ["set session_replication_role = 'replica';"];
  for (const { name, columns, sequence } of await catalog.rows<{
    name: string;
    columns: string;
    sequence: string | null;
  }>(TABLES)) {
    const rows = await catalog.rows<{ row: string }>(
      `select row_to_json(t)::text as row from (select ${columns} from ${name}) t order by 1`,
    );
    if (rows.length > 0) parts.push(insert(name, columns, rows));
    if (rows.length > 0 && sequence) parts.push(`select setval('${sequence}', (select max(id) from ${name}));`);
  }
  await catalog.close();
  return `${parts.join('\n\n')}\n\nset session_replication_role = 'origin';\n`;
}

function insert(name: string, columns: string, rows: readonly { readonly row: string }[]): string {
  const partitions =
    name === 'watch_events'
      ? `select watch_events_prepare(min(day), max(day)) from json_populate_recordset(null::${name}, ` +
        `$json$[${rows.map(({ row }) => row).join(',')}]$json$);\n`
      : '';
  return `${partitions}insert into ${name} (${columns}) overriding system value
select ${columns} from json_populate_recordset(null::${name}, $json$[
${rows.map(({ row }) => row).join(',\n')}
]$json$);`;
}

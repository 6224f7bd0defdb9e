import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { COUNTED_TABLES, recount } from '../server/migrations/declarations/counters.ts';
import { migrate, readMigrations } from '../server/src/platform/db/migrations.ts';
import { createEmptyDatabase, createTestDatabase, type EmptyDatabase } from '../server/src/platform/db/testing.ts';
import { schemaText } from './gen/database/schema-text.ts';

const RELEASES = join(import.meta.dirname, '../server/migrations/releases');

/** Tables whose rows belong to the schema: a migration may change them. */
const OF_THE_SCHEMA = ['schema_migrations', 'categories', 'genres', 'ratings'];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Row counts of each table, without the note of which program has upgraded the database. */
async function rowCounts(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') ` +
      'and not relispartition order by 1',
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows.filter((row) => !OF_THE_SCHEMA.includes(row.name))) {
    const where = name === 'platform_metadata' ? "where name <> 'schema_version'" : '';
    counts[name] =
      (await client.query<{ n: number }>(`select count(*)::int as n from ${name} ${where}`)).rows[0]?.n ?? 0;
  }
  return counts;
}

for (const release of readdirSync(RELEASES)) {
  describe(`a database of ${release.replace(/\.sql$/, '')}`, () => {
    let database: EmptyDatabase;
    let client: pg.Client;
    let counts: Record<string, number>;
    before(async () => {
      database = await createEmptyDatabase();
      client = await connect(database.url);
      await client.query(readFileSync(join(RELEASES, release), 'utf8'));
      await client.query('reset all');
      counts = await rowCounts(client);
      await migrate(database.url);
    });
    after(async () => {
      await client?.end();
      await database?.close();
    });

    it('is upgraded to the schema of a new one', async () => {
      const fresh = await createTestDatabase();
      const other = await connect(fresh.url);
      try {
        assert.equal(await schemaText(client), await schemaText(other));
      } finally {
        await other.end();
        await fresh.close();
      }
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
      assert.deepEqual(
        rows.map(({ name }) => name),
        (await readMigrations()).map(({ name }) => name).sort(),
      );
    });

    it('keeps its rows', async () => {
      assert.ok((counts['contents'] ?? 0) >= 10 && (counts['comments'] ?? 0) >= 2, 'the snapshot has data');
      const now = await rowCounts(client); // also of tables that the release did not have
      const { counters: _, ...kept } = counts; // compared with a recount below
      assert.deepEqual(Object.fromEntries(Object.keys(kept).map((name) => [name, now[name]])), kept);
    });

    it('has counters that match its rows', async () => {
      const wanted = COUNTED_TABLES.map((counted) => `(${recount(counted)})`).join(' union all ');
      const { rows } = await client.query(
        `select scope, key, sum(value)::int as difference from (
           select scope, key, value from (${wanted}) w union all select scope, key, -value from counters) d
         group by 1, 2 having sum(value) <> 0 order by 1, 2`,
      );
      assert.deepEqual(rows, []);
    });

    it('keeps counting, and finds new rows', async () => {
      const members = "select coalesce(sum(value), 0)::int as n from counters where scope = 'channel:members'";
      const found = "select count(*)::int as n from search_documents where words @@ 'zeppelin'";
      const read = async (text: string) => (await client.query<{ n: number }>(text)).rows[0]?.n;
      const membersBefore = (await read(members)) ?? 0;
      assert.equal(await read(found), 0);
      await client.query(
        "update channels set title = 'Zeppelin' where id = (select id from channels order by id limit 1)",
      );
      await client.query(
        "delete from channel_members where id = (select id from channel_members where role <> 'OWNER' order by id " +
          'limit 1)',
      );
      assert.deepEqual([await read(found), await read(members)], [1, membersBefore - 1]);
    });
  });
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Migration, migrate, readMigrations } from './migrations.ts';
import { createEmptyDatabase, createTestDatabase, type EmptyDatabase } from './testing.ts';

const file = (name: string, text: string): Migration => ({
  name,
  text,
  digest: createHash('sha256').update(text).digest('hex'),
  isRepeatable: name.startsWith('repeatable/'),
});

const BASELINE = file('0001_baseline_platform.sql', 'create table things (id int primary key, name text)');
const VIEW =
  'create or replace function first_thing() returns text language sql as $$ select name from things order by id ' +
  'limit 1 $$';

/**
 * Everything in the catalogs that a statement could change, with the writing transactions, and the applied migrations.
 */
const CATALOG = `
  select md5(string_agg(row, ',' order by row)) as digest, count(*)::int as rows from (
    select 'class ' || xmin || ' ' || c::text as row from pg_class c where oid >= 16384
    union all select 'attribute ' || xmin || ' ' || a::text from pg_attribute a where attrelid >= 16384
    union all select 'function ' || xmin || ' ' || p::text from pg_proc p where oid >= 16384
    union all select 'constraint ' || xmin || ' ' || c::text from pg_constraint c where oid >= 16384
    union all select 'applied ' || xmin || ' ' || s::text from schema_migrations s) catalog`;

const METADATA_ROWS = 'select name, value from platform_metadata order by name';

describe('migrations', () => {
  let empty: EmptyDatabase;
  let client: pg.Client;
  before(async () => {
    empty = await createEmptyDatabase();
    client = new pg.Client({ connectionString: empty.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await empty?.close();
  });

  const rows = async (text: string) => (await client.query(text)).rows;
  const reset = () => client.query('drop schema public cascade; create schema public');

  it('are applied once, in order, to an empty database', async () => {
    const all = [BASELINE, file('0002_rows.sql', "insert into things values (1, 'one')")];
    assert.deepEqual(await migrate(empty.url, all), ['0001_baseline_platform.sql', '0002_rows.sql']);
    assert.deepEqual(await migrate(empty.url, all), []);
    assert.deepEqual(await rows('select * from things'), [{ id: 1, name: 'one' }]);
    assert.deepEqual(await rows('select name from schema_migrations order by name'), [
      { name: '0001_baseline_platform.sql' },
      { name: '0002_rows.sql' },
    ]);
  });

  it('keep the data of a database that they upgrade', async () => {
    await reset();
    await migrate(empty.url, [BASELINE]);
    await client.query("insert into things values (1, 'one'), (2, null)");
    const forward = file(
      '0002_titles.sql',
      "alter table things add column title text not null default ''; update things set title = coalesce(name, '-')",
    );
    assert.deepEqual(await migrate(empty.url, [BASELINE, forward]), ['0002_titles.sql']);
    assert.deepEqual(await rows('select * from things order by id'), [
      { id: 1, name: 'one', title: 'one' },
      { id: 2, name: null, title: '-' },
    ]);
  });

  it('apply a repeatable file after the others, and again when it changed', async () => {
    await reset();
    const first = file('repeatable/first.sql', VIEW);
    assert.deepEqual(await migrate(empty.url, [BASELINE, first]), [
      '0001_baseline_platform.sql',
      'repeatable/first.sql',
    ]);
    assert.deepEqual(await migrate(empty.url, [BASELINE, first]), []);
    const changed = file('repeatable/first.sql', VIEW.replace('order by id', 'order by id desc'));
    const row = file('0002_rows.sql', "insert into things values (1, 'one'), (2, 'two')");
    assert.deepEqual(await migrate(empty.url, [BASELINE, row, changed]), ['0002_rows.sql', 'repeatable/first.sql']);
    assert.deepEqual(await rows('select first_thing()'), [{ first_thing: 'two' }]);
  });

  describe('of an older program, when a newer version has run', () => {
    const METADATA = 'create table platform_metadata (name text primary key, value text not null)';
    const base = file('0001_baseline_platform.sql', `create table things (id int primary key, name text); ${METADATA}`);
    const changed = file('repeatable/first.sql', VIEW.replace('order by id', 'order by id desc'));
    const newer = [base, file('0002_rows.sql', "insert into things values (1, 'one'), (2, 'two')"), changed];
    const older = [base, file('repeatable/first.sql', VIEW)];

    it('are refused with what to do, and leave schema, rows and functions as they were', async () => {
      await reset();
      await migrate(empty.url, newer, '0.2.0');
      const untouched = [await rows(CATALOG), await rows('select * from things'), await rows(METADATA_ROWS)];
      await assert.rejects(migrate(empty.url, older, '0.1.0'), {
        name: 'UnusableSchemaError',
        message:
          'This database is of version 0.2.0, and this program is version 0.1.0: the database has a migration that ' +
          'it does not know (0002_rows.sql). Nothing in it was changed. Start version 0.2.0 or a newer one; to go ' +
          'back to version 0.1.0, restore the backup from before the upgrade. See "Downgrade" in ' +
          'docs/guides/self-hosting.md.',
      });
      assert.deepEqual([await rows(CATALOG), await rows('select * from things'), await rows(METADATA_ROWS)], untouched);
      assert.deepEqual(await rows('select first_thing()'), [{ first_thing: 'two' }]);
      assert.deepEqual(await rows(METADATA_ROWS), [{ name: 'schema_version', value: '0.2.0' }]);
    });

    it('are refused also where the database does not say its version', async () => {
      await client.query('delete from platform_metadata');
      await assert.rejects(
        migrate(empty.url, older, '0.1.0'),
        /^UnusableSchemaError: This database is of a newer version, /,
      );
    });
  });

  it('apply nothing of a file that fails, and name it', async () => {
    await reset();
    const broken = file('0002_broken.sql', 'create table more (id int); select 1 / 0');
    await assert.rejects(migrate(empty.url, [BASELINE, broken]), /Migration 0002_broken\.sql failed: division by zero/);
    assert.deepEqual(
      await rows("select to_regclass('things') is not null as things, to_regclass('more') is not null as more"),
      [{ things: true, more: false }],
    );
    assert.deepEqual(await rows('select name from schema_migrations'), [{ name: '0001_baseline_platform.sql' }]);
  });

  it('are refused when an applied file was edited', async () => {
    await reset();
    await migrate(empty.url, [BASELINE]);
    const edited = file('0001_baseline_platform.sql', 'create table things (id bigint primary key)');
    await assert.rejects(migrate(empty.url, [edited]), /0001_baseline_platform\.sql was edited after it was applied/);
  });

  for (const [first, ...others] of [
    ['0001_foundation.sql', '0059_workers.sql'],
    ['0001_platform.sql', '0002_accounts.sql', '0101_tus_conformance.sql', 'repeatable/platform.sql'],
  ] as const)
    it(`refuse a database that begins with ${first}, leave it untouched and suggest a fix`, async () => {
      await reset();
      await client.query(`create table schema_migrations (name text primary key, digest text not null,
        applied_at timestamptz not null default now());
        create table accounts (id uuid primary key); create table listed_contents (content_id uuid primary key)`);
      await client.query("insert into schema_migrations (name, digest) select unnest($1::text[]), 'a'", [
        [...others, first],
      ]);
      const untouched = await rows(CATALOG);
      await assert.rejects(migrate(empty.url), (error: Error) => {
        assert.ok(error.message.includes(`created before version 0.1.0 (its first migration is ${first})`));
        assert.match(
          error.message,
          /Nothing in it was changed\. Start with an empty database, or run the version that created it\./,
        );
        assert.match(error.message, /docs\/guides\/self-hosting\.md/);
        return true;
      });
      assert.deepEqual(await rows(CATALOG), untouched);
    });

  it('detect the change of one statement with their catalog query', async () => {
    const [before] = await rows(CATALOG);
    await client.query('alter table accounts add column name text');
    assert.notDeepEqual((await rows(CATALOG))[0], before);
  });
});

describe('the migrations of this version', () => {
  it('begin with the baseline, one file for each domain, and end with repeatable files', async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 17), [
      '0001_baseline_platform.sql',
      '0002_baseline_accounts.sql',
      '0003_baseline_channels.sql',
      '0004_baseline_catalog.sql',
      '0005_baseline_playlists.sql',
      '0006_baseline_assets.sql',
      '0007_baseline_transcode.sql',
      '0008_baseline_ingest.sql',
      '0009_baseline_delivery.sql',
      '0010_baseline_enhance.sql',
      '0011_baseline_social.sql',
      '0012_baseline_engagement.sql',
      '0013_baseline_discovery.sql',
      '0014_baseline_integrations.sql',
      '0015_baseline_ai.sql',
      '0016_baseline_publishing.sql',
      '0017_baseline_operations.sql',
    ]);
    assert.equal(names.at(-1), 'repeatable/stats-queue.sql');
  });

  it('have numbers without gaps, each once', async () => {
    const numbers = (await readMigrations()).flatMap(({ name }) => /^(\d{4})_/.exec(name)?.[1] ?? []);
    assert.deepEqual(
      numbers.map(Number),
      numbers.map((_, index) => index + 1),
    );
  });

  it('change nothing when they are applied again', async () => {
    const database = await createTestDatabase();
    try {
      assert.deepEqual(await migrate(database.url), []);
    } finally {
      await database.close();
    }
  });
});

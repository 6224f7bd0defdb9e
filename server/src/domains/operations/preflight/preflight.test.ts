import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../../platform/config/config.ts';
import { loadSecrets } from '../../../platform/config/secret-key.ts';
import { checkSecretKey } from '../../../platform/db/facts.ts';
import { inspectSchema, type Migration, readMigrations } from '../../../platform/db/migrations.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../platform/db/testing.ts';
import { digestTables } from '../backup/backup.fixture.ts';
import { type NamedFinding, runChecks } from '../doctor/finding.ts';
import { bytesText, bytesToWrite, migrationFindings, planMigrations } from './migration-findings.ts';
import { runPreflight } from './preflight-command.ts';
import { settingFindings } from './setting-findings.ts';
import { upgradeChecks } from './upgrade-checks.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const migration = (name: string, text: string): Migration => ({
  name,
  text,
  digest: name,
  isRepeatable: name.startsWith('repeatable/'),
});
const NEXT = migration(
  '0098_next.sql',
  '-- Titles in many languages.\nalter table contents drop column title;\ncreate index on contents (summary);',
);

describe('admin preflight', () => {
  let folder: string;
  let test: TestDatabase;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-preflight-'));
    test = await createTestDatabase();
    await checkSecretKey(test.db, loadSecrets(readConfig({ SECRET_KEY: KEY })));
  });
  after(async () => {
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  const query = async (text: string, url = test.url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  async function preflight(env: Record<string, string> = {}, url: string | null = test.url, ...args: string[]) {
    const given = { DATA_DIR: folder, SECRET_KEY: KEY, ...env };
    const openServer = url === null ? null : async () => ({ url, stop: async () => {} });
    const tools = { config: readConfig(given), env: given, version: '0.1.0', openServer };
    const { exitCode, stdout } = await runPreflight(args.length === 0 ? ['--json'] : args, tools);
    const findings = args.length === 0 ? (JSON.parse(stdout) as { findings: NamedFinding[] }).findings : [];
    return { exitCode, stdout, of: (check: string) => findings.filter((each) => each.check === check) };
  }

  /** What the start of a program with these migrations would do. */
  async function checks(migrations: readonly Migration[], now?: () => number) {
    const config = readConfig({ DATA_DIR: folder, SECRET_KEY: KEY });
    const state = await inspectSchema(test.url);
    const subject = {
      db: test.db,
      config,
      state,
      version: '0.2.0',
      ownSessions: [],
      migrations,
      ...(now ? { now } : {}),
    };
    return runChecks(upgradeChecks(subject), []);
  }

  it('finds nothing to do for the database of this version, and changes no row and no file', async () => {
    const before = await digestTables(test.url);
    const { exitCode, of } = await preflight();
    assert.equal(exitCode, 0);
    assert.deepEqual(of('version'), [
      {
        ...{ check: 'version', state: 'ok', advice: '' },
        found: 'The database is of version 0.1.0, and this program is version 0.1.0.',
      },
    ]);
    assert.deepEqual(
      of('migrations').map(({ found }) => found),
      ['No migration would run.'],
    );
    assert.deepEqual(
      of('secret key').map(({ found }) => found),
      ['SECRET_KEY is accepted by this database.'],
    );
    assert.deepEqual(
      of('jobs').map(({ found }) => found),
      ['0 jobs wait and 0 run; they are kept.'],
    );
    assert.match(of('postgresql')[0]?.found ?? '', /^PostgreSQL 18\.\d+\.$/);
    assert.match(of('programs')[0]?.found ?? '', /^Version 0\.1\.0 uses the database from \S+ \(\d+ connections\)\.$/);
    assert.deepEqual(await digestTables(test.url), before);
    assert.deepEqual(await readdir(folder), []);
  });

  it('prints lines for people, with what to do below', async () => {
    const openServer = async () => ({ url: test.url, stop: async () => {} });
    const config = readConfig({ DATA_DIR: folder, SECRET_KEY: KEY });
    const text = (await runPreflight([], { config, env: {}, version: '0.1.0', openServer })).stdout;
    assert.match(text, /^ok {7}migrations {2}No migration would run\.$/m);
    assert.match(text, /^warning {2}backup {6}No backup of this database is known\.\n {21}Make one with the version/m);
  });

  it('is a problem for a database of a newer version, which stays as it is', async () => {
    await query("insert into schema_migrations (name, digest) values ('0099_later.sql', 'a')");
    await query("update platform_metadata set value = '0.9.0' where name = 'schema_version'");
    const before = await digestTables(test.url);
    try {
      const { exitCode, of } = await preflight();
      assert.equal(exitCode, 1);
      const [found] = of('version');
      assert.equal(found?.state, 'problem');
      assert.match(found?.found ?? '', /^This database is of version 0\.9\.0, and this program is version 0\.1\.0: /);
      assert.match(found?.found ?? '', /does not know \(0099_later\.sql\)/);
      assert.deepEqual(await digestTables(test.url), before);
    } finally {
      await query("delete from schema_migrations where name = '0099_later.sql'");
      await query("update platform_metadata set value = '0.1.0' where name = 'schema_version'");
    }
  });

  it('says what each migration does, what breaks running programs, and what the disk needs', async () => {
    const changed = migration('repeatable/new.sql', 'create function f() returns int language sql as $$ select 1 $$');
    const findings = await checks([...(await readMigrations()), NEXT, changed]);
    assert.deepEqual(
      findings.filter(({ check }) => check === 'migrations').map(({ state, found, advice }) => [state, found, advice]),
      [
        [
          'warning',
          '0098_next.sql: Titles in many languages. It drops column contents.title, builds index without a name on ' +
            'contents.',
          'Stop all programs of earlier versions before the start: they may fail where it drops column contents.title.',
        ],
        ['ok', '1 files of functions and triggers would be replaced.', ''],
      ],
    );
    assert.deepEqual(
      await query(
        "select column_name from information_schema.columns where table_name = 'contents' and column_name = 'title'",
      ),
      [{ column_name: 'title' }],
    );
  });

  it('knows the last backup, and warns when it is older than a day', async () => {
    const at = '2026-11-30T10:00:00.000Z';
    const backup = async (now: string) =>
      (await checks([], () => Date.parse(now))).filter(({ check }) => check === 'backup');
    await query(`insert into platform_metadata values ('last_backup_at', '${at}')`);
    const found = (hours: number) => `The last known backup is of ${at}, ${hours} hours ago.`;
    assert.deepEqual(
      (await backup('2026-12-01T09:00:00Z')).map((each) => [each.state, each.found]),
      [['ok', found(23)]],
    );
    assert.deepEqual(
      (await backup('2026-12-01T11:00:00Z')).map((each) => [each.state, each.found]),
      [['warning', found(25)]],
    );
    await query("delete from platform_metadata where name = 'last_backup_at'");
  });

  it('is a problem with another SECRET_KEY, and without one, and makes none', async () => {
    const other = await preflight({ SECRET_KEY: Buffer.alloc(32, 8).toString('base64') });
    assert.equal(other.exitCode, 1);
    assert.match(other.of('secret key')[0]?.found ?? '', /^SECRET_KEY is not the one this database was created with/);
    const without = await preflight({ SECRET_KEY: '' });
    assert.equal(without.exitCode, 1);
    assert.match(without.of('secret key')[0]?.found ?? '', /^There is no SECRET_KEY, and no file secret-key in /);
    assert.deepEqual(await readdir(folder), []);
  });

  it('says that there is no database yet, that it is empty, or that it cannot be used', async () => {
    const none = await preflight({}, null);
    assert.equal(none.exitCode, 0);
    assert.match(
      none.of('database')[0]?.found ?? '',
      /^There is none yet: the start of version 0\.1\.0 creates one in /,
    );
    const empty = await createEmptyDatabase();
    try {
      const { exitCode, of } = await preflight({}, empty.url);
      assert.equal(exitCode, 0);
      assert.equal(of('version')[0]?.found, 'The database is empty: the start creates the schema of version 0.1.0.');
      assert.deepEqual(
        await query(
          "select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
          empty.url,
        ),
        [{ n: 0 }],
      );
    } finally {
      await empty.close();
    }
    const lost = await preflight({}, 'postgres://reelgraph:hidden@127.0.0.1:1/reelgraph');
    assert.equal(lost.exitCode, 1);
    assert.match(lost.of('database')[0]?.found ?? '', /^PostgreSQL at 127\.0\.0\.1:1\/reelgraph cannot be used: /);
    assert.ok(!lost.stdout.includes('hidden'));
  });

  it('lists jobs that wait', async () => {
    await query('create schema if not exists pgboss; create table pgboss.job (state text)');
    await query("insert into pgboss.job values ('created'), ('retry'), ('active'), ('completed')");
    const { of } = await preflight();
    assert.equal(of('jobs')[0]?.found, '2 jobs wait and 1 run; they are kept.');
    await query('drop schema pgboss cascade');
  });

  it('refuses unknown flags', async () => {
    await assert.rejects(preflight({}, test.url, '--everything'), /Unknown option '--everything'/);
  });
});

describe('what migrations mean for a database', () => {
  const step = migration(
    '0098_next.sql',
    '-- Step 2 of 2: unused since 0.10.0\nalter table contents drop column title;',
  );
  const FIRST =
    'Upgrade to 0.10.0 first, or stop all programs of earlier versions before the start: they may fail where it ' +
    'drops column contents.title.';
  const large = [{ name: 'contents', rows: 1_200_000, rowBytes: 300 * 1024 ** 2, totalBytes: 400 * 1024 ** 2 }];

  for (const [version, advice] of [
    ['0.9.0', FIRST],
    [null, FIRST],
    ['0.10.0', ''],
    ['0.11.0', ''],
  ] as const)
    it(`depends on what its programs use: ${version}`, () => {
      assert.deepEqual(
        migrationFindings(planMigrations([step]), { version, sizes: [] }).map((each) => each.advice),
        [advice],
      );
    });

  it('depends on the size of tables', () => {
    const index = migration('0098_next.sql', 'create index on contents (summary);');
    const [finding] = migrationFindings(planMigrations([index]), { version: '0.1.0', sizes: large });
    assert.deepEqual(
      [finding?.state, finding?.found, finding?.advice],
      [
        'warning',
        '0098_next.sql: It builds index without a name on contents. contents has about 1,200,000 rows in 400.0 MiB.',
        'What writes to contents waits meanwhile: upgrade when few people use the server.',
      ],
    );
  });

  for (const [text, bytes] of [
    ['alter table contents add a uuid default gen_random_uuid()', 400 * 1024 ** 2],
    ['create index on contents (a); create index on contents (b)', 600 * 1024 ** 2],
    ['alter table contents add a text', 0],
    ['create table films (a int); create index on films (a)', 0],
  ] as const)
    it(`needs space: ${text}`, () => {
      assert.equal(bytesToWrite(planMigrations([migration('0098_next.sql', text)]), large), bytes);
    });

  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1536, '1.5 KiB'],
    [3 * 1024 ** 4, '3.0 TiB'],
  ] as const)
    it(`shows sizes: ${text}`, () => assert.equal(bytesText(bytes), text));
});

describe('settings that are none', () => {
  const KNOWN = ['PORT', 'NODE_URL', 'DATA_DIR', 'S3_BUCKET', 'S3_ENDPOINT', 'BASE_URL', 'LOG_LEVEL'];
  for (const [name, found] of [
    ['S3_BUKET', 'S3_BUKET is no setting of this version. Did you mean S3_BUCKET?'],
    ['BASEURL', 'BASEURL is no setting of this version. Did you mean BASE_URL?'],
    ['S3_STORAGE_CLASS', 'S3_STORAGE_CLASS is no setting of this version. Remove it, or see docs/settings.md.'],
    ['LOG_FORMAT', 'This version knows all settings. '],
    ['PATH', 'This version knows all settings. '],
    ['NODE_EXTRA_CA_CERTS', 'This version knows all settings. '],
    ['HOME', 'This version knows all settings. '],
    ['S3_BUCKET_FILE', 'This version knows all settings. '],
  ] as const)
    it(`are noticed: ${name}`, () => {
      assert.deepEqual(
        settingFindings([name, 'PORT'], KNOWN).map((each) => `${each.found} ${each.advice}`),
        [found],
      );
    });
});

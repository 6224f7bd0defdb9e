import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { schemaText } from '../../../../../scripts/gen/database/schema-text.ts';
import { StorageFullError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { DiskReceivingStore } from '../../../platform/storage/disk-receiving.ts';
import { DiskStore } from '../../../platform/storage/disk-store.ts';
import { DiskSpace } from '../../../platform/storage/storage-space.ts';
import { createSeedData } from '../../../testing/seed-data.ts';
import { deleteObject } from '../../assets/index.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { makeContent } from '../../assets/testing.ts';
import { openTestCatalog, type TestCatalog } from '../../catalog/testing.ts';
import { openUpload } from '../../delivery/verification/verify-media.fixture.ts';
import { backUpTest, createBackupFolder, createEmptyMachine, digestTables, TEST_KEY } from './backup.fixture.ts';
import { BackupFolder } from './backup-folder.ts';
import { backupIds, requireManifest } from './manifest.ts';
import { takeSnapshot } from './snapshot.store.ts';
import { verifyBackup } from './verify-backup.ts';

/** Values that a careless format loses. */
const ODD_VALUES = [
  `update contents set summary = E'a\\\\b\\tc\\nd\\\\N "quoted" 🎬', keywords = array['', 'a,b', E'{}\\\\"']
   where id = (select min(id::text)::uuid from contents)`,
  `insert into instance_logo values (true, '\\x00ff5c0a', 1, 1, '0123456789abcdef', 'infinity')`,
  `select watch_events_prepare('2026-11-01', '2026-11-02')`,
  `insert into platform_metadata values ('empty', '')`,
];

describe('a backup', () => {
  let catalog: TestCatalog;
  let folder: BackupFolder;
  let path: string;
  let close: () => Promise<void>;
  const upload = newId();
  before(async () => {
    catalog = await openTestCatalog({ jobs: true });
    ({ folder, path, close } = await createBackupFolder());
    const { platform } = catalog;
    const owner = await catalog.person('olivia');
    const things = createSeedData(catalog, owner);
    for (const make of ['series', 'content', 'uploaded', 'image', 'webhook', 'captions', 'job', 'trashed'] as const)
      await things[make]();
    for (const make of ['playlist', 'comment', 'video', 'report', 'invitation', 'broadcast', 'contentTest'] as const)
      await things[make]();
    const viewer = await things.commenter();
    for (const make of ['liked', 'praised', 'followed', 'notified', 'dataExport'] as const) await things[make](viewer);
    for (const text of ODD_VALUES) await catalog.rows(text);
    await openUpload(platform, upload, await makeContent(platform));
    await catalog.rows("update ingestions set expires_at = now() + interval '1 day' where id = $1", [upload]);
    const body = Readable.from([Buffer.from('received so far')]);
    await platform.receiving.append(`uploads/${upload}`, body, { offset: 0, sizeBytes: 9_000_000 });
    await platform.store.put('images/a/b.png', Buffer.from('picture'), { contentType: 'image/png' });
    await platform.store.put('images/a/odd', Buffer.from('odd'), { contentType: 'text/odd' });
    await platform.store.put('images/a/empty', Buffer.alloc(0), { contentType: 'image/png' });
    await platform.jobs.start();
    await platform.db.transaction((tx) =>
      platform.jobs.send(tx, { name: 'test-job', retryLimit: 3, heartbeatSeconds: 60, expireInSeconds: 600 }, { n: 1 }),
    );
  });
  after(async () => {
    await catalog.close();
    await close();
  });

  it('restores every row, object, job and received byte, with the schema and a key', async () => {
    const { platform } = catalog;
    const { jobs, objects } = await backUpTest(platform, folder);
    const machine = await createEmptyMachine();
    try {
      const expected = await digestTables(platform.databaseUrl);
      const restored = await machine.restore(folder);
      assert.deepEqual(await digestTables(machine.url), expected);
      assert.ok(Object.values(expected).filter((digest) => !digest.startsWith('0 ')).length > 40);
      assert.deepEqual([restored.jobs, restored.objects, restored.uploads], [jobs, objects.objects, 1]);
      const [one, other] = await Promise.all([platform.databaseUrl, machine.url].map(schemaOf));
      assert.equal(one, other);
      const data = machine.config.DATA_DIR;
      assert.equal(await readFile(join(data, 'secret-key'), 'utf8'), `${TEST_KEY}\n`);
      const store = new DiskStore(join(data, 'objects'));
      const read = async (key: string) => {
        const found = (await store.read(key)) ?? assert.fail(key);
        return [(await buffer(found.stream)).toString(), found.info.contentType];
      };
      assert.deepEqual(await read('images/a/b.png'), ['picture', 'image/png']);
      assert.deepEqual(await read('images/a/odd'), ['odd', 'text/odd']);
      assert.deepEqual(await read('images/a/empty'), ['', 'image/png']);
      const receiving = new DiskReceivingStore(join(data, 'objects'));
      assert.equal(await receiving.receivedBytes(`uploads/${upload}`), 15);
      assert.equal((await receiving.read(`uploads/${upload}`, 0, 100)).toString(), 'received so far');
      const waiting = await query(
        machine.url,
        `select data, retry_limit, heartbeat_seconds, dead_letter, state from pgboss.job where name = 'test-job'`,
      );
      assert.deepEqual(waiting, [
        {
          data: { payload: { n: 1 }, failures: 0 },
          ...{ retry_limit: 1_000_000, heartbeat_seconds: 60, dead_letter: 'test-job.lost', state: 'created' },
        },
      ]);
      // Events are read in the order of transaction ids: those of new ones follow those that were restored.
      const [{ follows } = { follows: false }] = await query(
        machine.url,
        'select pg_current_xact_id() > coalesce(max(xact), $1) as follows from events',
        ['0'],
      );
      assert.equal(follows, true);
      await query(machine.url, `insert into events (type, subject_id) values ('test', gen_random_uuid())`);
    } finally {
      await machine.close();
    }
  });

  it('copies what is new only, is verified, listed, and pruned with the objects that no other one has', async () => {
    const { platform } = catalog;
    const first = (await backupIds(folder)).complete.at(-1) ?? assert.fail();
    await platform.store.delete('images/a/b.png');
    await platform.store.put('images/a/c.png', Buffer.from('another'), { contentType: 'image/png' });
    catalog.clock.advance(1_000);
    const second = await backUpTest(platform, folder);
    assert.deepEqual([second.objects.copied, second.objects.copiedBytes, second.objects.deleted], [1, 7, []]);
    assert.deepEqual((await backupIds(folder)).complete, [first, second.id]);
    const report = await verifyBackup(folder, await requireManifest(folder, first));
    assert.deepEqual([report.problemCount, report.id], [0, first]);

    catalog.clock.advance(1_000);
    const third = await backUpTest(platform, folder, { keep: 2 });
    assert.deepEqual(third.removed, [first]);
    assert.deepEqual((await backupIds(folder)).complete, [second.id, third.id]);
    for (const id of [second.id, third.id])
      assert.equal((await verifyBackup(folder, await requireManifest(folder, id))).problemCount, 0);
    // The objects, and what each backup had of the open upload; b.png is gone.
    assert.equal(await countCopies(path), third.objects.objects + 2);
  });

  it('holds deletions off until it has the objects', async () => {
    const { platform } = catalog;
    await platform.store.put('images/purged', Buffer.from('x'), { contentType: 'image/png' });
    await catalog.rows("insert into object_purges (key_prefix, due_at) values ('images/purged', '-infinity')");
    const snapshot = await takeSnapshot(platform.databaseUrl);
    await snapshot.endTransaction();
    await platform.store.put('uploads/used', Buffer.from('x'), { contentType: 'image/png' });
    await deleteObject(platform, 'uploads/used');
    const left = () => Promise.all(['images/purged', 'uploads/used'].map((key) => platform.store.head(key)));
    await sweepObjects({ platform, receiving: platform.receiving });
    assert.deepEqual(
      (await left()).map((info) => info?.sizeBytes),
      [1, 1],
    );
    await snapshot.close();
    await sweepObjects({ platform, receiving: platform.receiving });
    assert.deepEqual(await left(), [null, null]);
    await platform.store.put('uploads/used', Buffer.from('x'), { contentType: 'image/png' });
    await deleteObject(platform, 'uploads/used');
    assert.deepEqual(await left(), [null, null], 'at once');
  });

  it('is refused in a folder of another platform', async () => {
    const other = await openTestCatalog();
    try {
      const secrets = secretsFrom(Buffer.alloc(32, 9));
      await assert.rejects(backUpTest({ ...other.platform, secrets }, folder), /platform with another SECRET_KEY/);
    } finally {
      await other.close();
    }
  });

  it('leaves earlier backups as they are when the disk is full, and says so', async () => {
    const { platform } = catalog;
    const { complete } = await backupIds(folder);
    await platform.store.put('images/a/d.png', Buffer.alloc(100_000), { contentType: 'image/png' });
    catalog.clock.advance(1_000);
    const space = new DiskSpace(path, { bytes: Number.MAX_SAFE_INTEGER });
    const full = new BackupFolder(path, { store: new DiskStore(path, space), prefix: '' });
    await assert.rejects(backUpTest(platform, full), (error) => error instanceof StorageFullError);
    assert.deepEqual(await backupIds(folder), { complete, incomplete: [] });
    assert.equal((await verifyBackup(folder, await requireManifest(folder, undefined))).problemCount, 0);
    const { objects } = await backUpTest(platform, folder, { keep: 2 });
    assert.equal(objects.copied, 1);
  });

  describe('is not restored', () => {
    /** The restore is refused, and leaves the machine as empty as it was. */
    async function refused(message: RegExp, env: Record<string, string> = {}, id?: string): Promise<void> {
      const machine = await createEmptyMachine(env);
      try {
        await assert.rejects(machine.restore(folder, id), message);
        assert.deepEqual(await digestTables(machine.url), {});
        const objects = await readdir(join(machine.config.DATA_DIR, 'objects')).catch(() => []);
        assert.deepEqual(
          objects.filter((name) => !name.startsWith(',')),
          [],
        );
        assert.equal((await readdir(machine.config.DATA_DIR)).includes('secret-key'), false);
      } finally {
        await machine.close();
      }
    }
    const newest = async () => (await backupIds(folder)).complete.at(-1) ?? assert.fail('there is no backup');
    async function whileChanged(file: string, change: (file: string) => Promise<void>, check: () => Promise<void>) {
      const bytes = await readFile(join(path, file));
      await change(join(path, file));
      try {
        await check();
      } finally {
        await writeFile(join(path, file), bytes);
      }
    }
    const flip = async (file: string) => {
      const bytes = await readFile(file);
      bytes[10] = (bytes[10] ?? 0) ^ 1;
      await writeFile(file, bytes);
    };

    it('with another key', () =>
      refused(/SECRET_KEY is not the key/, { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }));

    it('when it was not completed', async () => {
      const id = await newest();
      await whileChanged(
        `backups/${id}/manifest.json`,
        (file) => rm(file),
        async () => {
          await refused(/was not completed and cannot be used/, {}, id);
          assert.deepEqual((await backupIds(folder)).incomplete, [id]);
        },
      );
    });

    it('when its manifest has changed', async () =>
      whileChanged(`backups/${await newest()}/manifest.json`, flip, () => refused(/manifest.json does not have/)));

    it('when a byte of a table has changed', async () =>
      whileChanged(`backups/${await newest()}/tables/contents.copy.gz`, flip, () =>
        refused(/contents\.copy\.gz does not have/),
      ));

    it('when a byte of an object has changed, which verify-backup finds, too', async () => {
      const manifest = await requireManifest(folder, await newest());
      const [copy = ''] = await copiesOf(path, 7 + 32);
      await whileChanged(copy, flip, async () => {
        const { problemCount, problems } = await verifyBackup(folder, manifest);
        assert.deepEqual([problemCount, /does not have the bytes/.test(problems[0] ?? '')], [1, true]);
        await refused(/does not have the bytes that were written/);
      });
      await whileChanged(
        copy,
        (file) => truncate(file, 20),
        () => refused(/does not have the bytes/),
      );
      await whileChanged(
        copy,
        (file) => rm(file),
        () => refused(/is missing/),
      );
    });

    it('to a database that has tables, or a store that has objects', async () => {
      const machine = await createEmptyMachine();
      try {
        await query(machine.url, 'create table mine (n int)');
        await assert.rejects(machine.restore(folder), /The database has tables/);
        await query(machine.url, 'drop table mine');
        const store = new DiskStore(join(machine.config.DATA_DIR, 'objects'));
        await store.put('mine/a', Buffer.from('mine'), { contentType: 'image/png' });
        await assert.rejects(machine.restore(folder), /objects is not empty \(it has mine\/a\)/);
        assert.equal((await store.head('mine/a'))?.sizeBytes, 4);
        await store.delete('mine/a');
        await machine.restore(folder);
      } finally {
        await machine.close();
      }
    });
  });
});

async function query(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function schemaOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await schemaText(client);
  } finally {
    await client.end();
  }
}

async function countCopies(path: string): Promise<number> {
  return (await readdir(join(path, 'objects'), { recursive: true })).filter((name) => /\/[0-9a-f]{64}$/.test(name))
    .length;
}

/** Copies of objects with so many bytes, by their paths in the folder. */
async function copiesOf(path: string, sizeBytes: number): Promise<string[]> {
  const names = (await readdir(join(path, 'objects'), { recursive: true })).filter((name) =>
    /\/[0-9a-f]{64}$/.test(name),
  );
  const found: string[] = [];
  for (const name of names)
    if ((await readFile(join(path, 'objects', name))).length === sizeBytes) found.push(join('objects', name));
  return found;
}

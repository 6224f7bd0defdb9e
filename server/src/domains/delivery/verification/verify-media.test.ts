import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { runAdminCommand } from '../../accounts/index.ts';
import { orderObjectPurge } from '../../assets/quota/object-purges.store.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { makePlayable } from '../../transcode/playable/make-playable.handler.ts';
import { VERIFY_MEDIA_COMMAND } from './verify-media.command.ts';
import { HOUR_MS, OPTIONS, openUpload } from './verify-media.fixture.ts';
import { verifyMedia } from './verify-media.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };

describe('verify-media', () => {
  let fixture: TestProcessing;
  /** Encoded, with a poster. */
  let encoded: Awaited<ReturnType<typeof makeEncoded>>;
  /** Played without encoding. */
  let copied: Awaited<ReturnType<typeof makeCopied>>;
  let poster: { id: string; prefix: string };
  before(async () => {
    fixture = await openTestProcessing({ work: false, instant: true });
    encoded = await makeEncoded();
    copied = await makeCopied();
    const [image] = await rows<{ id: string; prefix: string }>('select id, object_prefix as prefix from image_assets');
    poster = image ?? assert.fail('no poster');
  });
  after(() => fixture.close());

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  /** The platform at a later time; the times of objects are real. */
  const later = (hours: number) => ({ ...fixture.platform, clock: new ManualClock(Date.now() + hours * HOUR_MS) });
  const verify = (options = OPTIONS, platform = fixture.platform) => verifyMedia(platform, options);
  const video = (id: string) => `did:reelgraph:asset/video/${id}`;
  const image = (id: string) => `did:reelgraph:asset/image/${id}`;
  const put = (key: string, bytes: Buffer = Buffer.from('x')) =>
    fixture.platform.store.put(key, bytes, { contentType: contentTypeOf(key) });
  const found = async (options = OPTIONS, platform = fixture.platform) =>
    (await verify(options, platform)).problems.map(({ kind, row, key }) => ({ kind, row, key }));

  async function makeEncoded() {
    const uploaded = await fixture.upload(fixture.clip);
    await fixture.process(await fixture.submit(uploaded.contentId));
    const { package_prefix: prefix, renditions } = await fixture.assetRow(uploaded.assetId);
    return { ...uploaded, prefix: prefix ?? '', rung: renditions[0]?.split('/')[1] ?? '' };
  }

  async function makeCopied() {
    const uploaded = await fixture.upload(fixture.clip);
    await fixture.submit(uploaded.contentId);
    await makePlayable({ platform: fixture.platform, runner: fixture.runner }, uploaded.assetId, RUN);
    await rows("update transcode_jobs set status = 'ERROR' where video_asset_id = $1", [uploaded.assetId]);
    return { ...uploaded, prefix: (await fixture.assetRow(uploaded.assetId)).package_prefix ?? '' };
  }

  const keyOf = (path: string) => encoded.prefix + path.replace('RUNG', encoded.rung);

  /** Runs `check` while the object has other bytes, or none; then it has its own again. */
  async function whileChanged(key: string, change: (bytes: Buffer) => Buffer | null, check: () => Promise<void>) {
    const { store } = fixture.platform;
    const object = (await store.read(key)) ?? assert.fail(`there is no ${key}`);
    const bytes = await buffer(object.stream);
    const changed = change(bytes);
    if (changed) await put(key, changed);
    else await store.delete(key);
    try {
      await check();
    } finally {
      await store.put(key, bytes, { contentType: object.info.contentType });
    }
  }
  const gone = () => null;
  const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 3);

  it('finds nothing in a clean store', async () => {
    const keys = (await Promise.all(['sources/', 'media/', 'images/'].map((prefix) => fixture.keys(prefix)))).flat();
    const { videos, images, objects, problemCounts, problems } = await verify();
    assert.deepEqual(
      { videos, images, problemCounts, problems },
      { videos: 2, images: 1, problemCounts: {}, problems: [] },
    );
    assert.deepEqual(
      { ...objects, bytes: 0 },
      { objects: keys.length, bytes: 0, inUse: 0, toBeDeleted: 0, recent: 0, repaired: 0 },
    );
    assert.ok(keys.length > 20);
  });

  describe('reports an object that is missing', () => {
    for (const path of [
      'RUNG/index.m3u8',
      'RUNG/init.mp4',
      'RUNG/seg-00000.m4s',
      'downloads/video.mp4.index',
      'downloads/audio.m4a.index',
      'preview/preview.mp4',
      'thumbs/00001.jpg',
      'thumbs/storyboard.vtt',
    ])
      it(`in a package: ${path}`, async () => {
        const key = keyOf(path);
        await whileChanged(key, gone, async () =>
          assert.deepEqual(await found(), [{ kind: 'MISSING_OBJECT', row: video(encoded.assetId), key }]),
        );
      });

    it('as the uploaded file', async () => {
      const key = encoded.sourceKey;
      await whileChanged(key, gone, async () => {
        const { problems, problemCounts } = await verify();
        assert.deepEqual(problemCounts, { MISSING_OBJECT: 1 });
        assert.deepEqual(problems, [
          {
            kind: 'MISSING_OBJECT',
            row: video(encoded.assetId),
            key,
            message: 'The uploaded file does not exist.',
            fix:
              'Restore the object from a backup. The streams of a processed video play without it; choosing a poster ' +
              'from the video and downloading the original do not work.',
          },
        ]);
      });
    });

    it('as a variant of an image', async () => {
      const [key = ''] = await fixture.keys(poster.prefix);
      await whileChanged(key, gone, async () =>
        assert.deepEqual(await found(), [{ kind: 'MISSING_OBJECT', row: image(poster.id), key }]),
      );
    });

    it('as the index that segments are cut with', async () => {
      const key = `${copied.prefix}index/segments.bin`;
      await whileChanged(key, gone, async () =>
        assert.deepEqual(await found(), [{ kind: 'MISSING_OBJECT', row: video(copied.assetId), key }]),
      );
    });
  });

  it('follows the manifests in the package of a video that has no renditions', async () => {
    const renditions = await rows<object>('delete from renditions where video_asset_id = $1 returning *', [
      encoded.assetId,
    ]);
    const counted = await rows<object>(
      `update video_assets set derived_files = 0, extras = extras || '{"dash": "manifest.mpd"}' where id = $1
       returning old.derived_files as files`,
      [encoded.assetId],
    );
    const [master, manifest] = [keyOf('master.m3u8'), keyOf('manifest.mpd')];
    await put(
      master,
      Buffer.from(
        `#EXTM3U\n${['index', 'gone'].map((name) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${encoded.rung}/${name}.m3u8\n`).join('')}`,
      ),
    );
    try {
      assert.deepEqual(
        (await found()).map(({ kind, key }) => [kind, key]),
        [
          ['MISSING_OBJECT', keyOf('RUNG/gone.m3u8')],
          ['MISSING_OBJECT', manifest],
        ],
      );
    } finally {
      await fixture.platform.store.delete(master);
      await rows('insert into renditions select * from jsonb_populate_recordset(null::renditions, $1)', [
        JSON.stringify(renditions),
      ]);
      await rows(
        `update video_assets set derived_files = ($2::jsonb -> 0 ->> 'files')::int, extras = extras - 'dash'
        where id = $1`,
        [encoded.assetId, JSON.stringify(counted)],
      );
    }
    assert.deepEqual(await found(), []);
  });

  describe('reports an object that is cut off', () => {
    for (const [path, kind] of [
      ['RUNG/seg-00000.m4s', 'WRONG_SIZE'],
      ['preview/preview.mp4', 'WRONG_SIZE'],
      ['RUNG/index.m3u8', 'DAMAGED_FILE'],
      ['downloads/video.mp4.index', 'DAMAGED_FILE'],
    ] as const)
      it(`in a package: ${path}`, async () => {
        const key = keyOf(path);
        await whileChanged(key, cut, async () =>
          assert.deepEqual(await found(), [{ kind, row: video(encoded.assetId), key }]),
        );
      });

    it('in a package that does not tell which file it is', async () => {
      await whileChanged(`${encoded.prefix}thumbs/00001.jpg`, cut, async () =>
        assert.deepEqual(await found(), [{ kind: 'WRONG_SIZE', row: video(encoded.assetId), key: encoded.prefix }]),
      );
    });

    it('or empty', async () => {
      const key = keyOf('RUNG/seg-00000.m4s');
      await whileChanged(
        key,
        () => Buffer.alloc(0),
        async () => assert.deepEqual(await found(), [{ kind: 'WRONG_SIZE', row: video(encoded.assetId), key }]),
      );
    });

    it('as the uploaded file', async () => {
      await whileChanged(encoded.sourceKey, cut, async () =>
        assert.deepEqual(await found(), [{ kind: 'WRONG_SIZE', row: video(encoded.assetId), key: encoded.sourceKey }]),
      );
    });

    it('as a variant of an image', async () => {
      const [key = ''] = await fixture.keys(poster.prefix);
      await whileChanged(key, cut, async () =>
        assert.deepEqual(await found(), [{ kind: 'WRONG_SIZE', row: image(poster.id), key }]),
      );
    });

    it('as the index that segments are cut with', async () => {
      const key = `${copied.prefix}index/segments.bin`;
      await whileChanged(key, cut, async () =>
        assert.deepEqual(await found(), [{ kind: 'DAMAGED_FILE', row: video(copied.assetId), key }]),
      );
    });
  });

  it('reports an uploaded file that is not the one that segments are cut from', async () => {
    const other = await makeCopied();
    await put(other.sourceKey, Buffer.from(fixture.clip).fill(0, fixture.clip.length - 100));
    assert.deepEqual(await found(), [{ kind: 'CHANGED_SOURCE', row: video(other.assetId), key: other.sourceKey }]);
    await rows('delete from video_assets where id = $1', [other.assetId]);
    await fixture.platform.store.delete(other.sourceKey);
    await fixture.platform.store.deletePrefix(other.prefix);
    await rows('delete from object_purges');
  });

  describe('an object without a row', () => {
    afterEach(async () => {
      await rows('delete from object_purges');
    });
    let old: ReturnType<typeof later>;
    before(() => {
      old = later(49);
    });
    const sweep = () => sweepObjects({ platform: old, receiving: fixture.platform.receiving });
    const purges = async () =>
      (await rows<{ prefix: string }>('select key_prefix as prefix from object_purges')).map(({ prefix }) => prefix);

    it('is an orphan after the grace period, and only a repair deletes it', async () => {
      const [content, asset, upload, source, picture] = [newId(), newId(), newId(), newId(), newId()];
      const late = `media/${encoded.contentId}/${encoded.assetId}/000000000000-1/`;
      const orphans = [
        `uploads/${upload}`,
        `sources/${source}`,
        `media/${content}/${asset}/copy-1/`,
        late,
        `images/${picture}/`,
      ];
      const keys = orphans.flatMap((prefix) =>
        prefix.endsWith('/') ? [`${prefix}a.bin`, `${prefix}b.bin`] : [prefix],
      );
      for (const key of keys) await put(key);
      const young = await verify();
      assert.deepEqual([young.problems, young.objects.recent], [[], keys.length]);

      const before = await verify(OPTIONS, old);
      assert.deepEqual([before.problemCounts, before.objects.repaired], [{ ORPHAN: 5 }, 0]);
      assert.deepEqual(new Set(before.problems.map(({ key }) => key)), new Set(orphans));
      assert.deepEqual(await purges(), []);

      const repaired = await verify({ ...OPTIONS, repair: true }, old);
      assert.deepEqual([repaired.problemCounts, repaired.objects.repaired], [{ ORPHAN: 5 }, keys.length]);
      assert.deepEqual(new Set(await purges()), new Set(orphans));
      assert.equal((await verify({ ...OPTIONS, repair: true }, old)).objects.toBeDeleted, keys.length, 'ordered once');
      await sweep();
      const { problems, objects } = await verify(OPTIONS, old);
      assert.deepEqual([problems, objects.recent, objects.toBeDeleted], [[], 0, 0]);
      for (const key of keys) assert.equal(await fixture.platform.store.head(key), null, key);
    });

    it('is no orphan while an upload, a fetch or a job may be writing it, or its deletion is scheduled', async () => {
      const { contentId, channelId, assetId } = await fixture.upload(fixture.clip);
      const job = await fixture.submit(contentId);
      const [upload, fetching, picture] = [newId(), newId(), newId()];
      await openUpload(fixture.platform, upload, { channelId, contentId });
      await rows(`insert into transcode_jobs (id, channel_id, content_id, status) values ($1, $2, $3, 'QUEUED')`, [
        fetching,
        channelId,
        contentId,
      ]);
      const inUse = [
        `uploads/${upload}`,
        `sources/${fetching}`,
        `media/${contentId}/${assetId}/${job.slice(-12)}-1/v1/seg-00000.m4s`,
      ];
      for (const key of [...inUse, `images/${picture}/a.webp`]) await put(key);
      await orderObjectPurge(fixture.platform.db, `images/${picture}/`, old.clock.now());
      const { problems, objects } = await verify({ ...OPTIONS, repair: true }, old);
      assert.deepEqual([problems, objects.inUse, objects.toBeDeleted], [[], 3, 1]);
      assert.deepEqual(await purges(), [`images/${picture}/`]);

      await rows("update ingestions set state = 'EXPIRED' where id = $1", [upload]);
      await rows("update transcode_jobs set status = 'ERROR' where id = any($1)", [[job, fetching]]);
      assert.deepEqual((await verify({ ...OPTIONS, repair: true }, old)).problemCounts, { ORPHAN: 3 });
      await sweep();
      assert.deepEqual((await verify(OPTIONS, old)).problemCounts, {});
    });

    it('is reported and kept if Reelgraph does not write such names', async () => {
      const keys = ['media/notes.txt', `images/${newId()}`, `uploads/${newId()}.bak`];
      const extra = `${poster.prefix}extra.png`;
      for (const key of [...keys, extra]) await put(key);
      const problems = await found({ ...OPTIONS, repair: true }, old);
      assert.deepEqual(
        new Set(problems.map(({ kind, row, key }) => `${kind} ${row} ${key}`)),
        new Set([`UNKNOWN_OBJECT ${image(poster.id)} ${extra}`, ...keys.map((key) => `UNKNOWN_OBJECT null ${key}`)]),
      );
      await sweep();
      for (const key of [...keys, extra]) {
        assert.ok(await fixture.platform.store.head(key));
        await fixture.platform.store.delete(key);
      }
    });
  });

  it('compares the bytes of every object with their checksums from when they arrived', async () => {
    const deep = () => verify({ ...OPTIONS, deep: true });
    const clean = await deep();
    assert.deepEqual([clean.problems, clean.checksums?.without], [[], 0]);
    assert.ok((clean.checksums?.compared ?? 0) > 20);
    const fileOf = (key: string) => join(fixture.platform.config.DATA_DIR, 'objects', key);
    const damaged = [
      [encoded.sourceKey, encoded.sourceKey.replace('sources/', '')],
      [keyOf('RUNG/seg-00000.m4s'), encoded.assetId],
    ] as const;
    for (const [key, id] of damaged) {
      const bytes = await readFile(fileOf(key));
      const file = await open(fileOf(key), 'r+');
      await file.write(Buffer.alloc(512, 0xa5), 0, 512, 1_000);
      await file.close();
      assert.deepEqual(await found({ ...OPTIONS, deep: true }), [{ kind: 'WRONG_CHECKSUM', row: video(id), key }]);
      assert.deepEqual(await found(), [], 'its size is the same');
      await put(key, bytes);
    }
    assert.deepEqual((await deep()).problems, []);
  });

  it('lists what lies in the store and is no object of it', async () => {
    const folder = join(fixture.platform.config.DATA_DIR, 'objects');
    const strays = ['notes.txt', 'backup/2026.tar', 'media/a copy.mp4', 'images/x,old', 'lost.png,crc'];
    for (const name of strays) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), 'x');
    }
    await fixture.platform.store.put('exports/a/1.jsonl.gz', Buffer.from('x'), { contentType: 'application/gzip' });
    const problems = await found();
    assert.deepEqual(
      new Set(problems.map(({ kind, row, key }) => `${kind} ${row} ${key}`)),
      new Set(strays.map((name) => `UNKNOWN_OBJECT null ${name}`)),
    );
    for (const name of strays) await rm(join(folder, name));
    await fixture.platform.store.delete('exports/a/1.jsonl.gz');
    assert.deepEqual(await found(), []);
  });

  it('is an operator command that prints the report, and exits with 1 if there are problems', async () => {
    const command = (...argv: string[]) => runAdminCommand(['verify-media', ...argv], later(3), VERIFY_MEDIA_COMMAND);
    const clean = await command();
    assert.deepEqual([clean.exitCode, JSON.parse(clean.stdout).problems], [0, []]);
    const key = `sources/${newId()}`;
    await put(key, randomBytes(10));
    assert.equal((await command()).exitCode, 0, 'too young');
    const dirty = await command('--grace-hours', '2');
    assert.equal(dirty.exitCode, 1);
    assert.deepEqual(JSON.parse(dirty.stdout).problems, [
      {
        kind: 'ORPHAN',
        row: null,
        key,
        message: 'No row names this object (10 bytes).',
        fix: 'Run verify-media --repair to delete it.',
      },
    ]);
    assert.equal((await command('--grace-hours', 'two')).exitCode, 2);
    assert.equal((await command('--grace-hours', '2', '--repair')).exitCode, 1);
    await sweepObjects({ platform: later(4), receiving: fixture.platform.receiving });
    assert.equal(await fixture.platform.store.head(key), null);
  });
});

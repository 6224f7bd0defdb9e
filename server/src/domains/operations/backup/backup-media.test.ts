import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { newId } from '../../../kernel/ids.ts';
import { INDEX_PATH } from '../../../media/index.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import { openTestS3Storage, startTestS3, type TestS3Storage } from '../../../platform/storage/testing.ts';
import { cutIndexed, readIndex } from '../../assets/index.ts';
import { OPTIONS, openUpload } from '../../delivery/verification/verify-media.fixture.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { makePlayable } from '../../transcode/playable/make-playable.handler.ts';
import { backUpTest, createBackupFolder, createEmptyMachine, type EmptyMachine } from './backup.fixture.ts';
import { openBackupFolder } from './backup-folder.ts';
import { backupIds } from './manifest.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };

describe('a backup of videos', () => {
  let fixture: TestProcessing;
  /** Key of the index of a video that is played without having been encoded. */
  let indexKey: string;
  let segment: Buffer;
  let service: Awaited<ReturnType<typeof startTestS3>>;
  let s3Env: Record<string, string>;
  before(async () => {
    service = await startTestS3();
    const { bucket, endpoint = '', accessKeyId, secretAccessKey } = service.settings;
    s3Env = {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    fixture = await openTestProcessing({ work: false, instant: true });
    const encoded = await fixture.upload(fixture.clip);
    await fixture.process(await fixture.submit(encoded.contentId));
    const copied = await fixture.upload(fixture.clip);
    await fixture.submit(copied.contentId);
    await makePlayable({ platform: fixture.platform, runner: fixture.runner }, copied.assetId, RUN);
    await rows("update transcode_jobs set status = 'ERROR' where video_asset_id = $1", [copied.assetId]);
    indexKey = (await fixture.assetRow(copied.assetId)).package_prefix + INDEX_PATH;
    segment = await firstSegment(fixture.platform.store);
  });
  after(async () => {
    await fixture.close();
    await service.close();
  });
  const rows = (text: string, values: readonly unknown[]) => fixture.platform.db.run(sql('test', text), values);

  async function firstSegment(store: Parameters<typeof readIndex>[0]): Promise<Buffer> {
    const { value: index } = await readIndex(store, indexKey);
    return index === null ? assert.fail('no index') : ((await cutIndexed(store, index, 'video', 1)) ?? assert.fail());
  }

  /** Every object is there with its bytes, and videos play, also those that are cut from their uploaded files. */
  async function assertPlays({ url, config }: EmptyMachine): Promise<void> {
    const { store } = await openStorage(config);
    const db = openDatabase({ url });
    try {
      const { clock } = fixture.platform;
      const report = await verifyMedia({ db, clock, config, store }, { ...OPTIONS, deep: true });
      assert.deepEqual([report.videos, report.problems], [2, []]);
      assert.ok((await firstSegment(store)).equals(segment));
    } finally {
      await db.close();
    }
  }

  it('in S3 is restored to a disk, and plays', async () => {
    const address = `s3://${service.settings.bucket}/backups/of-videos`;
    const folder = await openBackupFolder(address, readConfig(s3Env));
    const { id, objects } = await backUpTest(fixture.platform, folder);
    assert.deepEqual([objects.copied, objects.deleted], [objects.objects, []]);
    assert.deepEqual(await backupIds(folder), { complete: [id], incomplete: [] });
    const machine = await createEmptyMachine();
    try {
      await machine.restore(folder);
      await assertPlays(machine);
    } finally {
      await machine.close();
    }
  });

  it('in a folder is restored to S3, and plays', THOROUGH, async () => {
    const { folder, close } = await createBackupFolder();
    const target = await startTestS3();
    const machine = await createEmptyMachine({
      ...s3Env,
      ...{ STORAGE: 's3', S3_BUCKET: target.settings.bucket, S3_ENDPOINT: target.settings.endpoint ?? '' },
    });
    try {
      await backUpTest(fixture.platform, folder);
      await machine.restore(folder);
      await assertPlays(machine);
    } finally {
      await machine.close();
      await target.close();
      await close();
    }
  });

  it('names open uploads whose bytes S3 does not let anyone read, and copies none of their parts', async () => {
    const { folder, close } = await createBackupFolder();
    const s3: TestS3Storage = await openTestS3Storage();
    try {
      const upload = newId();
      const { contentId } = await fixture.upload(fixture.clip);
      const [{ channel_id: channelId } = { channel_id: '' }] = (await rows(
        'select channel_id from contents where id = $1',
        [contentId],
      )) as { channel_id: string }[];
      await openUpload(fixture.platform, upload, { channelId, contentId });
      const body = Readable.from([Buffer.alloc(8_500_000)]);
      await s3.receiving.append(`uploads/${upload}`, body, { offset: 0, sizeBytes: 9_000_000 });
      await s3.store.put('images/a', Buffer.from('picture'), { contentType: 'image/png' });
      const platform = { ...fixture.platform, store: s3.store, receiving: s3.receiving };
      const { objects } = await backUpTest(platform, folder);
      assert.deepEqual([objects.unreadableUploads, objects.objects, objects.uploads], [[`uploads/${upload}`], 1, 0]);
      const kept = await s3.store.read(`uploads/${upload}.journal`);
      assert.ok(kept && (await buffer(kept.stream)).length > 0);
    } finally {
      await s3.close();
      await close();
    }
  });

  it('is refused in the bucket of the platform, in its data folder, and at an address that is none', async () => {
    const open = (address: string, env = {}) => openBackupFolder(address, readConfig({ ...s3Env, ...env }));
    await assert.rejects(open('s3://reelgraph-test/x', { STORAGE: 's3' }), /is the bucket of the platform itself/);
    await assert.rejects(open('s3://'), /is no s3:\/\/bucket\/prefix/);
    await assert.rejects(open('s3://bucket/a b'), /is no s3:\/\/bucket\/prefix/);
    await assert.rejects(open('s3://bucket', { S3_ACCESS_KEY_ID: '' }), /needs S3_ACCESS_KEY_ID/);
    await assert.rejects(open('/srv/data/backups', { DATA_DIR: '/srv/data' }), /is inside of DATA_DIR/);
  });
});

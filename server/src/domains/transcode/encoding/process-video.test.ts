import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { makeContent } from '../../assets/testing.ts';
import { insertVideoAsset } from '../../assets/videos/video-assets.store.ts';
import { openProcessing, startProcessing } from '../jobs/start-processing.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

describe('processing', () => {
  let fixture: TestProcessing;
  before(async () => {
    fixture = await openTestProcessing();
  });
  after(() => fixture.close());

  it('makes an uploaded video playable and writes events', async () => {
    const video = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(video.contentId);
    assert.deepEqual(await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 }), {
      jobId,
      status: 'COMPLETE',
      progress: 100,
      error: null,
    });
    const asset = await fixture.assetRow(video.assetId);
    assert.deepEqual([asset.mime_type, asset.width, asset.height], ['video/mp4', 160, 90]);
    assert.ok(Math.abs(asset.duration_ms - 1_000) < 100, `duration ${asset.duration_ms}`);
    const folder = `media/${video.contentId}/${video.assetId}/`;
    const name = `${jobId.slice(-12)}-1`;
    assert.deepEqual(asset.renditions, [`${name}/v90`, `${name}/audio`]);
    assert.equal(asset.package_prefix, `${folder}${name}/`);
    // A sine in mono at an eighth of full scale.
    const { integratedLufs = 0, rangeLu, truePeakDbtp = 0 } = asset.loudness ?? {};
    assert.ok(Math.abs(integratedLufs + 18.7) < 1 && Math.abs(truePeakDbtp + 18) < 1, JSON.stringify(asset.loudness));
    assert.equal(rangeLu, 0);
    const stored = await fixture.keys(`media/${video.contentId}/`);
    for (const rendition of asset.renditions) assert.ok(stored.includes(`${folder}${rendition}/index.m3u8`), rendition);
    assert.deepEqual(Object.keys(asset.extras ?? {}).sort(), [
      'audioDownload',
      'encoder',
      'preview',
      'stills',
      'videoDownload',
    ]);
    for (const name of [
      'downloads/video.mp4.index',
      'downloads/audio.m4a.index',
      'preview/preview.mp4',
      'preview/still-1.jpg',
    ])
      assert.ok(stored.includes(`${asset.package_prefix}${name}`), name);
    assert.deepEqual(await fixture.contentRow(video.contentId), { status: 'READY', duration_ms: asset.duration_ms });
    assert.deepEqual(await fixture.eventsOf(video.contentId, jobId), [
      'job.updated QUEUED',
      'job.updated COMPLETE',
      'asset.ready',
    ]);
    const posters = await fixture.platform.db.run(
      sql('posters', 'select purpose, alt, width from image_assets where content_id = $1'),
      [video.contentId],
    );
    assert.deepEqual(posters, [{ purpose: 'POSTER', alt: 'A video', width: 160 }]);
    // The worker removes its folder after the job has completed.
    const folders = () => readdir(join(fixture.platform.config.DATA_DIR, 'tmp'));
    await fixture.eventually(async () => (await folders()).length === 0, 'a work folder is left');
  });

  it('leaves nothing in the store once the content is purged: neither stream nor downloads', async () => {
    const video = await fixture.upload(fixture.clip);
    await fixture.submit(video.contentId);
    assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    assert.ok(
      (await fixture.keys(`media/${video.contentId}/`)).some((key) => key.endsWith('downloads/video.mp4.index')),
    );
    await fixture.platform.db.run(sql('purge', 'delete from contents where id = $1'), [video.contentId]);
    // The database's clock schedules immediate deletions.
    await sweepObjects({
      platform: { ...fixture.platform, clock: new ManualClock(Date.now() + 1_000) },
      receiving: fixture.platform.receiving,
    });
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    assert.equal(await fixture.platform.store.head(video.sourceKey), null);
  });

  it('is started once for repeated requests', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    const job = await fixture.platform.db.transaction((tx) => openProcessing(fixture.tools(), tx, video));
    const first = await fixture.submit(video.contentId);
    assert.equal(first, job, 'the job that was created with the upload is reused');
    const again = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId }),
    );
    assert.deepEqual(again, { jobId: job, started: false });
    await fixture.media.waiter.wait(video.contentId);
    const after = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId }),
    );
    assert.deepEqual(after, { jobId: job, started: false });
    assert.equal((await fixture.jobRow(job)).attempts, 1);
  });

  it('refuses to start without a video, and for missing contents', async () => {
    const { contentId } = await makeContent(fixture.platform);
    const start = (id: ContentId) =>
      fixture.platform.db.transaction((tx) =>
        startProcessing(fixture.tools(), tx, { contentId: id, field: 'input.contentId' }),
      );
    await assert.rejects(start(contentId), { code: 'INVALID_INPUT', field: 'input.contentId' });
    await assert.rejects(start(newId()), { code: 'RESOURCE_NOT_FOUND' });
  });

  it('reports an invalid file to the uploader after one attempt, and leaves nothing in the store', async () => {
    const video = await fixture.upload(Buffer.from('This is only a text. '.repeat(100)));
    const jobId = await fixture.submit(video.contentId);
    const state = await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.equal(state.status, 'ERROR');
    assert.match(String(state.error), /text.*Upload a video/is);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'ERROR',
      attempts: 1,
      error_code: 'TRANSCODE_FAILED',
      deployed: false,
    });
    assert.equal((await fixture.contentRow(video.contentId)).status, 'FAILED');
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    assert.deepEqual(await fixture.eventsOf(video.contentId, jobId), [
      'job.updated QUEUED',
      'job.updated ERROR',
      'asset.failed',
    ]);
  });

  it('removes a replaced video, its package a day later', THOROUGH, async () => {
    const first = await fixture.upload(fixture.clip);
    await fixture.submit(first.contentId);
    await fixture.media.waiter.wait(first.contentId, { timeoutSeconds: 60 });
    const second = newId<'video-asset'>(Date.now() + 10);
    const key = `sources/${second}`;
    await fixture.platform.store.put(key, fixture.clip, { contentType: 'application/octet-stream' });
    const { channelId } = await fixture.platform.db.transaction(async (tx) => {
      const [row] = await tx.run<{ channelId: string }>(
        sql('channel_of', 'select channel_id as "channelId" from contents where id = $1'),
        [first.contentId],
      );
      assert.ok(row);
      const { contentId } = first;
      const asset = {
        id: second,
        channelId: row.channelId,
        contentId,
        ingestionId: null,
        hint: 'SHORT',
        filename: 'b.mp4',
        sourceKey: key,
      };
      await insertVideoAsset(tx, { ...asset, sizeBytes: fixture.clip.length }, new Date(Date.now() + 10).toISOString());
      return row;
    });
    assert.ok(channelId);
    await fixture.submit(first.contentId);
    assert.equal((await fixture.media.waiter.wait(first.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    const videos = await fixture.platform.db.run<{ id: string }>(
      sql('videos', 'select id from video_assets where content_id = $1'),
      [first.contentId],
    );
    assert.deepEqual(videos, [{ id: second }]);
    const orders = await fixture.platform.db.run<{ later: boolean }>(
      sql(
        'orders_of',
        `select due_at > now() + interval '23 hours' as later from object_purges where key_prefix like $1`,
      ),
      [`media/${first.contentId}/${first.assetId}/%`],
    );
    assert.deepEqual(orders, [{ later: true }], 'running players can continue');
  });

  it('fetches a source address and processes the response', THOROUGH, async () => {
    const server = createServer((_, response) => response.end(fixture.clip)).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    // A TCP server has one.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/my%20video.mp4?token=x`;
    try {
      await fixture.media.checkSourceUrl(url);
      const video = await makeContent(fixture.platform);
      await fixture.fetchInto(video, url);
      assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
      const asset = await fixture.platform.db.first(
        sql('fetched', 'select filename, size_bytes from video_assets where content_id = $1'),
        [video.contentId],
      );
      assert.deepEqual(asset, { filename: 'my video.mp4', size_bytes: fixture.clip.length });
    } finally {
      server.close();
    }
  });

  it('refuses a private source address, immediately and in the job', async () => {
    const url = 'http://[::1]:9/video.mp4';
    await assert.rejects(fixture.media.checkSourceUrl(url), { code: 'INVALID_INPUT', field: 'sourceUrl' });
    const video = await makeContent(fixture.platform);
    const jobId = await fixture.fetchInto(video, url);
    const state = await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.match(String(state.error), /public internet/);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'ERROR',
      attempts: 1,
      error_code: 'INVALID_INPUT',
      deployed: false,
    });
    assert.equal((await fixture.contentRow(video.contentId)).status, 'FAILED');
    assert.equal(await fixture.platform.store.head(`sources/${jobId}`), null);
  });
});

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import { type ContentId, type JobId, newId, type VideoAssetId } from '../../kernel/ids.ts';
import { createRunner, type Runner } from '../../media/index.ts';
import { ManualClock } from '../../platform/clock.ts';
import { sql } from '../../platform/db/statement.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import { type AssetsDomain, registerAssets } from './register.ts';
import { openProcessing, startFetching, startProcessing } from './start-processing.ts';
import { sweepObjects } from './sweep-objects.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from './testing.ts';
import { insertVideoAsset } from './video-assets.store.ts';

/** What happens when the worker stores a file of a package; tests replace it. */
let onStore: () => Promise<void> = async () => {};

describe('processing', { timeout: 120_000 }, () => {
  let platform: AssetsTestPlatform;
  let assets: AssetsDomain;
  let runner: Runner;
  let clip: Buffer;
  const dependencies = () => ({ receiving: platform.receiving, authenticate: async () => assert.fail('nobody uploads here') });
  const tools = () => ({ jobs: platform.jobs, clock: platform.clock });

  before(async () => {
    const plain = await createAssetsTestPlatform({ FETCH_ALLOW: '127.0.0.1' });
    platform = { ...plain, store: watchedStore(plain.store) };
    runner = await createRunner();
    clip = await makeClip();
    assets = registerAssets(platform, dependencies());
    await platform.jobs.start();
    await assets.startWork({ runner, toneMapping: true });
  });
  after(async () => {
    await platform.jobs.stop({ graceMs: 10_000 });
    await assets.close();
    await platform.close();
  });
  beforeEach(() => {
    onStore = async () => {};
  });

  it('makes an uploaded video playable and says so in the log of events', async () => {
    const video = await upload(clip);
    const jobId = await submit(video.contentId);
    assert.deepEqual(await assets.waiter.wait(video.contentId, { timeoutSeconds: 60 }), {
      jobId,
      status: 'COMPLETE',
      progress: 100,
      error: null,
    });
    const asset = await assetRow(video.assetId);
    assert.deepEqual([asset.mime_type, asset.width, asset.height], ['video/mp4', 160, 90]);
    assert.ok(Math.abs(asset.duration_ms - 1_000) < 100, `duration ${asset.duration_ms}`);
    assert.equal(asset.renditions?.length, 1);
    const stored = await keys(`media/${video.contentId}/`);
    assert.ok(stored.includes(`${asset.package_prefix}master.m3u8`), stored.join(' '));
    assert.ok(stored.includes(`${asset.package_prefix}${asset.renditions?.[0]?.path}`));
    assert.deepEqual(Object.keys(asset.extras ?? {}).sort(), ['audioDownload', 'encoder', 'preview', 'stills', 'videoDownload']);
    for (const name of ['downloads/video.mp4', 'downloads/audio.m4a', 'preview/preview.mp4', 'preview/still-1.jpg'])
      assert.ok(stored.includes(`${asset.package_prefix}${name}`), name);
    assert.deepEqual(await contentRow(video.contentId), { status: 'READY', duration_ms: asset.duration_ms });
    assert.deepEqual(await eventsOf(video.contentId, jobId), ['job.updated QUEUED', 'job.updated COMPLETE', 'asset.ready']);
    const posters = await platform.db.run(sql('posters', 'select purpose, alt, width from image_assets where content_id = $1'), [
      video.contentId,
    ]);
    assert.deepEqual(posters, [{ purpose: 'POSTER', alt: 'A film', width: 160 }]);
    assert.deepEqual(await readdir(join(platform.config.DATA_DIR, 'tmp')), []);
  });

  it('leaves nothing in the store once the content is purged: neither stream nor downloads', async () => {
    const video = await upload(clip);
    await submit(video.contentId);
    assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    assert.ok((await keys(`media/${video.contentId}/`)).some((key) => key.endsWith('downloads/video.mp4')));
    await platform.db.run(sql('purge', 'delete from contents where id = $1'), [video.contentId]);
    // The database's clock orders what goes at once.
    await sweepObjects({ platform: { ...platform, clock: new ManualClock(Date.now() + 1_000) }, receiving: platform.receiving });
    assert.deepEqual(await keys(`media/${video.contentId}/`), []);
    assert.equal(await platform.store.head(`sources/${video.assetId}`), null);
  });

  it('is started once, however often it is asked for', async () => {
    const video = await upload(clip);
    const job = await platform.db.transaction((tx) => openProcessing(tools(), tx, video));
    const first = await submit(video.contentId);
    assert.equal(first, job, 'the job that was opened with the upload is taken up');
    const again = await platform.db.transaction((tx) => startProcessing(tools(), tx, { contentId: video.contentId }));
    assert.deepEqual(again, { jobId: job, started: false });
    await assets.waiter.wait(video.contentId);
    const after = await platform.db.transaction((tx) => startProcessing(tools(), tx, { contentId: video.contentId }));
    assert.deepEqual(after, { jobId: job, started: false });
    assert.equal((await jobRow(job)).attempts, 1);
  });

  it('refuses to start without a video, and for contents that are not there', async () => {
    const { contentId } = await makeContent(platform);
    const start = (id: ContentId) =>
      platform.db.transaction((tx) => startProcessing(tools(), tx, { contentId: id, field: 'input.contentId' }));
    await assert.rejects(start(contentId), { code: 'INVALID_INPUT', field: 'input.contentId' });
    await assert.rejects(start(newId()), { code: 'RESOURCE_NOT_FOUND' });
  });

  it('tells the uploader what is wrong with a file, tries it once, and leaves nothing in the store', async () => {
    const video = await upload(Buffer.from('This is only a text. '.repeat(100)));
    const jobId = await submit(video.contentId);
    const state = await assets.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.equal(state.status, 'ERROR');
    assert.match(state.error ?? '', /text.*Upload a video/is);
    assert.deepEqual(await jobRow(jobId), { status: 'ERROR', attempts: 1, error_code: 'TRANSCODE_FAILED', deployed: false });
    assert.equal((await contentRow(video.contentId)).status, 'FAILED');
    assert.deepEqual(await keys(`media/${video.contentId}/`), []);
    assert.deepEqual(await eventsOf(video.contentId, jobId), ['job.updated QUEUED', 'job.updated ERROR', 'asset.failed']);
  });

  it('tries again when the store is unavailable, and removes what the failed attempt stored', async () => {
    let calls = 0;
    onStore = async () => {
      calls += 1;
      if (calls === 2) throw new AppError('SERVICE_UNAVAILABLE', 'The disk is full.');
    };
    const video = await upload(clip);
    const jobId = await submit(video.contentId);
    assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    assert.equal((await jobRow(jobId)).attempts, 2);
    const { package_prefix: prefix } = await assetRow(video.assetId);
    for (const key of await keys(`media/${video.contentId}/`)) assert.ok(key.startsWith(prefix ?? ''), key);
  });

  it('stops for a content that is deleted meanwhile, and removes what it stored', async () => {
    const video = await upload(clip);
    onStore = async () => {
      await platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [video.contentId]);
      await sleep(1_500);
    };
    const jobId = await submit(video.contentId);
    const state = await assets.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.equal(state.status, 'CANCELLED');
    assert.equal((await jobRow(jobId)).deployed, false);
    await eventually(async () => (await keys(`media/${video.contentId}/`)).length === 0, 'objects stayed behind');
    assert.equal((await contentRow(video.contentId)).status, 'DRAFT');
  });

  it('stops when it is cancelled, and leaves neither package nor poster', async () => {
    const video = await upload(clip);
    onStore = async () => {
      await platform.db.run(
        sql('cancel', `update transcode_jobs set status = 'CANCELLING' where content_id = $1 and status = 'TRANSCODING'`),
        [video.contentId],
      );
      await sleep(1_500);
    };
    const jobId = await submit(video.contentId);
    assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'CANCELLED');
    assert.equal((await jobRow(jobId)).deployed, false);
    await eventually(async () => (await keys(`media/${video.contentId}/`)).length === 0, 'objects stayed behind');
    assert.equal((await contentRow(video.contentId)).status, 'DRAFT');
    assert.deepEqual(await postersOf(video.contentId), []);
  });

  it('leaves no poster on a content whose video could not be stored', async () => {
    const video = await upload(clip);
    const images = (await keys('images/')).length;
    onStore = async () => {
      throw new AppError('TRANSCODE_FAILED', 'Not this one.');
    };
    await submit(video.contentId);
    assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'ERROR');
    assert.deepEqual(await postersOf(video.contentId), []);
    await eventually(async () => (await keys('images/')).length === images, 'files of the poster stayed behind');
  });

  it('removes the video that a newer one replaced, its package a day later', async () => {
    const first = await upload(clip);
    await submit(first.contentId);
    await assets.waiter.wait(first.contentId, { timeoutSeconds: 60 });
    const second = newId<'video-asset'>(Date.now() + 10);
    const key = `sources/${second}`;
    await platform.store.put(key, clip, { contentType: 'application/octet-stream' });
    const { channelId } = await platform.db.transaction(async (tx) => {
      const [row] = await tx.run<{ channelId: string }>(sql('channel_of', 'select channel_id as "channelId" from contents where id = $1'), [
        first.contentId,
      ]);
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
      await insertVideoAsset(tx, { ...asset, sizeBytes: clip.length }, new Date(Date.now() + 10).toISOString());
      return row;
    });
    assert.ok(channelId);
    await submit(first.contentId);
    assert.equal((await assets.waiter.wait(first.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    const videos = await platform.db.run<{ id: string }>(sql('videos', 'select id from video_assets where content_id = $1'), [
      first.contentId,
    ]);
    assert.deepEqual(videos, [{ id: second }]);
    const orders = await platform.db.run<{ later: boolean }>(
      sql('orders_of', `select due_at > now() + interval '23 hours' as later from object_purges where key_prefix like $1`),
      [`media/${first.contentId}/${first.assetId}/%`],
    );
    assert.deepEqual(orders, [{ later: true }], 'players that run may go on');
  });

  it('throws its work away when another worker has taken the job over', async () => {
    const video = await upload(clip);
    let stolen = false;
    onStore = async () => {
      if (stolen) return;
      stolen = true;
      await platform.db.run(sql('steal', 'update transcode_jobs set attempts = attempts + 1 where content_id = $1'), [video.contentId]);
    };
    await submit(video.contentId);
    await eventually(async () => stolen && (await keys(`media/${video.contentId}/`)).length === 0, 'the package stayed behind');
    assert.equal((await assetRow(video.assetId)).package_prefix, null);
    assert.equal((await contentRow(video.contentId)).status, 'PROCESSING');
  });

  it('fetches a source address and processes what it answers', async () => {
    const server = createServer((_, response) => response.end(clip)).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/my%20film.mp4?token=x`; // a TCP server has one
    try {
      await assets.checkSourceUrl(url);
      const video = await makeContent(platform);
      await fetchInto(video, url);
      assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
      const asset = await platform.db.first(sql('fetched', 'select filename, size_bytes from video_assets where content_id = $1'), [
        video.contentId,
      ]);
      assert.deepEqual(asset, { filename: 'my film.mp4', size_bytes: clip.length });
    } finally {
      server.close();
    }
  });

  it('refuses a source that is not on the public internet, at once and in the job', async () => {
    const url = 'http://[::1]:9/film.mp4';
    await assert.rejects(assets.checkSourceUrl(url), { code: 'INVALID_INPUT', field: 'sourceUrl' });
    const video = await makeContent(platform);
    const jobId = await fetchInto(video, url);
    const state = await assets.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.match(state.error ?? '', /public internet/);
    assert.deepEqual(await jobRow(jobId), { status: 'ERROR', attempts: 1, error_code: 'INVALID_INPUT', deployed: false });
    assert.equal((await contentRow(video.contentId)).status, 'FAILED');
    assert.equal(await platform.store.head(`sources/${jobId}`), null);
  });

  it('is given back by a worker that stops, with nothing left behind, and finished by the next', async () => {
    const video = await upload(clip);
    const storing = Promise.withResolvers<void>();
    const jobId = await submit(video.contentId);
    onStore = async () => {
      if ((await jobRow(jobId)).status === 'TRANSCODING') storing.resolve(); // and not a job of an earlier test
      await sleep(300);
    };
    await storing.promise;
    await platform.jobs.stop({ graceMs: 10_000 });
    assert.equal((await jobRow(jobId)).status, 'QUEUED');
    assert.deepEqual(await keys(`media/${video.contentId}/`), []);
    onStore = async () => {};
    const next = { ...platform, jobs: openJobs({ url: platform.test.url, db: platform.db, log: platform.log, worker: true }) };
    const nextAssets = registerAssets(next, dependencies());
    await next.jobs.start();
    try {
      await nextAssets.startWork({ runner, toneMapping: true });
      assert.equal((await assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
      assert.equal((await jobRow(jobId)).attempts, 2);
    } finally {
      await next.jobs.stop({ graceMs: 10_000 });
      await nextAssets.close();
    }
  });

  async function makeClip(): Promise<Buffer> {
    const folder = join(platform.config.DATA_DIR, 'clip');
    await runner.prepareWorkDir(folder);
    const limits = { cpuSeconds: 30, memoryBytes: 4 * 1024 ** 3, outputBytes: 32 * 1024 ** 2, wallMs: 60_000 };
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
    await runner.run('ffmpeg', [...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac', 'clip.mp4'], {
      cwd: folder,
      limits,
    });
    return readFile(join(folder, 'clip.mp4'));
  }

  async function upload(bytes: Buffer): Promise<{ contentId: ContentId; channelId: string; assetId: VideoAssetId }> {
    const { contentId, channelId } = await makeContent(platform);
    const assetId = newId<'video-asset'>();
    const sourceKey = `sources/${assetId}`;
    await platform.store.put(sourceKey, bytes, { contentType: 'application/octet-stream' });
    const asset = {
      id: assetId,
      channelId,
      contentId,
      ingestionId: null,
      hint: 'LANDSCAPE_VIDEO',
      filename: 'a.mp4',
      sourceKey,
      sizeBytes: bytes.length,
    };
    await insertVideoAsset(platform.db, asset, new Date().toISOString());
    return { contentId, channelId, assetId };
  }

  async function submit(contentId: ContentId): Promise<JobId> {
    return (await platform.db.transaction((tx) => startProcessing(tools(), tx, { contentId, layout: 'LANDSCAPE' }))).jobId;
  }

  function fetchInto({ contentId, channelId }: { contentId: ContentId; channelId: string }, url: string): Promise<JobId> {
    return platform.db.transaction((tx) =>
      startFetching(tools(), tx, { contentId, channelId, url, hint: 'LANDSCAPE_VIDEO', field: 'input.sourceUrl' }),
    );
  }

  interface AssetRow {
    mime_type: string;
    width: number;
    height: number;
    duration_ms: number;
    renditions: { path: string }[] | null;
    package_prefix: string | null;
    extras: Record<string, unknown> | null;
  }
  async function assetRow(id: string): Promise<AssetRow> {
    const row = await platform.db.first<AssetRow>(
      sql('asset_row', 'select mime_type, width, height, duration_ms, renditions, package_prefix, extras from video_assets where id = $1'),
      [id],
    );
    return row ?? assert.fail('no such video');
  }

  async function contentRow(id: string): Promise<{ status: string; duration_ms: number | null }> {
    const row = await platform.db.first<{ status: string; duration_ms: number | null }>(
      sql('content_row', 'select status, duration_ms from contents where id = $1'),
      [id],
    );
    return row ?? assert.fail('no such content');
  }

  const postersOf = (contentId: string) =>
    platform.db.run(sql('posters_of', 'select id from image_assets where content_id = $1'), [contentId]);

  async function jobRow(id: string): Promise<{ status: string; attempts: number; error_code: string | null; deployed: boolean }> {
    const row = await platform.db.first<{ status: string; attempts: number; error_code: string | null; deployed: boolean }>(
      sql('job_row', 'select status, attempts, error_code, deployed from transcode_jobs where id = $1'),
      [id],
    );
    return row ?? assert.fail('no such job');
  }

  async function eventsOf(contentId: string, jobId: string): Promise<string[]> {
    const rows = await platform.db.run<{ text: string }>(
      sql('events_of', `select concat_ws(' ', type, payload ->> 'status') as text from events where subject_id in ($1, $2) order by id`),
      [contentId, jobId],
    );
    return rows.map(({ text }) => text);
  }

  async function keys(prefix: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of platform.store.list(prefix)) found.push(key);
    return found;
  }

  async function eventually(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if (await holds()) return;
      await sleep(100);
    }
    assert.fail(otherwise);
  }
});

/** The disk store, calling `onStore` before each file of a package: how tests let something happen in the middle. */
function watchedStore(store: ObjectStore): ObjectStore {
  return {
    put: (key, body, options) => store.put(key, body, options),
    putFile: async (key, path, options) => {
      await onStore();
      return store.putFile(key, path, options);
    },
    head: (key) => store.head(key),
    read: (key, range) => store.read(key, range),
    withLocalFile: (key, use) => store.withLocalFile(key, use),
    delete: (key) => store.delete(key),
    deletePrefix: (prefix) => store.deletePrefix(prefix),
    list: (prefix) => store.list(prefix),
  };
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { addVideo, makeVideoFile, processUploadedVideo, uploadVideo } from '../../catalog/contents/videos.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { sourceDownloadOf } from '../../delivery/files/source-download.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { sourceAddress } from '../media-address.ts';
import { sweepObjects } from '../quota/sweep-objects.ts';
import { serveAssetRoutes } from '../testing.ts';
import { dropOriginal } from './originals.store.ts';

const KEEP =
  'mutation ($id: DID!, $input: UpdateChannelInput!) { updateChannel(id: $id, input: $input) { channel ' +
  '{ keepOriginals } } }';
const STORAGE = '{ channelDashboard(input: {}) { storage { usedBytes derivedBytes totalBytes } } }';
const VIDEO = `query ($id: DID!) { content(id: $id) {
  assets { videos { edges { node { url sizeBytes playlistUrl } } } } outputAssets { video { hls download } } } }`;
const SUBMIT = 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }';
const AGAIN = 'mutation ($id: DID!) { submitContentForProcessing(id: $id, input: { again: true }) { content { id } } }';
const POSTER = 'mutation ($id: DID!) { setContentThumbnail(id: $id, input: { timeMs: 500 }) { content { id } } }';
const DAY_MS = 86_400_000;

describe('original files', () => {
  let api: TestCatalog;
  let keeper: Person;
  let dropper: Person;
  let clip: Buffer;
  /** A processed video of each. */
  let kept: string;
  let dropped: string;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    const runner = await openTestRunner();
    await api.domains.media.startWork();
    await api.domains.media.startMediaWork({ runner, toneMapping: true });
    await api.platform.events.start();
    [keeper, dropper] = [await api.person('keeper'), await api.person('dropper')];
    await api.ok(dropper, KEEP, { id: dropper.channel, input: { keepOriginals: false } });
    const args = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    clip = await makeVideoFile(runner, api, 'a.mp4', args);
    kept = await uploadVideo(api, keeper, clip);
    dropped = await uploadVideo(api, dropper, clip);
    await processUploadedVideo(api, keeper, kept);
    await processUploadedVideo(api, dropper, dropped);
    await until(async () => (await deletions()).length > 0, 'the original was not deleted', 10_000);
  });
  after(async () => {
    await api.platform.events.stop();
    await api.platform.jobs.stop({ graceMs: 10_000 });
    await api.domains.media.close();
    await api.close();
  });

  /** Calls of tests started jobs, which change rows. */
  const jobsEnd = () =>
    until(
      async () =>
        (await api.rows("select 1 from pgboss.job where state in ('created', 'retry', 'active')")).length === 0,
      'jobs do not end',
    );
  const deletions = () =>
    api.rows<{ subject: string; payload: object }>(
      "select subject_id as subject, payload from events where type = 'asset.original_deleted'",
    );
  const videoOf = (content: string) =>
    api.row<{ id: string; sourceKey: string }>(
      'select id, source_key as "sourceKey" from video_assets where content_id = $1 order by created_at limit 1',
      [uuidOf(content)],
    );
  const described = async (who: Person, content: string) => {
    const { assets, outputAssets } = (await api.ok(who, VIDEO, { id: content })).content;
    return { ...assets.videos.edges[0].node, ...outputAssets.video };
  };
  const storageOf = async (who: Person) => (await api.ok(who, STORAGE)).channelDashboard.storage;
  const imageBytes = async (who: Person) =>
    (
      await api.row<{ bytes: number }>(
        'select coalesce(sum(image_bytes(variants)), 0)::bigint as bytes from image_assets where channel_id = $1',
        [who.channelId],
      )
    ).bytes;

  it('are kept by default', async () => {
    assert.equal(
      (await api.ok(keeper, 'query ($id: DID!) { channel(id: $id) { keepOriginals } }', { id: keeper.channel })).channel
        .keepOriginals,
      true,
    );
    const { sourceKey } = await videoOf(kept);
    assert.equal((await api.platform.store.head(sourceKey))?.sizeBytes, clip.length);
    assert.ok((await described(keeper, kept)).url);
    assert.equal((await storageOf(keeper)).usedBytes, clip.length + (await imageBytes(keeper)));
  });

  it('do not count as storage once they were deleted after processing, with an event; the video plays on', async () => {
    const { id } = await videoOf(dropped);
    assert.deepEqual(await deletions(), [
      { subject: uuidOf(dropped), payload: { videoAssetId: id, sizeBytes: clip.length } },
    ]);
    assert.equal((await storageOf(dropper)).usedBytes, await imageBytes(dropper));
    const video = await described(dropper, dropped);
    assert.deepEqual([video.url, video.sizeBytes], [null, clip.length]);
    assert.ok(video.playlistUrl && video.hls && video.download);
  });

  it('stay in the object store for a day, for players and jobs that use them', async () => {
    const { sourceKey, id } = await videoOf(dropped);
    const { db, log, store, receiving, secrets } = api.platform;
    const sweep = (afterMs: number) =>
      sweepObjects({ platform: { db, log, store, clock: new ManualClock(api.clock.now() + afterMs) }, receiving });
    await sweep(DAY_MS - 60_000);
    assert.ok(await store.head(sourceKey));
    await sweep(DAY_MS + 60_000);
    assert.equal(await store.head(sourceKey), null);
    assert.ok(await store.head((await videoOf(kept)).sourceKey));
    const { problems } = await verifyMedia(api.platform, { repair: false, graceMs: 0 });
    assert.deepEqual(problems, []);

    const server = await serveAssetRoutes(mediaRoutes(api.platform));
    const address = sourceAddress({ baseUrl: server.address, secrets, nowMs: api.clock.now() }, id, 'a.mp4');
    const response = await fetch(address);
    const { errors } = (await response.json()) as { errors: { code: string; message: string }[] };
    await server.close();
    assert.deepEqual(
      [response.status, errors[0]?.code, errors[0]?.message],
      [404, 'RESOURCE_NOT_FOUND', 'The original file of this video is not stored any more.'],
    );
  });

  it('are replaced by the best quality where a video is published elsewhere', async () => {
    const own = await sourceDownloadOf(api.platform, uuidOf(kept), 'id');
    assert.equal(own?.objectKey, (await videoOf(kept)).sourceKey);
    const made = await sourceDownloadOf(api.platform, uuidOf(dropped), 'id');
    assert.match(made?.objectKey ?? '', /downloads\/video\.mp4\.index$/);
    const { id } = await videoOf(dropped);
    const { extras } = await api.row<{ extras: object }>('select extras from video_assets where id = $1', [id]);
    await api.rows('update video_assets set extras = extras || \'{"videoDownload":null}\' where id = $1', [id]);
    await assert.rejects(
      sourceDownloadOf(api.platform, uuidOf(dropped), 'id'),
      (error) =>
        error instanceof AppError &&
        error.code === 'INVALID_INPUT' &&
        error.field === 'id' &&
        /original file of this video was deleted/.test(error.message),
    );
    await api.rows('update video_assets set extras = $2 where id = $1', [id, JSON.stringify(extras)]);
  });

  it('are required for a poster from the video, with the fix; a refused call changes nothing', async () => {
    await jobsEnd();
    const changed = await tablesChanged(api.platform.db, async () => {
      const refused = await api.refused(dropper, POSTER, { id: dropped });
      assert.deepEqual(
        [refused.code, refused.field, refused.message],
        ['INVALID_INPUT', 'input.timeMs', 'The original file of this video was deleted after it was processed.'],
      );
      assert.equal(
        refused.suggestedFix,
        'Upload the video again. To keep originals from now on, call updateChannel with keepOriginals: true first.',
      );
    });
    assert.deepEqual(changed, []);
    await api.ok(keeper, POSTER, { id: kept });
  });

  it('are required for processing a video again', THOROUGH, async () => {
    assert.ok((await api.ok(dropper, SUBMIT, { id: dropped })).submitContentForProcessing, 'done is done');
    // A later upload was cancelled, so that the earlier video is the newest one.
    await api.rows(
      `insert into transcode_jobs (id, channel_id, content_id, status, created_at)
       values ($1, $2, $3, 'CANCELLED', now() + interval '1 hour')`,
      [newId(), dropper.channelId, uuidOf(dropped)],
    );
    await jobsEnd();
    const changed = await tablesChanged(api.platform.db, async () => {
      const refused = await api.refused(dropper, SUBMIT, { id: dropped });
      assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'id']);
      assert.match(refused.message, /original file of this video was deleted/);
      assert.deepEqual(await api.refused(dropper, AGAIN, { id: dropped }), refused);
    });
    assert.deepEqual(changed, []);
    await api.rows("delete from transcode_jobs where status = 'CANCELLED'");
    // Another file can be uploaded and processed.
    await addVideo(api, dropper, dropped, clip);
    await processUploadedVideo(api, dropper, dropped);
  });

  describe('are not deleted', () => {
    const drop = async (content: string) =>
      dropOriginal(api.platform.db, (await videoOf(content)).id, new Date().toISOString());
    async function video(owner: Person, folder: string | null, statuses: readonly string[]): Promise<string> {
      const content = await api.content(owner);
      const id = await addVideo(api, owner, content, clip);
      await api.rows('update video_assets set package_prefix = $2 where id = $1', [
        id,
        folder && `media/${uuidOf(content)}/${id}/${folder}/`,
      ]);
      for (const status of statuses)
        await api.rows(
          'insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status) values ($1, $2, $3, $4, $5)',
          [newId(), owner.channelId, uuidOf(content), id, status],
        );
      return content;
    }

    for (const [name, folder, statuses] of [
      ['while segments are cut from them', 'copy-1', ['COMPLETE']],
      ['before there is a package', null, ['COMPLETE']],
      ['before processing is complete', '012345678901-1', ['TRANSCODING']],
      ['while another job of the video is queued', '012345678901-1', ['COMPLETE', 'QUEUED']],
      ['while a job of the video is being cancelled', '012345678901-1', ['COMPLETE', 'CANCELLING']],
      ['after processing failed', '012345678901-1', ['ERROR']],
    ] as const)
      it(name, async () => {
        assert.equal(await drop(await video(dropper, folder, statuses)), null);
      });

    it('where the channel keeps them, and only once elsewhere', async () => {
      assert.equal(await drop(await video(keeper, '012345678901-1', ['COMPLETE'])), null);
      const content = await video(dropper, '012345678901-1', ['ERROR', 'COMPLETE']);
      assert.deepEqual(await drop(content), {
        channelId: dropper.channelId,
        sourceKey: (await videoOf(content)).sourceKey,
        sizeBytes: clip.length,
      });
      assert.equal(await drop(content), null);
    });
  });
});

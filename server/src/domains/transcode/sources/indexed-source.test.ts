import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Runner } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { startUpmix } from '../../enhance/upmix/order-upmix.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { startProcessing } from '../jobs/start-processing.ts';
import { claimSegment } from '../plans/encode-chunks.store.ts';

const MINUTE_MS = 60_000;

describe('a video that is encoded from a copy with an index', () => {
  let fixture: TestProcessing;
  let avi: Buffer;
  before(async () => {
    // Without a worker: tests run each job themselves.
    fixture = await openTestProcessing({ work: false, instant: true });
    avi = await readClip(fixture.runner, 'a.avi', [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=20', '-f', 'lavfi', '-i', 'sine=d=20'],
      ...['-c:v', 'mpeg4', '-bf', '2', '-g', '40', '-c:a', 'mp3'],
    ]);
  });
  after(() => fixture.close());

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  async function submitted(bytes = avi) {
    const video = await fixture.upload(bytes);
    const jobId = await fixture.submit(video.contentId);
    return { ...video, jobId, copy: copyOf(video, jobId) };
  }
  const copyOf = (video: { contentId: string; assetId: string }, jobId: string) =>
    `media/${video.contentId}/${video.assetId}/${jobId.slice(-12)}-1/index/source`;
  const planned = async (jobId: string) => {
    const [row] = await rows<{ key: string | null; demuxer: string; chunks: number }>(
      `select remuxed_key as key, plan -> 'facts' ->> 'demuxer' as demuxer,
         (select count(*)::int from encode_chunks c where c.job_id = p.job_id and kind = 'video') as chunks
       from encode_plans p where job_id = $1`,
      [jobId],
    );
    return row ?? assert.fail('there is no plan');
  };
  const purges = async (key: string) =>
    (await rows('select key_prefix from object_purges where key_prefix = $1', [key])).length;
  const exists = async (key: string) => (await fixture.platform.store.head(key)) !== null;
  /** What a run of ffmpeg that copies to such a file does first. */
  const whileCopied = (act: () => Promise<unknown>): Runner => ({
    ...fixture.runner,
    async run(tool, args, options) {
      if (args.includes('+bitexact')) await act();
      return fixture.runner.run(tool, args, options);
    },
  });

  it(
    'is encoded in chunks, and its segments for viewers by themselves; then the copy is deleted',
    THOROUGH,
    async () => {
      const video = await submitted();
      await fixture.process(video.jobId, fixture.platform, 'plan');
      assert.deepEqual(await planned(video.jobId), { key: video.copy, demuxer: 'matroska', chunks: 3 });
      assert.equal(await purges(video.copy), 0);
      const segment = await claimSegment(fixture.platform.db);
      assert.deepEqual([segment?.jobId, segment?.sourceKey, segment?.number], [video.jobId, video.copy, 0]);

      await fixture.process(video.jobId);
      const asset = await fixture.assetRow(video.assetId);
      // AVI counts a frame more where pictures are reordered.
      assert.ok(Math.abs(asset.duration_ms - 20_100) < 20, `${asset.duration_ms} ms`);
      assert.equal(asset.mime_type, 'video/x-msvideo');
      assert.equal(await exists(video.copy), true, 'until it is swept');
      assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
      const { platform } = fixture;
      const clock = new ManualClock(Date.now() + MINUTE_MS);
      await sweepObjects({ platform: { ...platform, clock }, receiving: platform.receiving });
      assert.deepEqual([await exists(video.copy), await purges(video.copy)], [false, 0]);
      assert.deepEqual((await verifyMedia(platform, { repair: false, graceMs: 0 })).problems, []);
    },
  );

  it('is copied to the same bytes when it is processed again, so that nothing is encoded', THOROUGH, async () => {
    const video = await submitted();
    await fixture.process(video.jobId);
    const { jobId } = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    let encoded = 0;
    await fixture.process(jobId, fixture.platform, 'end', {
      ...fixture.runner,
      async run(tool, args, options) {
        encoded += args.includes('-progress') ? 1 : 0;
        return fixture.runner.run(tool, args, options);
      },
    });
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
    assert.equal(encoded, 0);
  });

  it('is encoded in other codecs from another copy', THOROUGH, async () => {
    const large = await readClip(fixture.runner, 'large.avi', [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=640x480:r=5:d=2', '-f', 'lavfi', '-i', 'sine=d=2'],
      ...['-c:v', 'mpeg4', '-c:a', 'mp3'],
    ]);
    const video = await submitted(large);
    await rows('update channels set encode_av1 = true where id = $1', [video.channelId]);
    await fixture.process(video.jobId);
    const [job] = await rows<{ id: string }>(
      'select id from transcode_jobs where video_asset_id = $1 and codec is not null',
      [video.assetId],
    );
    assert.ok(job);
    await fixture.process(job.id, fixture.platform, 'plan');
    const copy = copyOf(video, job.id);
    assert.deepEqual([(await planned(job.id)).key, await exists(copy), await purges(copy)], [copy, true, 0]);
    await fixture.process(job.id);
    assert.equal((await fixture.jobRow(job.id)).status, 'COMPLETE');
    const { renditions } = await fixture.assetRow(video.assetId);
    assert.ok(renditions.includes(`${job.id.slice(-12)}-1/v480`), renditions.join());
    assert.equal(await purges(copy), 1);
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });

  it('is upmixed from another copy', THOROUGH, async () => {
    const video = await submitted();
    await fixture.process(video.jobId);
    const upmixed = { contentId: video.contentId as ContentId, layout: null, again: false, field: 'id' };
    const jobId = await fixture.platform.db.transaction((tx) => startUpmix(fixture.tools(), tx, upmixed));
    await fixture.process(jobId, fixture.platform, 'plan');
    const copy = copyOf(video, jobId);
    assert.deepEqual([(await planned(jobId)).key, await exists(copy), await purges(copy)], [copy, true, 0]);
    await fixture.process(jobId);
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
    const { renditions } = await fixture.assetRow(video.assetId);
    assert.ok(renditions.includes(`${jobId.slice(-12)}-1/audio-5.1`), renditions.join());
    assert.equal(await purges(copy), 1);
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });

  it('is encoded as a whole where the quota has no space for a copy', async () => {
    const video = await submitted();
    const full = await fixture.upload(fixture.clip);
    // 35 MB are left: enough for the package, 34.1 MB, not for a copy of up to 1.9 MB beside it.
    await rows(
      `update video_assets set content_id = $2, channel_id = $3, derived_bytes = 30 * 1024::bigint ^ 3 - 35000000
       where id = $1`,
      [full.assetId, video.contentId, video.channelId],
    );
    await fixture.process(video.jobId, fixture.platform, 'plan');
    assert.deepEqual(await planned(video.jobId), { key: null, demuxer: 'avi', chunks: 1 });
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    await rows('delete from video_assets where id = $1', [full.assetId]);
  });

  it('leaves nothing where its job is cancelled meanwhile', async () => {
    const video = await submitted();
    const cancel = () => rows("update transcode_jobs set status = 'CANCELLING' where id = $1", [video.jobId]);
    await fixture.process(video.jobId, fixture.platform, 'plan', whileCopied(cancel));
    assert.equal((await fixture.jobRow(video.jobId)).status, 'CANCELLED');
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
  });

  it('is copied by the next worker where the first one was killed', THOROUGH, async () => {
    const video = await submitted();
    fixture.onStore = async () => {
      await rows("update transcode_jobs set status = 'QUEUED', attempts = 2 where id = $1", [video.jobId]);
    };
    await assert.rejects(fixture.process(video.jobId, fixture.platform, 'plan'));
    fixture.onStore = async () => {};
    assert.equal(await purges(video.copy), 1, 'what it copied is deleted later');
    await fixture.process(video.jobId, fixture.platform, 'plan');
    assert.equal((await planned(video.jobId)).key, video.copy.replace('-1/index', '-3/index'));
    assert.equal(await exists(video.copy), false);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { inputArg, type Runner } from '../../../media/index.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';

const LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 16 * 1024 ** 2, wallMs: 20_000 };
const DAY_MS = 86_400_000;
/** 20 seconds with a keyframe every three, so that there are several chunks. */
const LONG = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=20', '-f', 'lavfi', '-i', 'sine=d=20'];
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-g', '30', '-c:a', 'aac'];
/** Of all groups but the last, in ticks of 90 kHz: they begin 23 ms after the sound, and keep their times. */
const CUTS = [0, 272_070, 542_070, 812_070, 1_082_070, 1_352_070];

describe('an uploaded file whose streams are copied to MP4', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let folder: string;
  let matroska: Buffer;
  let transportStream: Buffer;
  before(async () => {
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-remuxed-'));
    const clip = join(folder, 'clip.mp4');
    await writeFile(clip, fixture.clip);
    matroska = await makeFile('a.mkv', ['-i', inputArg(0), '-c', 'copy'], [clip]);
    transportStream = await makeFile('a.ts', [...LONG, ...H264]);
  });
  after(async () => {
    await server.close();
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  async function makeFile(name: string, args: readonly string[], inputs: readonly string[] = []): Promise<Buffer> {
    const workDir = join(folder, `made-${name}`);
    await fixture.runner.prepareWorkDir(workDir);
    await fixture.runner.run('ffmpeg', [...args, name], { cwd: workDir, limits: LIMITS, inputs });
    return readFile(join(workDir, name));
  }
  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  async function submitted(bytes: Buffer) {
    const video = await fixture.upload(bytes);
    const prefix = `media/${video.contentId}/${video.assetId}/copy-1/`;
    return { ...video, jobId: await fixture.submit(video.contentId), prefix, copy: `${prefix}index/remuxed.mp4` };
  }
  const plan = (jobId: string, runner: Runner = fixture.runner) =>
    fixture.process(jobId, fixture.platform, 'plan', runner);
  const fetchMedia = (key: string) => {
    const { secrets, clock } = fixture.platform;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false));
  };
  async function bytesOf(key: string): Promise<Buffer> {
    const response = await fetchMedia(key);
    assert.equal(response.status, 200, key);
    return Buffer.from(await response.arrayBuffer());
  }

  it('is playable before it is encoded, from the copy in its package', async () => {
    const video = await submitted(matroska);
    await plan(video.jobId);
    const { prefix, copy } = video;
    const asset = await fixture.assetRow(video.assetId);
    assert.deepEqual(
      [asset.package_prefix, asset.mime_type, asset.width, asset.height, asset.renditions],
      [prefix, 'video/x-matroska', 160, 90, ['copy-1/video', 'copy-1/audio']],
    );
    assert.equal((await fixture.contentRow(video.contentId)).status, 'READY');
    assert.deepEqual(await fixture.eventsOf(video.contentId, video.jobId), ['job.updated QUEUED', 'asset.playable']);
    for (const track of ['video', 'audio']) {
      const path = join(folder, `${track}.mp4`);
      const parts = await Promise.all(['init.mp4', '1.m4s'].map((name) => bytesOf(`${prefix}${track}/${name}`)));
      await writeFile(path, Buffer.concat(parts));
      const args = ['-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames', '-of', 'csv=p=0'];
      const { stdout } = await fixture.runner.run('ffprobe', [...args, '-i', inputArg(0)], {
        ...{ limits: LIMITS, inputs: [path] },
      });
      assert.match(stdout, track === 'video' ? /^h264,25/ : /^aac,4[4-9]/);
    }
    assert.equal((await fetch(`${server.address}/media/${copy.slice('media/'.length)}`)).status, 404, 'the copy');
    assert.deepEqual(await rows('select 1 from object_purges where key_prefix = $1', [prefix]), []);
  });

  it('counts the copy as derived, and verify-media knows it', async () => {
    const video = await submitted(matroska);
    await plan(video.jobId);
    await rows("update transcode_jobs set status = 'ERROR' where id = $1", [video.jobId]);
    const { store } = fixture.platform;
    let [bytes, files] = [0, 0];
    for await (const { sizeBytes } of store.list(video.prefix)) [bytes, files] = [bytes + sizeBytes, files + 1];
    const [row] = await rows('select derived_bytes as bytes, derived_files as files from video_assets where id = $1', [
      video.assetId,
    ]);
    assert.deepEqual(row, { bytes, files });
    assert.ok(bytes > matroska.length / 2 && files === 6);
    const found = async () => {
      const { problems } = await verifyMedia(fixture.platform, { repair: false, graceMs: 0 });
      return problems.filter(({ key }) => key.startsWith(video.prefix)).map(({ kind, key }) => [kind, key]);
    };
    assert.deepEqual(await found(), []);
    await store.put(video.copy, Buffer.alloc((await store.head(video.copy))?.sizeBytes ?? 0), {
      contentType: 'video/mp4',
    });
    assert.deepEqual(await found(), [['CHANGED_SOURCE', video.copy]]);
    await store.delete(video.copy);
    assert.deepEqual(await found(), [['MISSING_OBJECT', video.copy]]);
    await rows('delete from video_assets where id = $1', [video.assetId]);
  });

  it(
    'is encoded in chunks where it has no index, cut at the keyframes of the copy; that is deleted',
    THOROUGH,
    async () => {
      const video = await submitted(transportStream);
      await fixture.process(video.jobId, fixture.platform, 'plan');
      const chunks = await rows<{ kind: string }>('select kind from encode_chunks where job_id = $1', [video.jobId]);
      assert.ok(chunks.filter(({ kind }) => kind === 'video').length >= 3, JSON.stringify(chunks));
      const [planned] = await rows<{ key: string; cuts: number[]; mime: string }>(
        `select remuxed_key as key, plan -> 'timeline' -> 'cuts' as cuts, mime_type as mime
       from encode_plans where job_id = $1`,
        [video.jobId],
      );
      const indexed = `media/${video.contentId}/${video.assetId}/${video.jobId.slice(-12)}-1/index/source`;
      assert.deepEqual([planned?.key, planned?.mime], [indexed, 'video/mp2t']);
      assert.deepEqual(planned?.cuts, CUTS);
      await fixture.process(video.jobId);
      assert.equal((await fixture.jobRow(video.jobId)).status, 'COMPLETE');
      const { package_prefix: encoded, duration_ms: durationMs } = await fixture.assetRow(video.assetId);
      assert.doesNotMatch(encoded ?? '', /copy-1/);
      assert.ok(Math.abs(durationMs - 20_000) < 100, `${durationMs} ms`);
      assert.ok(await fixture.platform.store.head(video.copy), 'viewers may still play it');
      const later = new ManualClock(Date.now() + 2 * DAY_MS);
      await sweepObjects({
        platform: { ...fixture.platform, clock: later },
        receiving: fixture.platform.receiving,
      });
      assert.equal(await fixture.platform.store.head(video.copy), null);
      assert.deepEqual(await rows('select 1 from encode_plans where job_id = $1', [video.jobId]), []);
    },
  );

  it('is encoded from the uploaded file where that has an index, cut at the same keyframes', THOROUGH, async () => {
    const video = await submitted(await makeFile('long.mkv', [...LONG, ...H264]));
    await plan(video.jobId);
    const planned = await rows(
      `select remuxed_key as key, plan -> 'timeline' -> 'cuts' as cuts, plan -> 'facts' ->> 'demuxer' as demuxer
       from encode_plans where job_id = $1`,
      [video.jobId],
    );
    assert.deepEqual(planned, [{ key: null, cuts: CUTS, demuxer: 'matroska' }]);
  });

  it('is copied once, however often its processing begins', THOROUGH, async () => {
    const video = await submitted(transportStream);
    await plan(video.jobId);
    const before = await fixture.platform.store.head(video.copy);
    await rows('delete from encode_plans where job_id = $1', [video.jobId]);
    await rows("update transcode_jobs set status = 'QUEUED' where id = $1", [video.jobId]);
    await plan(video.jobId);
    assert.deepEqual(await fixture.platform.store.head(video.copy), before);
  });

  it('is only encoded where the quota has no space for the copy, too', async () => {
    const video = await submitted(matroska);
    const full = await fixture.upload(fixture.clip);
    // 34 MB are left: enough for the package, at most 33.6 MB, not for a copy of up to 1.1 MB beside it.
    await rows(
      `update video_assets set content_id = $2, channel_id = $3, derived_bytes = 30 * 1024::bigint ^ 3 - 34000000
       where id = $1`,
      [full.assetId, video.contentId, video.channelId],
    );
    await plan(video.jobId);
    assert.equal((await fixture.assetRow(video.assetId)).package_prefix, null);
    assert.deepEqual(await fixture.keys(video.prefix), []);
    assert.equal((await fixture.jobRow(video.jobId)).status, 'TRANSCODING');
    await rows('delete from video_assets where id = $1', [full.assetId]);
  });

  it('leaves nothing where its job is cancelled meanwhile', async () => {
    const video = await submitted(matroska);
    const cancelling: Runner = {
      ...fixture.runner,
      async run(tool, args, options) {
        if (args.includes('-copyts'))
          await rows("update transcode_jobs set status = 'CANCELLING' where id = $1", [video.jobId]);
        return fixture.runner.run(tool, args, options);
      },
    };
    await plan(video.jobId, cancelling);
    assert.equal((await fixture.jobRow(video.jobId)).status, 'CANCELLED');
    assert.equal((await fixture.assetRow(video.assetId)).package_prefix, null);
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
  });

  it('is only encoded where pictures are damaged', THOROUGH, async () => {
    const bytes = Buffer.from(matroska);
    bytes.fill(0x55, 2_000, 6_000);
    const video = await submitted(bytes);
    await plan(video.jobId);
    assert.equal((await fixture.assetRow(video.assetId)).package_prefix, null);
    assert.deepEqual(await fixture.keys(video.prefix), []);
  });
});

import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { readClip, STAGES } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { downloadAddress, mediaAddress } from '../../assets/media-address.ts';
import { dropOriginal } from '../../assets/originals/originals.store.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { encodeClaimedChunk } from '../encoding/encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { claimSegment } from '../plans/encode-chunks.store.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { noteFetch } from './cold-renditions.store.ts';
import { evictCold } from './evict-cold.ts';
import { endIdleRebuilds } from './rebuild.ts';

const DAY_MS = 86_400_000;
const RUN = { signal: new AbortController().signal, attempt: 1, background: false };

describe('sizes of a video that nobody watches', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let sources: LocalSources;
  let video: Awaited<ReturnType<TestProcessing['upload']>>;
  /** Key prefixes of the manifests, of the package, and of what is encoded on demand. */
  let prefixes: { manifests: string; package: string; onDemand: string };
  let segments: Map<string, Buffer>;
  let stored: object | undefined;
  let nowMs = Date.now();
  before(async () => {
    // Without a worker: tests encode what is wanted themselves.
    fixture = await openTestProcessing({ work: false });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    sources = new LocalSources(fixture.platform.store);
    const inputs = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=640x64:r=5:d=12,noise=alls=60:allf=t',
      '-f',
      'lavfi',
      '-i',
      'sine=d=12',
    ];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];
    video = await fixture.upload(await readClip(fixture.runner, 'cold.mp4', [...inputs, ...codecs]));
    const jobId = await fixture.submit(video.contentId);
    await fixture.process(jobId);
    const manifests = `media/${video.contentId}/${video.assetId}/`;
    const name = `${jobId.slice(-12)}-1`;
    prefixes = { manifests, package: `${manifests}${name}/`, onDemand: `${manifests}${name}-on-demand/` };
    segments = await segmentsOf(`${prefixes.package}v360/`);
    assert.equal(segments.size, 3);
    [stored] = await derived();
  });
  after(async () => {
    sources.close();
    await server.close();
    await fixture.close();
  });
  beforeEach(() => {
    // Nobody has watched it since the last test.
    nowMs += 100 * DAY_MS;
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  const derived = () =>
    rows('select derived_bytes as bytes, derived_files as files from video_assets where id = $1', [video.assetId]);
  const states = async () =>
    (
      await rows<{ state: string }>(
        `select split_part(folder, '/', 2) || ' ' || state as state from renditions where video_asset_id = $1
         order by position`,
        [video.assetId],
      )
    ).map(({ state }) => state);
  const STORED = ['v360 STORED', 'v240 STORED', 'audio STORED'];
  const EVICTED = ['v360 EVICTED', ...STORED.slice(1)];
  const problems = async () => (await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems;
  const at = (days = 0) => ({
    ...fixture.platform,
    config: { ...fixture.platform.config, COLD_RENDITIONS_AFTER: 90 },
    clock: new ManualClock(nowMs + days * DAY_MS),
  });
  const evict = (options: object = {}) => evictCold({ platform: at(), ...options });
  const sweep = (days = 2) => sweepObjects({ platform: at(days), receiving: fixture.platform.receiving });
  const addressing = () => {
    const { secrets, clock } = fixture.platform;
    return { baseUrl: server.address, secrets, nowMs: clock.now() };
  };
  const fetchMedia = (key: string) => fetch(mediaAddress(addressing(), key, false));
  const textOf = async (key: string) => (await fetchMedia(key)).text();
  async function segmentsOf(prefix: string): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (const key of await fixture.keys(prefix)) {
      const object = key.endsWith('.m4s') ? await fixture.platform.store.read(key) : null;
      if (object) found.set(key.slice(prefix.length), await buffer(object.stream));
    }
    return found;
  }
  /** Encodes a segment that is waited for; false where there is none. */
  async function encodeNext(stages = STAGES): Promise<boolean> {
    const next = await claimSegment(fixture.platform.db);
    const tools = { platform: fixture.platform, runner: fixture.runner, sources, stages };
    if (next) await encodeClaimedChunk(tools, next, RUN);
    return next !== null;
  }
  async function watch(segment: number, stages = STAGES): Promise<Response> {
    const response = fetchMedia(`${prefixes.onDemand}v360/seg-0000${segment}.m4s`);
    await fixture.eventually(() => encodeNext(stages), 'the segment is not wanted');
    return response;
  }
  const hidden = () =>
    rows<{ id: string }>(`select id from transcode_jobs where purpose = 'RENDITIONS' and status = 'TRANSCODING'`);
  /** Evicts what is cold, and has its segments deleted. */
  async function evictAndDelete(): Promise<void> {
    assert.equal(await evict(), 1);
    await sweep();
    assert.deepEqual(await states(), EVICTED);
    assert.deepEqual(await segmentsOf(`${prefixes.package}v360/`), new Map());
  }

  it('stay where somebody fetched a segment or a download, which is noted once a day', async () => {
    const noted = () =>
      rows('select fetched_on::text as day, xmin::text as version from video_fetches where video_asset_id = $1', [
        video.assetId,
      ]);
    assert.equal((await fetchMedia(`${prefixes.package}v240/seg-00000.m4s`)).status, 200);
    await fixture.eventually(async () => (await noted()).length === 1, 'the request was not noted');
    const first = await noted();
    assert.equal((await fetchMedia(`${prefixes.package}v240/seg-00001.m4s`)).status, 200);
    assert.deepEqual(await noted(), first);
    await noteFetch(fixture.platform.db, video.assetId, new Date(nowMs - 89 * DAY_MS).toISOString());
    assert.equal(await evict(), 0);
    await noteFetch(fixture.platform.db, video.assetId, new Date(nowMs - 95 * DAY_MS).toISOString());
    assert.equal(await evict(), 0, 'an earlier day changes nothing');
  });

  it('stay where they cannot be encoded again with the same bytes', async () => {
    assert.equal(await evictCold({ platform: { ...at(), config: fixture.platform.config } }), 0, 'without the setting');
    const newer = STAGES.map((stage) => (stage.id === 'scale' ? { ...stage, version: 99 } : stage));
    assert.equal(await evict({ stages: newer }), 0);
    await rows('update video_assets set original_deleted_at = now() where id = $1', [video.assetId]);
    assert.equal(await evict(), 0);
    await rows('update video_assets set original_deleted_at = null where id = $1', [video.assetId]);
    await rows(`update encoded_videos set source_tag = 'other' where video_asset_id = $1`, [video.assetId]);
    const [{ tag } = { tag: '' }] = await rows<{ tag: string }>('select source_tag as tag from encoded_videos');
    assert.equal(tag, 'other');
    assert.equal(await evict(), 0);
    const head = await fixture.platform.store.head(video.sourceKey);
    await rows('update encoded_videos set source_tag = $2 where video_asset_id = $1', [
      video.assetId,
      `${head?.sizeBytes} ${head?.etag}`,
    ]);
    assert.deepEqual(await states(), STORED);
  });

  it('are evicted but for the smallest, and listed as sizes that are encoded on demand', async () => {
    assert.equal(await evict(), 1);
    assert.equal(await evict(), 0);
    assert.deepEqual(await states(), EVICTED);
    const [left] = await derived();
    const bytes = [...segments.values()].reduce((sum, segment) => sum + segment.length, 0);
    const all = stored as { bytes: number; files: number };
    assert.deepEqual(left, { bytes: all.bytes - bytes, files: all.files - 3 });
    assert.deepEqual(await problems(), []);
    const master = await textOf(`${prefixes.manifests}master.m3u8`);
    assert.match(master, /RESOLUTION=640x64.*\n[0-9a-f]{12}-1-on-demand\/v360\/index\.m3u8\n/);
    assert.match(master, /\n[0-9a-f]{12}-1\/v240\/index\.m3u8\n/);
    assert.match(master, /AVERAGE-BANDWIDTH=\d+,BANDWIDTH=\d+|BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+/);
    assert.doesNotMatch(master, /v360\/iframes/);
    assert.match(
      await textOf(`${prefixes.manifests}manifest.mpd`),
      /media="[0-9a-f]{12}-1-on-demand\/v360\/seg-\$Number%05d\$\.m4s"/,
    );
    assert.match(await textOf(`${prefixes.onDemand}v360/index.m3u8`), /seg-00002\.m4s\n#EXT-X-ENDLIST/);
    assert.equal((await fetchMedia(`${prefixes.onDemand}v360/init.mp4`)).status, 200);
    await rows('update channels set keep_originals = false');
    assert.equal(await dropOriginal(fixture.platform.db, video.assetId, new Date().toISOString()), null);
    await rows('update channels set keep_originals = true');
  });

  it('are back at once where somebody watches them within a day', async () => {
    const response = await fetchMedia(`${prefixes.onDemand}v360/seg-00001.m4s`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), segments.get('seg-00001.m4s'));
    assert.deepEqual([await states(), await derived()], [STORED, [stored]]);
    await sweep();
    assert.deepEqual(await segmentsOf(`${prefixes.package}v360/`), segments);
    assert.deepEqual([await hidden(), await problems()], [[], []]);
  });

  it('are encoded segment by segment for viewers, then as a whole, with the same bytes', THOROUGH, async () => {
    await evictAndDelete();
    assert.deepEqual(await problems(), []);
    const first = await watch(2);
    assert.equal(first.status, 200);
    const bytes = Buffer.from(await first.arrayBuffer());
    assert.ok(bytes.length > 500);
    const again = await fetchMedia(`${prefixes.onDemand}v360/seg-00002.m4s`);
    assert.deepEqual(Buffer.from(await again.arrayBuffer()), bytes, 'it is kept');
    assert.deepEqual(await problems(), []);
    const [job] = await hidden();
    assert.ok(job);
    const ordered = () => rows(`select 1 from encode_chunks where job_id = $1 and kind = 'video'`, [job.id]);
    assert.deepEqual(await ordered(), []);
    assert.equal((await watch(0)).status, 200);
    assert.equal((await ordered()).length, 2, 'half of it was watched');

    await fixture.process(job.id);
    assert.deepEqual(await segmentsOf(`${prefixes.package}v360/`), segments);
    assert.deepEqual([await states(), await derived(), await hidden()], [STORED, [stored], []]);
    const last = await fetchMedia(`${prefixes.onDemand}v360/seg-00001.m4s`);
    assert.deepEqual(Buffer.from(await last.arrayBuffer()), segments.get('seg-00001.m4s'), 'for who began before');
    await sweep();
    assert.deepEqual([await fixture.keys(prefixes.onDemand), await problems()], [[], []]);
  });

  it('are encoded again for a download, which is refused until then', THOROUGH, async () => {
    await evictAndDelete();
    const download = () => fetch(downloadAddress(addressing(), video.assetId, 'video.mp4', 'SIGNED'));
    const refused = await download();
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /encoded again/);
    assert.ok(await encodeNext());
    const [job] = await hidden();
    await fixture.process(job?.id ?? '');
    assert.deepEqual(await states(), STORED);
    const response = await download();
    assert.equal(response.status, 200);
    assert.ok((await response.arrayBuffer()).byteLength > 1_000);
  });

  it('stay evicted where other bytes were encoded: the video is processed again', THOROUGH, async () => {
    await evictAndDelete();
    const outputs = await rows<{ folder: string; outputs: object }>(
      `select folder, outputs from rendition_outputs where folder like '%v360'`,
    );
    await rows(`update rendition_outputs set outputs = (
      select jsonb_agg(jsonb_set(output, '{part,segments,0,1}', '1')) from jsonb_array_elements(outputs) output
    ) where folder like '%v360'`);
    for (const segment of [0, 1]) assert.equal((await watch(segment)).status, 200);
    const [job] = await hidden();
    await fixture.process(job?.id ?? '');
    assert.deepEqual([await states(), await hidden()], [EVICTED, []]);
    const repeats = await rows(
      `update transcode_jobs set status = 'CANCELLED' where purpose = 'REPEAT' and status = 'QUEUED'
       returning priority`,
    );
    assert.deepEqual(repeats, [{ priority: -1 }]);
    await sweep();
    assert.deepEqual([await segmentsOf(`${prefixes.package}v360/`), await problems()], [new Map(), []]);
    await rows('update rendition_outputs set outputs = $2 where folder = $1', [
      outputs[0]?.folder,
      JSON.stringify(outputs[0]?.outputs),
    ]);
  });

  it('are not kept ready for viewers who left', THOROUGH, async () => {
    assert.deepEqual(await states(), EVICTED);
    assert.equal((await watch(1)).status, 200);
    await endIdleRebuilds(fixture.platform);
    assert.equal((await hidden()).length, 1);
    // The clock of the platform stands still, that of the database does not: it is read once.
    const watchedMs = fixture.platform.clock.now() - 61 * 60_000;
    await rows(`update encode_plans set created_at = $1`, [new Date(watchedMs).toISOString()]);
    await rows(`update encode_chunks set wanted_at = $1`, [new Date(watchedMs).toISOString()]);
    await endIdleRebuilds(fixture.platform);
    await sweep();
    assert.deepEqual([await hidden(), await fixture.keys(prefixes.onDemand), await states()], [[], [], EVICTED]);
    assert.equal((await watch(1)).status, 200, 'it is encoded once more');
  });

  it(
    'come back with all others when the video is processed again by another version of the encoder',
    THOROUGH,
    async () => {
      const newer = STAGES.map((stage) => (stage.id === 'downmix' ? { ...stage, version: 99 } : stage));
      const [job] = await hidden();
      const update = `update encode_plans set plan = jsonb_set(plan, '{stages}', $2) where job_id = $1`;
      const planned = [
        { id: 'scale', version: 1 },
        { id: 'downmix', version: 99 },
        { id: 'encode', version: 6 },
        { id: 'encode-audio', version: 1 },
      ];
      await rows(update, [job?.id, JSON.stringify(planned)]);
      await rows(`update rendition_outputs set outputs = (select jsonb_agg(output || '{"key":"older"}')
      from jsonb_array_elements(outputs) output) where folder like '%v360'`);
      assert.equal((await watch(0, newer)).status, 200);
      assert.deepEqual(await rows(`select kind from encode_chunks where kind = 'video'`), []);
      const [repeat] = await rows<{ id: string; priority: number }>(
        `select id, priority from transcode_jobs where purpose = 'REPEAT' and status = 'QUEUED'`,
      );
      assert.equal(repeat?.priority, -1);
      await fixture.process(repeat?.id ?? '', fixture.platform, 'end', fixture.runner, newer);
      assert.deepEqual([await states(), await hidden()], [STORED, []]);
      await sweep();
      assert.deepEqual([await fixture.keys(prefixes.onDemand), await fixture.keys(prefixes.package)], [[], []]);
      assert.deepEqual(await problems(), []);
    },
  );
});

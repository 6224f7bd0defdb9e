import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { Runner } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { encodeClaimedChunk } from '../encoding/encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { claimSegment } from '../plans/encode-chunks.store.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { evictCold } from './evict-cold.ts';

const DAY_MS = 86_400_000;

describe('cold sizes of a video that was encoded from a copy with an index', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  before(async () => {
    // Without a worker: the test encodes what is wanted itself.
    fixture = await openTestProcessing({ work: false });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  const at = (nowMs: number) => ({
    ...fixture.platform,
    config: { ...fixture.platform.config, COLD_RENDITIONS_AFTER: 90 },
    clock: new ManualClock(nowMs),
  });
  async function segmentsOf(prefix: string): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (const key of await fixture.keys(prefix)) {
      const object = key.endsWith('.m4s') ? await fixture.platform.store.read(key) : null;
      if (object) found.set(key.slice(prefix.length), await buffer(object.stream));
    }
    return found;
  }

  it('are evicted, and encoded again from one new copy, with the same bytes', THOROUGH, async () => {
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=640x64:r=5:d=12', '-f', 'lavfi', '-i', 'sine=d=12'];
    const avi = await readClip(fixture.runner, 'cold.avi', [...inputs, '-c:v', 'mpeg4', '-c:a', 'mp3']);
    const video = await fixture.upload(avi);
    const jobId = await fixture.submit(video.contentId);
    await fixture.process(jobId);
    const manifests = `media/${video.contentId}/${video.assetId}/`;
    const name = `${jobId.slice(-12)}-1`;
    const segments = await segmentsOf(`${manifests}${name}/v360/`);
    // 12 s, in segments of 4 s.
    assert.equal(segments.size, 3);

    const nowMs = Date.now() + 100 * DAY_MS;
    assert.equal(await evictCold({ platform: at(nowMs) }), 1);
    await sweepObjects({ platform: at(nowMs + 2 * DAY_MS), receiving: fixture.platform.receiving });
    assert.deepEqual(await segmentsOf(`${manifests}${name}/v360/`), new Map());

    let copies = 0;
    const runner: Runner = {
      ...fixture.runner,
      async run(tool, args, options) {
        copies += args.includes('+bitexact') ? 1 : 0;
        return fixture.runner.run(tool, args, options);
      },
    };
    const sources = new LocalSources(fixture.platform.store);
    const run = { signal: new AbortController().signal, background: false };
    async function encodeNext(): Promise<boolean> {
      const next = await claimSegment(fixture.platform.db);
      if (next) await encodeClaimedChunk({ platform: fixture.platform, runner, sources }, next, run);
      return next !== null;
    }
    const { secrets, clock } = fixture.platform;
    for (const segment of [1, 2]) {
      const key = `${manifests}${name}-on-demand/v360/seg-0000${segment}.m4s`;
      const address = mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false);
      const response = fetch(address);
      await fixture.eventually(encodeNext, 'the segment is not wanted');
      assert.equal((await response).status, 200);
    }
    assert.equal(copies, 1);
    sources.close();
    const [job] = await rows<{ id: string }>(
      `select id from transcode_jobs where purpose = 'RENDITIONS' and status = 'TRANSCODING'`,
    );
    await fixture.process(job?.id ?? assert.fail('nothing was ordered'));
    assert.deepEqual(await segmentsOf(`${manifests}${name}/v360/`), segments);
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });
});

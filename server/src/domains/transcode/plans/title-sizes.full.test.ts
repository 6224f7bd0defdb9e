import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EncodePlan, planEncode, type Runner, sampleChunks } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { encodeClaimedChunk } from '../encoding/encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { startProcessing } from '../jobs/start-processing.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { type ClaimedChunk, claimChunk } from './encode-chunks.store.ts';
import { deleteEncodePlan, insertEncodePlan } from './encode-plans.store.ts';

const DAY_MS = 86_400_000;
/** By the samples, and by the bit rates of the whole: v240 has more than 1/1.4 of the bits of v360. */
const CHOSEN = ['v720', 'v360', 'v240', 'v234'];
const KEPT = ['v720', 'v360', 'v234'];
/** Of these, v234 is as close in AV1. */
const KEPT_IN_AV1 = ['v720', 'v360'];

describe('a video with sizes that hardly differ in bit rate', { timeout: 300_000 }, () => {
  let fixture: TestProcessing;
  let video: Awaited<ReturnType<TestProcessing['upload']>>;
  before(async () => {
    // Without a worker: tests claim chunks themselves.
    fixture = await openTestProcessing({ work: false });
    // 66, 49 and 43 kbit/s in 720p, 480p and 360p.
    const bars = ['-f', 'lavfi', '-i', 'testsrc=s=1280x720:r=2:d=32', '-c:v', 'libx264', '-preset', 'ultrafast'];
    video = await fixture.upload(await readClip(fixture.runner, 'bars.mp4', [...bars, '-pix_fmt', 'yuv420p']));
  });
  after(() => fixture.close());

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  const foldersOf = async () =>
    (await fixture.assetRow(video.assetId)).renditions.map((folder) => folder.split('/')[1] ?? '');

  /** Plans a job, with a chunk for each segment of 4 s. */
  async function plannedInSegments(jobId: string): Promise<void> {
    await fixture.process(jobId, fixture.platform, 'plan');
    const [stored] = await rows<{ plan: EncodePlan; sourceTag: string }>(
      'select plan, source_tag as "sourceTag" from encode_plans where job_id = $1',
      [jobId],
    );
    assert.ok(stored);
    const chunks = Array.from({ length: 8 }, (_, number) => ({
      ...{ kind: 'video' as const, number, firstSegment: number, startFrame: 8 * number },
      endFrame: number === 7 ? null : 8 * (number + 1),
    }));
    const plan = { ...planEncode(stored.plan.facts), ...stored.plan, chunks };
    await deleteEncodePlan(fixture.platform.db, jobId);
    const { sourceTag } = stored;
    const row = { jobId, attempt: 1, plan, mimeType: 'video/mp4', remuxedKey: null, sourceTag, finishCostMs: 500 };
    const costsMs = chunks.map(() => 1000);
    const samples = sampleChunks(plan);
    assert.ok(await insertEncodePlan(fixture.platform.db, { ...row, costsMs, maxBytes: 10_000_000, samples }));
  }
  async function claim(): Promise<ClaimedChunk> {
    return (await claimChunk(fixture.platform.db, null)) ?? assert.fail('no chunk waits');
  }
  async function encode(claimed: ClaimedChunk): Promise<void> {
    const { platform, runner } = fixture;
    const sources = new LocalSources(platform.store);
    const run = { signal: new AbortController().signal, background: false };
    await encodeClaimedChunk({ platform, runner, sources }, claimed, run);
    sources.close();
  }
  const segmentsOf480 = async () =>
    (await fixture.keys(`media/${video.contentId}/`))
      .flatMap((key) => /\/v480\/seg-0000(\d)/.exec(key)?.[1] ?? [])
      .sort();

  it('is encoded without them once its samples have told', async () => {
    await rows('update channels set encode_av1 = true where id = $1', [video.channelId]);
    const jobId = await fixture.submit(video.contentId);
    await plannedInSegments(jobId);
    const [first, second, middle, late, other] = [
      await claim(),
      await claim(),
      await claim(),
      await claim(),
      await claim(),
    ];
    assert.deepEqual(
      [first, second, middle, late, other].map(({ number, isSample }) => [number, isSample]),
      [
        [0, true],
        [1, true],
        [4, true],
        [6, true],
        [2, false],
      ],
    );
    for (const sample of [late, first, middle]) await encode(sample);
    const planned = "select plan -> 'only' as only from encode_plans where job_id = $1";
    assert.deepEqual(await rows(planned, [jobId]), [{ only: null }]);
    await encode(second);
    assert.deepEqual(await rows(planned, [jobId]), [{ only: CHOSEN }]);
    const costs = await rows<{ cost: number }>(
      `select distinct cost_ms as cost from encode_chunks where job_id = $1 and state = 'WAITING'`,
      [jobId],
    );
    assert.ok(costs.length === 1 && costs.every(({ cost }) => cost > 700 && cost < 850), JSON.stringify(costs));

    // This one was claimed before.
    await encode(other);
    await fixture.process(jobId);
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
    assert.deepEqual(await foldersOf(), KEPT);
    assert.deepEqual(await segmentsOf480(), ['0', '1', '2', '4', '6']);
    await sweepObjects({
      platform: { ...fixture.platform, clock: new ManualClock(Date.now() + 120_000) },
      receiving: fixture.platform.receiving,
    });
    assert.deepEqual(await segmentsOf480(), []);
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });

  it('has the same sizes in other codecs', async () => {
    const [job] = await rows<{ id: string }>(
      `select id from transcode_jobs where video_asset_id = $1 and codec = 'AV1'`,
      [video.assetId],
    );
    assert.ok(job);
    await fixture.process(job.id);
    assert.deepEqual(await fixture.jobRow(job.id), {
      status: 'COMPLETE',
      attempts: 1,
      error_code: null,
      deployed: true,
    });
    assert.deepEqual(await foldersOf(), [...KEPT, ...KEPT_IN_AV1]);
  });

  it('keeps them when it is processed again, and nothing is encoded', async () => {
    await rows('update channels set encode_av1 = false where id = $1', [video.channelId]);
    const { jobId } = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await plannedInSegments(jobId);
    const encoded: string[] = [];
    const runner: Runner = {
      ...fixture.runner,
      async run(tool, args, options) {
        if (args.includes('-progress')) encoded.push(tool);
        return fixture.runner.run(tool, args, options);
      },
    };
    await fixture.process(jobId, fixture.platform, 'end', runner);
    assert.deepEqual(encoded, []);
    assert.deepEqual(await foldersOf(), KEPT);
    const day = { ...fixture.platform, clock: new ManualClock(Date.now() + DAY_MS + 60_000) };
    await sweepObjects({ platform: day, receiving: fixture.platform.receiving });
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { chunkCostsMs, finishCostMs, type MediaFacts, planEncode, type Runner } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { claimChunk, completeChunk, renewChunk } from './encode-chunks.store.ts';
import { readEncodeQueue, readSpeeds, recordSpeed, seeWorker } from './encode-speeds.store.ts';

describe('estimates of processing', () => {
  let fixture: TestProcessing;
  before(async () => {
    // Without a worker: tests claim chunks themselves.
    fixture = await openTestProcessing({ work: false });
  });
  after(() => fixture.close());

  const first = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.first<Row>(sql('estimate_test', text), values);
  const remainingMs = async (jobId: string) =>
    (await first<{ ms: number }>('select encode_remaining_ms($1) as ms', [jobId]))?.ms ?? null;
  const clipOf = (seconds: number) =>
    readClip(fixture.runner, 'clip.mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=640x192:r=25:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ]);
  async function planned(clip = fixture.clip): Promise<string> {
    const { contentId } = await fixture.upload(clip);
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId, fixture.platform, 'plan');
    return jobId;
  }

  it('are within a factor of two of the CPU time of real videos, after some were processed', THOROUGH, async () => {
    for (const seconds of [9, 6]) {
      const { contentId } = await fixture.upload(await clipOf(seconds));
      await fixture.process(await fixture.submit(contentId));
    }
    const jobId = await planned(await clipOf(12));
    const plan = (
      await first<{ plan: { facts: MediaFacts } }>('select plan from encode_plans where job_id = $1', [jobId])
    )?.plan;
    assert.ok(plan);
    const costs = chunkCostsMs(planEncode(plan.facts));
    const speeds = await readSpeeds(fixture.platform.db, ['audio', 'video', 'finish']);
    const audio = costs.at(-1) ?? 0;
    const video = costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0);
    const finish = finishCostMs(planEncode(plan.facts));
    const estimatedMs =
      video * speeds.video.cpuPerCost + audio * speeds.audio.cpuPerCost + finish * speeds.finish.cpuPerCost;
    let measuredMs = 0;
    const counting: Runner = {
      ...fixture.runner,
      async run(...args) {
        const result = await fixture.runner.run(...args);
        measuredMs += result.cpuMs;
        return result;
      },
    };
    await fixture.process(jobId, fixture.platform, 'end', counting);
    const factor = measuredMs / estimatedMs;
    assert.ok(factor > 0.5 && factor < 2, `${measuredMs} ms instead of ${estimatedMs} ms`);
  });

  it('of the time left shrink while chunks are encoded, and count videos before it', THOROUGH, async () => {
    const jobId = await planned();
    // The one that is claimed is the longest: others run beside it.
    await first(
      `update encode_chunks set cost_ms = case kind when 'video' then 10000 else 1000 end where job_id = $1`,
      [jobId],
    );
    const atFirst = await remainingMs(jobId);
    const claimed = await claimChunk(fixture.platform.db, null);
    assert.ok(atFirst !== null && claimed);
    await renewChunk(fixture.platform.db, claimed, 0.5);
    const half = await remainingMs(jobId);
    assert.ok(half !== null && half < atFirst, `${half} after ${atFirst}`);
    const encoded = { firstSegment: 0, parts: [], cpuMs: 100 };
    await fixture.platform.db.transaction((tx) =>
      completeChunk(tx, { ...claimed, peakBytes: 1, speedKind: 'video' }, encoded),
    );
    const later = await remainingMs(jobId);
    assert.ok(later !== null && later < half, `${later} after ${half}`);

    const next = await planned();
    await first(`update encode_chunks set cost_ms = 40000 where job_id = $1 and state <> 'DONE'`, [jobId]);
    await first(`update encode_plans set created_at = now() - interval '1 hour' where job_id = $1`, [jobId]);
    const behind = await remainingMs(next);
    await first('delete from encode_plans where job_id = $1', [jobId]);
    const alone = await remainingMs(next);
    assert.ok(behind !== null && alone !== null && behind > alone + 20_000, `${behind} behind, ${alone} alone`);
    await first('delete from encode_plans where job_id = $1', [next]);
    assert.equal(await remainingMs(next), null);
  });

  it('count the lanes of all workers that were seen lately', async () => {
    await seeWorker(fixture.platform.db, '00000000-0000-7000-8000-000000000001', 3);
    await seeWorker(fixture.platform.db, '00000000-0000-7000-8000-000000000002', 2);
    const lanes = () => first('select encode_lanes() as lanes');
    assert.deepEqual(await lanes(), { lanes: 5 });
    await first(`update encode_workers set seen_at = now() - interval '1 minute' where lanes = 2`);
    assert.deepEqual(await lanes(), { lanes: 3 });
    await first('delete from encode_workers');
  });

  it('measure enhancements apart from the encoding of uploads', async () => {
    const { db } = fixture.platform;
    const before = await readSpeeds(db, ['audio', 'upmix']);
    const work = { costMs: 10_000, cpuMs: 20_000, wallMs: 60_000, peakBytes: 1, bytes: 1 };
    await recordSpeed(db, { kind: 'upmix', ...work });
    const after = await readSpeeds(db, ['audio', 'upmix']);
    assert.deepEqual(after.audio, before.audio);
    assert.equal(before.upmix.wallPerCpu, 1);
    assert.ok(Math.abs(after.upmix.cpuPerCost - 20_500 / 10_500) < 1e-9);
    assert.ok(Math.abs(after.upmix.wallPerCpu - 60_500 / 20_500) < 1e-9);
    await first("delete from encode_speeds where kind = 'upmix'");
  });

  it('wait for jobs before them, those without a plan too, and short ones for short ones only', async () => {
    const { db } = fixture.platform;
    await first('delete from encode_speeds');
    await first(`update transcode_jobs set status = 'COMPLETE'`);
    const long = { costMs: 600_000, leftMs: 600_000, longestMs: 60_000 };
    const short = { costMs: 10_000, leftMs: 10_000, longestMs: 10_000 };
    const queueOf = async (work: typeof long) => (await readEncodeQueue(db, work)).encodedInMs;
    assert.deepEqual([await queueOf(long), await queueOf(short)], [600_000, 10_000]);

    const jobId = await planned();
    await first('update encode_chunks set cost_ms = 300000 where job_id = $1', [jobId]);
    const [{ chunks } = { chunks: 0 }] = await db.run<{ chunks: number }>(
      sql('chunks', 'select count(*)::int as chunks from encode_chunks where job_id = $1'),
      [jobId],
    );
    await first(`update encode_plans set created_at = now() - interval '1 hour' where job_id = $1`, [jobId]);
    assert.deepEqual([await queueOf(long), await queueOf(short)], [600_000 + 300_000 * chunks, 10_000]);
    await first('delete from encode_plans where job_id = $1', [jobId]);

    await first(
      `update transcode_jobs set status = 'QUEUED', purpose = 'ENHANCE', enhancement = 'UPMIX', plan_cost_ms = 4000,
         encode_cost_ms = 8000 where id = $1`,
      [jobId],
    );
    assert.deepEqual([await queueOf(long), await queueOf(short)], [608_000, 18_000]);
    assert.equal((await readEncodeQueue(db, short)).planningMs, 2_000);
    await first(`update transcode_jobs set status = 'COMPLETE' where id = $1`, [jobId]);
    assert.equal((await readEncodeQueue(db, short)).planningMs, 0);
  });
});

import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { ContentId, JobId } from '../../../kernel/ids.ts';
import type { Runner, Stage } from '../../../media/index.ts';
import { faultyRunner, STAGES } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { runAdminCommand } from '../../accounts/index.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { processAgainCommand } from './process-again.command.ts';
import { startProcessing } from './start-processing.ts';

const DAY_MS = 86_400_000;
const newer = (id: string): Stage[] => STAGES.map((stage) => (stage.id === id ? { ...stage, version: 99 } : stage));

describe('a video that is processed again', () => {
  let fixture: TestProcessing;
  let video: Awaited<ReturnType<TestProcessing['upload']>>;
  before(async () => {
    // Without a worker: tests run each job themselves.
    fixture = await openTestProcessing({ work: false });
    video = await fixture.upload(fixture.clip);
    await fixture.process(await fixture.submit(video.contentId));
  });
  after(() => fixture.close());
  beforeEach(() => rows(`update transcode_jobs set status = 'CANCELLED' where status in ('QUEUED', 'TRANSCODING')`));

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  const again = (contentId: ContentId): Promise<{ jobId: JobId; started: boolean }> =>
    fixture.platform.db.transaction((tx) => startProcessing(fixture.tools(), tx, { contentId, again: true }));
  /** Segments of the package below a prefix, by their paths. */
  async function segmentsOf(prefix: string | null): Promise<Map<string, Buffer>> {
    const segments = new Map<string, Buffer>();
    for (const key of await fixture.keys(prefix ?? 'media/none/')) {
      const found = key.endsWith('.m4s') ? await fixture.platform.store.read(key) : null;
      if (found) segments.set(key.slice(prefix?.length), await buffer(found.stream));
    }
    return segments;
  }
  /** Names what ffmpeg encodes of chunks. */
  function counted(): { runner: Runner; encoded: string[] } {
    const encoded: string[] = [];
    const runner: Runner = {
      ...fixture.runner,
      async run(tool, args, options) {
        if (args.includes('-progress')) encoded.push(args.includes('libx264') ? 'picture' : 'sound');
        return fixture.runner.run(tool, args, options);
      },
    };
    return { runner, encoded };
  }
  const state = async () => ({
    asset: await fixture.assetRow(video.assetId),
    content: (await fixture.contentRow(video.contentId)).status,
    updated: await rows('select updated_at from contents where id = $1', [video.contentId]),
  });

  it(
    'is played as it is until its new package is complete, for which only what has changed is encoded',
    THOROUGH,
    async () => {
      const before = await state();
      const { jobId, started } = await again(video.contentId);
      assert.equal(started, true);
      assert.deepEqual(await again(video.contentId), { jobId, started: false }, 'it is under way');
      const { runner, encoded } = counted();
      await fixture.process(jobId, fixture.platform, 'chunks', runner, newer('downmix'));
      assert.deepEqual(encoded, ['sound']);
      assert.deepEqual(await state(), before);
      assert.equal(before.content, 'READY');

      await fixture.process(jobId, fixture.platform, 'end', runner, newer('downmix'));
      assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
      assert.deepEqual(await fixture.eventsOf(video.contentId, jobId), [
        ...['asset.ready', 'job.updated QUEUED', 'job.updated COMPLETE', 'asset.ready'],
      ]);
      const { package_prefix: prefix, renditions } = await fixture.assetRow(video.assetId);
      assert.notEqual(prefix, before.asset.package_prefix);
      assert.deepEqual(
        renditions.map((folder) => folder.split('/')),
        before.asset.renditions.map((folder) => [`${jobId.slice(-12)}-1`, folder.split('/')[1]]),
      );
      const [old, made] = [await segmentsOf(before.asset.package_prefix), await segmentsOf(prefix)];
      assert.deepEqual([...made.keys()], [...old.keys()]);
      assert.ok(made.size >= 2);
      for (const [path, bytes] of made) assert.ok(bytes.equals(old.get(path) ?? Buffer.alloc(0)), path);
      assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
      await sweepObjects({
        platform: { ...fixture.platform, clock: new ManualClock(Date.now() + DAY_MS + 60_000) },
        receiving: fixture.platform.receiving,
      });
      assert.deepEqual(await segmentsOf(before.asset.package_prefix), new Map(), 'a day later it is deleted');
      assert.deepEqual(await segmentsOf(prefix), made);
    },
  );

  it(
    'is not encoded at all where nothing has changed, and where it is only what is not stored any more',
    THOROUGH,
    async () => {
      const stages = newer('downmix');
      const first = counted();
      await fixture.process((await again(video.contentId)).jobId, fixture.platform, 'end', first.runner, stages);
      assert.deepEqual(first.encoded, []);
      const { package_prefix: prefix } = await fixture.assetRow(video.assetId);
      const [lost] = [...(await segmentsOf(prefix)).keys()].filter((path) => path.startsWith('v90/'));
      assert.ok(lost);
      await fixture.platform.store.delete(`${prefix}${lost}`);
      const second = counted();
      await fixture.process((await again(video.contentId)).jobId, fixture.platform, 'end', second.runner, stages);
      assert.deepEqual(second.encoded, ['picture']);
      assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
    },
  );

  it('stays as it was where that fails or is cancelled, and its own submission changes nothing', THOROUGH, async () => {
    const before = await state();
    const failing = (await again(video.contentId)).jobId;
    const black = faultyRunner(fixture.runner, { of: 0, filters: 'drawbox=c=black:t=fill' });
    // Once as it is, and once from a copy that was decoded whole.
    for (let round = 0; round < 2; round += 1)
      await fixture.process(failing, fixture.platform, 'end', black, newer('scale'));
    assert.equal((await fixture.jobRow(failing)).status, 'ERROR');
    assert.deepEqual(await state(), before);
    const events = await rows<{ type: string }>(
      `select type from events where subject_id = $1 or type = 'asset.failed' order by id`,
      [failing],
    );
    assert.deepEqual(events, [{ type: 'job.updated' }, { type: 'job.updated' }]);
    assert.equal(await fixture.submit(video.contentId), failing);

    const cancelled = (await again(video.contentId)).jobId;
    await fixture.process(cancelled, fixture.platform, 'plan');
    await rows(`update transcode_jobs set status = 'CANCELLING' where id = $1`, [cancelled]);
    await fixture.process(cancelled);
    assert.equal((await fixture.jobRow(cancelled)).status, 'CANCELLED');
    assert.deepEqual({ ...(await state()), updated: null }, { ...before, updated: null });
    await sweepObjects({
      platform: { ...fixture.platform, clock: new ManualClock(Date.now() + DAY_MS + 60_000) },
      receiving: fixture.platform.receiving,
    });
    assert.deepEqual((await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems, []);
  });

  it('is charged once', THOROUGH, async () => {
    assert.deepEqual(
      await rows('select count(*)::int as charges from upload_charges where video_asset_id = $1', [video.assetId]),
      [{ charges: 1 }],
    );
  });

  it('is one of those that the operator has processed again, after all others', THOROUGH, async () => {
    const run = async (...argv: string[]) => {
      const commands = processAgainCommand(fixture.platform.jobs);
      const { exitCode, stdout } = await runAdminCommand(['process-again', ...argv], fixture.platform, commands);
      return exitCode === 0 ? JSON.parse(stdout) : exitCode;
    };
    await rows('update encoded_videos set plan = jsonb_set(plan, $1, $2)', [
      '{stages}',
      '[{"id":"encode","version":1}]',
    ]);
    const other = await fixture.upload(fixture.clip);
    await fixture.process(await fixture.submit(other.contentId));
    assert.deepEqual(await run('--limit', '0'), { started: 0, left: 1 });
    assert.deepEqual(await run(), { started: 1, left: 0 });
    const jobs = await rows(`select content_id as id, priority from transcode_jobs where status = 'QUEUED'`);
    assert.deepEqual(jobs, [{ id: video.contentId, priority: -1 }]);
    assert.deepEqual(await run(), { started: 0, left: 0 });
    const did = (id: string) => `did:reelgraph:content/${id}`;
    assert.deepEqual(await run('--content', did(other.contentId)), { started: 1 });
    assert.equal(await run('--content', did(other.contentId)), 1, 'it is under way');
    assert.equal(await run('--content', 'x'), 2);
  });
});

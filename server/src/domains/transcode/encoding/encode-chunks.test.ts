import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type JobId, newId } from '../../../kernel/ids.ts';
import type { EncodeChunk, EncodePlan } from '../../../media/index.ts';
import { faultyRunner, frameCounter, withStages } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { claimTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { type ClaimedChunk, claimChunk, completeChunk, renewChunk } from '../plans/encode-chunks.store.ts';
import { insertEncodePlan } from '../plans/encode-plans.store.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { encodeClaimedChunk } from './encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

describe('chunks of videos', () => {
  let fixture: TestProcessing;
  before(async () => {
    // Without a worker: tests claim chunks themselves.
    fixture = await openTestProcessing({ work: false });
  });
  after(() => fixture.close());
  beforeEach(() => change('delete from encode_plans'));

  const change = (text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run(sql('change', text), values);

  /** A job with chunks of video of these costs in milliseconds, and one of sound. */
  async function planned(costsMs: readonly number[], accountId: string = newId()): Promise<JobId> {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    await claimTranscodeJob(fixture.platform.db, jobId, 'TRANSCODING', new Date().toISOString());
    const video = costsMs.map((_, number) => ({
      ...{ kind: 'video' as const, number, firstSegment: number, startFrame: 25 * number },
      endFrame: number === costsMs.length - 1 ? null : 25 * (number + 1),
    }));
    const chunks: EncodeChunk[] = [...video, { kind: 'audio', number: 0, folder: 'audio' }];
    // The queue reads no other part of a plan.
    const plan = { chunks } as unknown as EncodePlan;
    const costs = [...costsMs, 10];
    const stored = {
      jobId,
      attempt: 1,
      plan,
      mimeType: 'video/mp4',
      remuxedKey: null,
      sourceTag: '1 etag',
      costsMs: costs,
      finishCostMs: 500,
      maxBytes: 10_000,
    };
    assert.ok(await insertEncodePlan(fixture.platform.db, stored));
    await change('update encode_plans set account_id = $2 where job_id = $1', [jobId, accountId]);
    return jobId;
  }
  const claim = (mostLeftMs: number | null = null) => claimChunk(fixture.platform.db, mostLeftMs);
  const named = (claimed: ClaimedChunk | null) => claimed && [claimed.jobId, claimed.kind, claimed.number];
  const states = (jobId: string) =>
    fixture.platform.db.run<object>(
      sql('chunk_states', 'select kind, number, state, attempts from encode_chunks where job_id = $1 order by 1, 2'),
      [jobId],
    );
  const encoded = (bytes = 1) => ({
    firstSegment: 0,
    parts: [{ folder: 'v', codecs: 'x', timescale: 1, init: '', segments: [[1, bytes] as const] }],
    cpuMs: 1,
  });

  it('are claimed once each: the first of the video, the sound, the others', async () => {
    const job = await planned([100, 100, 100]);
    const all = await Promise.all(Array.from({ length: 8 }, () => claim()));
    const order = all.filter((each) => each !== null).map((each) => `${each.kind} ${each.number}`);
    assert.deepEqual(order.toSorted(), ['audio 0', 'video 0', 'video 1', 'video 2']);
    await change(`update encode_chunks set state = 'WAITING', available_at = now() where job_id = $1`, [job]);
    const one = [];
    for (let n = 0; n < 4; n += 1)
      one.push(
        named(await claim())
          ?.slice(1)
          .join(' '),
      );
    assert.deepEqual(one, ['video 0', 'audio 0', 'video 1', 'video 2']);
  });

  it('of the video with the least work left come first, and of any that has waited as long', async () => {
    const owner = newId();
    const long = await planned([3_000_000, 3_000_000], owner);
    const short = await planned([5_000], owner);
    assert.deepEqual(named(await claim()), [short, 'video', 0]);
    assert.deepEqual(named(await claim()), [short, 'audio', 0]);
    assert.deepEqual(named(await claim()), [long, 'video', 0]);
    const later = await planned([5_000], owner);
    await change(`update encode_plans set created_at = now() - interval '2 hours' where job_id = $1`, [long]);
    assert.deepEqual(named(await claim()), [long, 'audio', 0]);
    assert.deepEqual(named(await claim(20_000)), [later, 'video', 0], 'not those of long videos');
  });

  it('are shared fairly among owners', async () => {
    const [busy, other] = [newId(), newId()];
    const first = await planned([1_000, 1_000, 1_000], busy);
    assert.deepEqual(named(await claim()), [first, 'video', 0]);
    const second = await planned([900_000], other);
    assert.deepEqual(named(await claim()), [second, 'video', 0]);
  });

  it('of background work come after all others, however long they have waited', async () => {
    const background = await planned([1_000]);
    await change('update transcode_jobs set priority = -1 where id = $1', [background]);
    await change(`update encode_plans set created_at = now() - interval '1 year' where job_id = $1`, [background]);
    const ordinary = await planned([9_000_000]);
    const claimed = [];
    for (let n = 0; n < 4; n += 1) claimed.push((await claim())?.jobId);
    assert.deepEqual(claimed, [ordinary, ordinary, background, background]);
  });

  it('of a worker that was lost go to another one, and what it encodes does not count', async () => {
    const job = await planned([100]);
    const lost = await claim();
    assert.ok(lost);
    await change(`update encode_chunks set available_at = now() - interval '1 second' where state = 'RUNNING'`);
    const next = await claim();
    assert.deepEqual([named(next), next?.attempt], [[job, 'video', 0], 2]);
    assert.equal(await renewChunk(fixture.platform.db, lost, 0.5), false);
    const completed = await fixture.platform.db.transaction((tx) =>
      completeChunk(tx, { ...lost, peakBytes: 1, speedKind: 'video' }, encoded()),
    );
    assert.equal(completed, null);
    assert.deepEqual(await states(job), [
      { kind: 'audio', number: 0, state: 'WAITING', attempts: 0 },
      { kind: 'video', number: 0, state: 'RUNNING', attempts: 2 },
    ]);
  });

  it('report the progress of their job while their lease is renewed', async () => {
    const job = await planned([90, 100]);
    const claimed = await claim();
    assert.ok(claimed);
    assert.equal(await renewChunk(fixture.platform.db, claimed, 0.5), true);
    assert.equal(await renewChunk(fixture.platform.db, claimed, 1), true);
    const progress = async () =>
      (
        await fixture.platform.db.first<{ progress: number }>(
          sql('progress_of', 'select progress from transcode_jobs where id = $1'),
          [job],
        )
      )?.progress;
    // The state before the last report: half of 90 of 200, of the 90 % that encoding is.
    assert.equal(await progress(), 20);
    await change(`update transcode_jobs set status = 'CANCELLING' where id = $1`, [job]);
    assert.equal(await renewChunk(fixture.platform.db, claimed, 1), false);
    assert.equal(await claim(), null, 'nothing of a cancelled job is claimed');
  });

  it('finish their job when the last one is done', async () => {
    await planned([100]);
    const [video, audio] = [await claim(), await claim()];
    assert.ok(video && audio);
    const complete = (held: ClaimedChunk) =>
      fixture.platform.db.transaction((tx) =>
        completeChunk(tx, { ...held, peakBytes: 100, speedKind: 'video' }, encoded(40)),
      );
    assert.deepEqual(await complete(video), { left: 1, bytes: 40, maxBytes: 10_000 });
    assert.deepEqual(await complete(audio), { left: 0, bytes: 80, maxBytes: 10_000 });
    assert.equal(await complete(audio), null);
  });

  it('of a plan of another version are planned again, or left to workers of that version', THOROUGH, async () => {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId, fixture.platform, 'plan');
    const stage = (version: number) => JSON.stringify([{ id: 'encode', version }]);
    const sources = new LocalSources(fixture.platform.store);
    const tools = { platform: fixture.platform, runner: fixture.runner, sources };
    const run = { signal: new AbortController().signal, background: false };

    await change(`update encode_plans set plan = jsonb_set(plan, '{stages}', $1)`, [stage(1_000)]);
    const newer = await claim();
    assert.ok(newer);
    await encodeClaimedChunk(tools, newer, run);
    const waiting = (await states(jobId)).filter((row) => 'state' in row && row.state === 'WAITING');
    assert.equal(waiting.length, 2);

    await change(`update encode_plans set plan = jsonb_set(plan, '{stages}', $1)`, [stage(0)]);
    await change('update encode_chunks set available_at = now()');
    const older = await claim();
    assert.ok(older);
    await encodeClaimedChunk(tools, older, run);
    assert.deepEqual([(await fixture.jobRow(jobId)).status, await states(jobId)], ['QUEUED', []]);
    await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'COMPLETE',
      attempts: 2,
      error_code: null,
      deployed: true,
    });
  });

  const black = { of: 0, filters: 'drawbox=c=black:t=fill' };

  it('that do not pass verification are encoded once more', THOROUGH, async () => {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId, fixture.platform, 'end', faultyRunner(fixture.runner, black, 1));
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
  });

  it('with stages that are programs make the package of what these write', THOROUGH, async () => {
    const { contentId, assetId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId, fixture.platform, 'end', fixture.runner, withStages(frameCounter()));
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
    const { renditions } = await fixture.assetRow(assetId);
    assert.deepEqual(
      renditions.map((folder) => folder.split('/')[1]),
      ['v180', 'audio'],
    );
  });

  it('with a program that fails twice fail their job, and leave nothing', THOROUGH, async () => {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    const stages = withStages(frameCounter({ fault: 'die', at: 3 }));
    await fixture.process(jobId, fixture.platform, 'end', fixture.runner, stages);
    const { error_message: message = '', ...job } =
      (await fixture.platform.db.first<{ error_message: string }>(
        sql('failed_job', 'select status, error_code, error_message from transcode_jobs where id = $1'),
        [jobId],
      )) ?? {};
    assert.deepEqual(job, {
      status: 'ERROR',
      error_code: 'PROCESSING_FAULT',
    });
    assert.match(message, /^The processing step frame-counter ended with an error\. The fault is that of this server/);
    assert.deepEqual([await states(jobId), await fixture.keys(`media/${contentId}/`)], [[], []]);
  });

  it('that an older version encoded are encoded again before the package is made', THOROUGH, async () => {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId, fixture.platform, 'chunks');
    const older = JSON.stringify([{ id: 'encode', version: 0 }]);
    await change(`update encode_plans set plan = jsonb_set(plan, '{stages}', $1)`, [older]);
    await fixture.process(jobId);
    assert.deepEqual([(await fixture.jobRow(jobId)).status, await states(jobId)], ['QUEUED', []]);
    await fixture.process(jobId);
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
  });

  it('that fail for another reason than the file are tried again, ten times', THOROUGH, async () => {
    const { contentId } = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(contentId);
    const store = {
      ...fixture.platform.store,
      withLocalFile: async () => {
        throw new AppError('SERVICE_UNAVAILABLE');
      },
    };
    const tools = {
      platform: fixture.platform,
      runner: fixture.runner,
      sources: new LocalSources(store as never),
    };
    await fixture.process(jobId, { ...fixture.platform, store: fixture.platform.store }, 'plan');
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const claimed = await claim();
      assert.equal(claimed?.attempt, attempt);
      await encodeClaimedChunk(tools, claimed, { signal: new AbortController().signal, background: false });
      await change('update encode_chunks set available_at = now() where kind = $1', ['video']);
      await change(`update encode_chunks set available_at = now() + interval '1 hour' where kind = $1`, ['audio']);
    }
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'ERROR',
      attempts: 1,
      error_code: 'SERVICE_UNAVAILABLE',
      deployed: false,
    });
    assert.equal(await claim(), null);
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { registerAssets } from '../register.ts';
import { watchReports } from '../testing.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

describe('interrupted processing', { timeout: 120_000 }, () => {
  let world: TestProcessing;
  let untilReported: () => Promise<void>;
  before(async () => {
    world = await openTestProcessing();
    untilReported = watchReports(world.platform.db);
  });
  after(() => world.close());
  beforeEach(() => {
    world.onStore = async () => {};
  });

  it('retries when the store is unavailable, and removes the files of the failed attempt', async () => {
    let calls = 0;
    world.onStore = async () => {
      calls += 1;
      if (calls === 2) throw new AppError('SERVICE_UNAVAILABLE', 'The disk is full.');
    };
    const video = await world.upload(world.clip);
    const jobId = await world.submit(video.contentId);
    assert.equal((await world.assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    assert.equal((await world.jobRow(jobId)).attempts, 2);
    const { package_prefix: prefix } = await world.assetRow(video.assetId);
    for (const key of await world.keys(`media/${video.contentId}/`)) assert.ok(key.startsWith(prefix ?? ''), key);
  });

  it('stops when the content is deleted, and removes its files', async () => {
    const video = await world.upload(world.clip);
    world.onStore = async () => {
      await world.platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [
        video.contentId,
      ]);
      await untilReported();
    };
    const jobId = await world.submit(video.contentId);
    const state = await world.assets.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.equal(state.status, 'CANCELLED');
    assert.equal((await world.jobRow(jobId)).deployed, false);
    await world.eventually(
      async () => (await world.keys(`media/${video.contentId}/`)).length === 0,
      'objects stayed behind',
    );
    assert.equal((await world.contentRow(video.contentId)).status, 'DRAFT');
  });

  it('stops when cancelled, and leaves neither package nor poster', async () => {
    const video = await world.upload(world.clip);
    world.onStore = async () => {
      await world.platform.db.run(
        sql(
          'cancel',
          `update transcode_jobs set status = 'CANCELLING' where content_id = $1 and status = 'TRANSCODING'`,
        ),
        [video.contentId],
      );
      await untilReported();
    };
    const jobId = await world.submit(video.contentId);
    assert.equal((await world.assets.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'CANCELLED');
    assert.equal((await world.jobRow(jobId)).deployed, false);
    await world.eventually(
      async () => (await world.keys(`media/${video.contentId}/`)).length === 0,
      'objects stayed behind',
    );
    assert.equal((await world.contentRow(video.contentId)).status, 'DRAFT');
    assert.deepEqual(await world.postersOf(video.contentId), []);
  });

  it('leaves no poster when the video could not be stored', async () => {
    const video = await world.upload(world.clip);
    const images = (await world.keys('images/')).length;
    world.onStore = async () => {
      throw new AppError('TRANSCODE_FAILED', 'Not this one.');
    };
    await world.submit(video.contentId);
    assert.equal((await world.assets.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'ERROR');
    assert.deepEqual(await world.postersOf(video.contentId), []);
    await world.eventually(
      async () => (await world.keys('images/')).length === images,
      'files of the poster stayed behind',
    );
  });

  it('discards its result when another worker has taken over the job', async () => {
    const video = await world.upload(world.clip);
    let stolen = false;
    world.onStore = async () => {
      if (stolen) return;
      stolen = true;
      await world.platform.db.run(
        sql('steal', 'update transcode_jobs set attempts = attempts + 1 where content_id = $1'),
        [video.contentId],
      );
    };
    await world.submit(video.contentId);
    await world.eventually(
      async () => stolen && (await world.keys(`media/${video.contentId}/`)).length === 0,
      'the package stayed behind',
    );
    assert.equal((await world.assetRow(video.assetId)).package_prefix, null);
    assert.equal((await world.contentRow(video.contentId)).status, 'PROCESSING');
  });

  it('is released by a stopping worker, with nothing left behind, and finished by the next', async () => {
    const video = await world.upload(world.clip);
    const storing = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const jobId = await world.submit(video.contentId);
    world.onStore = async () => {
      if ((await world.jobRow(jobId)).status === 'TRANSCODING') storing.resolve(); // and not a job of an earlier test
      await stopped.promise;
    };
    await storing.promise;
    const stopping = world.platform.jobs.stop({ graceMs: 10_000 });
    await nextTurn(); // by then the job has been told
    stopped.resolve();
    await stopping;
    assert.equal((await world.jobRow(jobId)).status, 'QUEUED');
    assert.deepEqual(await world.keys(`media/${video.contentId}/`), []);
    world.onStore = async () => {};
    const next = {
      ...world.platform,
      jobs: openJobs({ url: world.platform.test.url, db: world.platform.db, log: world.platform.log, worker: true }),
    };
    const nextAssets = registerAssets(next, world.dependencies());
    await next.jobs.start();
    try {
      await nextAssets.startWork();
      await nextAssets.startMediaWork({ runner: world.runner, toneMapping: true });
      assert.equal((await world.assets.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
      assert.equal((await world.jobRow(jobId)).attempts, 2);
    } finally {
      await next.jobs.stop({ graceMs: 10_000 });
      await nextAssets.close();
    }
  });
});

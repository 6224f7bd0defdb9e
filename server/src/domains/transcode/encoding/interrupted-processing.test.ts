import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openEvents } from '../../../platform/events/events.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { wireMedia } from '../../../wire-media.ts';
import { watchReports } from '../../assets/testing.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

describe('interrupted processing', () => {
  let fixture: TestProcessing;
  let untilReported: () => Promise<void>;
  before(async () => {
    fixture = await openTestProcessing();
    untilReported = watchReports(fixture.platform.db);
  });
  after(() => fixture.close());
  beforeEach(() => {
    fixture.onStore = async () => {};
  });

  it('retries when the store is unavailable, and keeps what was encoded', THOROUGH, async () => {
    let calls = 0;
    fixture.onStore = async () => {
      calls += 1;
      if (calls === 2) throw new AppError('SERVICE_UNAVAILABLE', 'The disk is full.');
    };
    const video = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(video.contentId);
    assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
    assert.equal((await fixture.jobRow(jobId)).attempts, 1);
    const segments = fixture.written.filter((key) => key.startsWith(`media/${video.contentId}/`));
    assert.equal(segments.length, 2);
    assert.equal(new Set(segments).size, 2);
    const { package_prefix: prefix } = await fixture.assetRow(video.assetId);
    for (const key of await fixture.keys(`media/${video.contentId}/`)) assert.ok(key.startsWith(prefix ?? ''), key);
  });

  it('stops when the content is deleted, and removes its files', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    fixture.onStore = async () => {
      await fixture.platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [
        video.contentId,
      ]);
      await untilReported();
    };
    const jobId = await fixture.submit(video.contentId);
    const state = await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 30 });
    assert.equal(state.status, 'CANCELLED');
    assert.equal((await fixture.jobRow(jobId)).deployed, false);
    await fixture.eventually(
      async () => (await fixture.keys(`media/${video.contentId}/`)).length === 0,
      'objects stayed behind',
    );
    assert.equal((await fixture.contentRow(video.contentId)).status, 'DRAFT');
  });

  it('stops when cancelled, and leaves neither package nor poster', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    fixture.onStore = async () => {
      await fixture.platform.db.run(
        sql(
          'cancel',
          `update transcode_jobs set status = 'CANCELLING' where content_id = $1 and status = 'TRANSCODING'`,
        ),
        [video.contentId],
      );
      await untilReported();
    };
    const jobId = await fixture.submit(video.contentId);
    assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'CANCELLED');
    assert.equal((await fixture.jobRow(jobId)).deployed, false);
    await fixture.eventually(
      async () => (await fixture.keys(`media/${video.contentId}/`)).length === 0,
      'objects stayed behind',
    );
    assert.equal((await fixture.contentRow(video.contentId)).status, 'DRAFT');
    assert.deepEqual(await fixture.postersOf(video.contentId), []);
  });

  it('leaves no poster when the video could not be stored', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    const images = (await fixture.keys('images/')).length;
    fixture.onStore = async () => {
      throw new AppError('TRANSCODE_FAILED', 'Not this one.');
    };
    await fixture.submit(video.contentId);
    assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 30 })).status, 'ERROR');
    assert.deepEqual(await fixture.postersOf(video.contentId), []);
    await fixture.eventually(
      async () => (await fixture.keys('images/')).length === images,
      'files of the poster stayed behind',
    );
  });

  it('is given back by a stopping worker, with what was encoded, and finished by the next', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    const storing = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const jobId = await fixture.submit(video.contentId);
    fixture.onStore = async () => {
      if ((await fixture.jobRow(jobId)).status === 'TRANSCODING') storing.resolve(); // and not a job of an earlier test
      await stopped.promise;
    };
    await storing.promise;
    const stopping = fixture.platform.jobs.stop({ graceMs: 10_000 });
    await nextTurn(); // by then the job has been aborted
    stopped.resolve();
    await stopping;
    assert.equal((await fixture.jobRow(jobId)).status, 'TRANSCODING');
    const encoded = fixture.written.filter((key) => key.startsWith(`media/${video.contentId}/`));
    assert.equal(encoded.length, 2);
    fixture.onStore = async () => {};
    const next = {
      ...fixture.platform,
      jobs: openJobs({
        url: fixture.platform.test.url,
        db: fixture.platform.db,
        log: fixture.platform.log,
        worker: true,
      }),
      events: openEvents({ url: fixture.platform.test.url, db: fixture.platform.db, log: fixture.platform.log }),
    };
    const nextAssets = wireMedia(next, fixture.dependencies());
    await next.jobs.start();
    try {
      await nextAssets.startWork();
      await nextAssets.startMediaWork({ runner: fixture.runner, toneMapping: true });
      assert.equal((await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 })).status, 'COMPLETE');
      assert.equal((await fixture.jobRow(jobId)).attempts, 1);
      const written = fixture.written.filter((key) => key.startsWith(`media/${video.contentId}/`));
      assert.deepEqual(written, encoded, 'nothing was encoded again');
    } finally {
      await next.jobs.stop({ graceMs: 10_000 });
      await nextAssets.close();
    }
  });
});

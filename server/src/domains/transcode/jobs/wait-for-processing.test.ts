import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { until } from '../../../testing/until.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from '../../assets/testing.ts';
import { openProcessing } from './start-processing.ts';
import { type ProcessingWaiter, processingWaiter } from './wait-for-processing.ts';

describe('waiting for processing', () => {
  let platform: AssetsTestPlatform;
  let waiter: ProcessingWaiter;
  before(async () => {
    platform = await createAssetsTestPlatform();
    waiter = processingWaiter(platform.db);
  });
  after(async () => {
    waiter.stop();
    await platform.close();
  });

  async function makeJob() {
    const content = await makeContent(platform);
    const jobId = await platform.db.transaction((tx) => openProcessing(platform, tx, content));
    return { ...content, jobId };
  }
  const change = (jobId: string, status: string) =>
    platform.db.run(
      sql(
        'set_job',
        'update transcode_jobs set status = $2, progress = 40, error_message = case ' +
          `when $2 = 'ERROR' then 'No sound, no picture.' end where id = $1`,
      ),
      [jobId, status],
    );

  /** The waiter has polled the database since the last call. */
  async function untilLookedAt(): Promise<void> {
    const before = platform.db.statistics.statements;
    await until(() => platform.db.statistics.statements > before);
  }

  it('returns NONE for a content that was never submitted', async () => {
    assert.deepEqual(await waiter.wait(newId()), { jobId: null, status: 'NONE', progress: 0, error: null });
  });

  it('returns when the job ends, with its error', async () => {
    const { contentId, jobId } = await makeJob();
    const waiting = waiter.wait(contentId, { timeoutSeconds: 20 });
    await untilLookedAt();
    await change(jobId, 'ERROR');
    assert.deepEqual(await waiting, { jobId, status: 'ERROR', progress: 40, error: 'No sound, no picture.' });
  });

  it('returns the current state on timeout or abort', async () => {
    const { contentId, jobId } = await makeJob();
    await change(jobId, 'TRANSCODING');
    assert.equal((await waiter.wait(contentId, { timeoutSeconds: 0 })).status, 'TRANSCODING');
    assert.equal((await waiter.wait(contentId, { timeoutSeconds: 1 })).status, 'TRANSCODING');
    const leaving = new AbortController();
    const waiting = waiter.wait(contentId, { timeoutSeconds: 300, signal: leaving.signal });
    await untilLookedAt();
    leaving.abort();
    assert.equal((await waiting).progress, 40);
  });

  it('includes a wait that started during a poll', async () => {
    const [first, second] = [await makeJob(), await makeJob()];
    const looking = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    let reads = 0;
    const slow: Executor = {
      first: (statement, values) => platform.db.first(statement, values),
      run: async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
        const rows = await platform.db.run<Row>(statement, values);
        reads += 1;
        if (reads === 2) {
          // The first poll of the waits.
          looking.resolve();
          await seen.promise;
        }
        return rows;
      },
    };
    const own = processingWaiter(slow);
    const leaving = new AbortController();
    const early = own.wait(first.contentId, { timeoutSeconds: 300, signal: leaving.signal });
    await looking.promise;
    const late = own.wait(second.contentId, { timeoutSeconds: 300 });
    await until(() => reads >= 3);
    seen.resolve();
    await change(second.jobId, 'COMPLETE');
    assert.equal((await late).status, 'COMPLETE');
    leaving.abort();
    assert.equal((await early).jobId, first.jobId);
    own.stop();
  });

  it('waits for the requested publication', async () => {
    const { contentId, jobId } = await makeJob();
    await platform.db.run(
      sql('publish_when_ready', `update contents set status = 'READY', publish_when_ready = true where id = $1`),
      [contentId],
    );
    await change(jobId, 'COMPLETE');
    let answered = false;
    const waiting = waiter.wait(contentId, { timeoutSeconds: 20 }).then((state) => {
      answered = true;
      return state;
    });
    await untilLookedAt();
    await untilLookedAt();
    assert.equal(answered, false);
    await platform.db.run(
      sql(
        'fulfil',
        `update contents set status = 'PUBLISHED', published_at = now(), publish_when_ready = false where id = $1`,
      ),
      [contentId],
    );
    assert.equal((await waiting).status, 'COMPLETE');
  });

  it('polls once for all waits', async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, makeJob));
    const begun = platform.db.statistics.statements + 2 * jobs.length;
    const waiting = jobs.map(({ contentId }) => waiter.wait(contentId, { timeoutSeconds: 20 }));
    await until(() => platform.db.statistics.statements >= begun);
    const before = platform.db.statistics.statements;
    const tookMs = await until(() => platform.db.statistics.statements >= before + 4);
    assert.ok(tookMs > 500, `four looks in ${tookMs} ms: one for each who waits`);
    await Promise.all(jobs.map(({ jobId }) => change(jobId, 'COMPLETE')));
    assert.deepEqual(new Set((await Promise.all(waiting)).map(({ status }) => status)), new Set(['COMPLETE']));
  });

  for (const timeoutSeconds of [-1, 301, 1.5, Number.NaN]) {
    it(`refuses to wait ${timeoutSeconds} seconds`, async () => {
      await assert.rejects(waiter.wait(newId(), { timeoutSeconds }), {
        code: 'INVALID_INPUT',
        field: 'input.timeoutSeconds',
      });
    });
  }
});

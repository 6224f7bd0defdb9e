import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../platform/db/statement.ts';
import { openProcessing } from '../transcode/jobs/start-processing.ts';
import { completeTranscodeJob, reportProgress } from '../transcode/jobs/transcode-jobs.store.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from './testing.ts';

describe('progress of a job', () => {
  let platform: AssetsTestPlatform;
  before(async () => {
    platform = await createAssetsTestPlatform();
  });
  after(() => platform.close());

  async function runningJob(): Promise<string> {
    const content = await makeContent(platform);
    const id = await platform.db.transaction((tx) => openProcessing(platform, tx, content));
    await platform.db.run(sql('run', `update transcode_jobs set status = 'TRANSCODING', attempts = 1 where id = $1`), [
      id,
    ]);
    return id;
  }
  const progressOf = async (id: string) =>
    (
      await platform.db.first<{ progress: number }>(
        sql('progress', 'select progress from transcode_jobs where id = $1'),
        [id],
      )
    )?.progress;
  const oneWaits = async () => {
    const waits = sql(
      'waits',
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    while ((await platform.db.transaction((tx) => tx.run(waits, []))).length === 0) await sleep(5);
  };

  it('never decreases, and belongs to the current attempt', async () => {
    const id = await runningJob();
    assert.deepEqual([await reportProgress(platform.db, id, 1, 40), await progressOf(id)], [true, 40]);
    assert.deepEqual([await reportProgress(platform.db, id, 1, 30), await progressOf(id)], [true, 40]);
    assert.deepEqual([await reportProgress(platform.db, id, 2, 50), await progressOf(id)], [false, 40]);
  });

  it('stays at 100 after a late report', async () => {
    const id = await runningJob();
    let reported: Promise<boolean> | undefined;
    await platform.db.transaction(async (tx) => {
      assert.ok(await completeTranscodeJob(tx, id, 1, new Date(platform.clock.now()).toISOString()));
      reported = reportProgress(platform.db, id, 1, 99);
      await oneWaits();
    });
    await reported;
    assert.equal(await progressOf(id), 100);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../db/testing.ts';
import { createLogger } from '../log.ts';
import { type Attempt, Attempts, type Begun } from './attempts.ts';

const log = createLogger({ level: 'silent' });
const { signal } = new AbortController();

describe('attempts at work', () => {
  let test: TestDatabase;
  const processes: Attempts[] = [];
  let works = 0;
  before(async () => {
    test = await createTestDatabase();
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await test.close();
  });

  function startProcess(): Attempts {
    const started = new Attempts(test.db, log);
    processes.push(started);
    return started;
  }

  const newWork = () => {
    works += 1;
    return `work ${works}`;
  };
  const begin = (process: Attempts, work: string) => process.begin({ work, subject: null }, signal);
  const run = (text: string, values: readonly unknown[] = []) => test.db.run(sql('test', text), values);

  /** The process that works on something dies. */
  async function die(process: Attempts, work: string): Promise<void> {
    await process.stop();
    await run(
      `update work_processes p set has_stopped = false, seen_at = now() - interval '10 seconds'
       from work_attempts a where a.process_id = p.id and a.work = $1 and a.outcome is null`,
      [work],
    );
  }

  /** The last death was five minutes ago. */
  const calm = () =>
    run(`update work_processes set seen_at = seen_at - interval '5 minutes', started_at = started_at - interval '1 hour'
         where not has_stopped and seen_at < now() - interval '6 seconds'`);

  /** Some processes die one after the other while they work on something. */
  async function dieWith(work: string, times: number): Promise<void> {
    for (let death = 0; death < times; death += 1) {
      const process = startProcess();
      // What has waited long enough begins: the queue knows when.
      const begun = await begin(process, work);
      if (begun.kind === 'wait') attemptOf(await begin(process, work));
      await die(process, work);
    }
  }

  it('go on at once after the first interruption, and after a pause after the second', async () => {
    const work = newWork();
    await dieWith(work, 1);
    const process = startProcess();
    assert.equal(attemptOf(await begin(process, work)).interruptions, 1);
    await die(process, work);
    assert.deepEqual(await begin(startProcess(), work), { kind: 'wait', afterSeconds: 2 });
    const attempt = attemptOf(await begin(startProcess(), work));
    assert.equal(attempt.interruptions, 2);
    await attempt.end('DONE');
    assert.deepEqual(await run('select * from interrupted_work where work = $1', [work]), []);
  });

  it('are no interruptions when they were handed back or failed', async () => {
    const work = newWork();
    for (const outcome of ['RETURNED', 'FAILED'] as const) {
      const attempt = attemptOf(await begin(startProcess(), work));
      assert.equal(attempt.interruptions, 0);
      await attempt.end(outcome);
    }
    assert.equal(attemptOf(await begin(startProcess(), work)).interruptions, 0);
  });

  it('count processes that lost their claim, but not as deaths', async () => {
    const work = newWork();
    for (let lost = 0; lost < 4; lost += 1) {
      const process = startProcess();
      const begun = await begin(process, work);
      if (begun.kind === 'wait') attemptOf(await begin(process, work));
    }
    const [row] = await run('select interruptions, deaths, state from interrupted_work where work = $1', [work]);
    assert.deepEqual(row, { interruptions: 3, deaths: 0, state: 'AGAIN' });
  });

  it('are not set apart while nothing survives', async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await run('delete from work_processes');
    const work = newWork();
    await dieWith(work, 4);
    assert.deepEqual(await begin(startProcess(), work), { kind: 'wait', afterSeconds: 8 });
  });

  it('are set apart after three deaths of which another process survived one', async () => {
    const [work, other] = [newWork(), newWork()];
    const survivor = startProcess();
    const beside = attemptOf(await begin(survivor, other));
    await run(
      `update work_processes p set started_at = now() - interval '1 hour'
       from work_attempts a where a.process_id = p.id and a.work = $1`,
      [other],
    );
    await dieWith(work, 3);
    assert.deepEqual(await begin(startProcess(), work), { kind: 'wait', afterSeconds: 60 });
    await beside.end('DONE');
    await run('delete from interrupted_work where work = $1', [work]);
  });

  it('begin alone after deaths that other work survived, and end where the process dies again', async () => {
    const [work, beside, next] = [newWork(), newWork(), newWork()];
    for (let death = 0; death < 3; death += 1) {
      const process = startProcess();
      for (const each of [work, beside]) {
        const begun = await begin(process, each);
        if (begun.kind === 'wait') attemptOf(await begin(process, each));
      }
      await die(process, work);
    }
    const process = startProcess();
    await attemptOf(await begin(process, next)).end('DONE');
    assert.deepEqual(await begin(process, work), { kind: 'wait', afterSeconds: 60 });
    assert.deepEqual(await begin(process, beside), { kind: 'wait', afterSeconds: 60 });
    assert.deepEqual(await begin(process, work), { kind: 'wait', afterSeconds: 15 }, 'a process has just died');
    await calm();
    const running = attemptOf(await begin(process, next));
    const alone = begin(process, work);
    assert.equal(await Promise.race([alone, Promise.resolve('waits')]), 'waits');
    await running.end('DONE');
    attemptOf(await alone);
    assert.equal(process.isOpen, false);
    const waiting = begin(process, next);
    assert.equal(await Promise.race([waiting, Promise.resolve('waits')]), 'waits');
    await die(process, work);
    const given = await begin(startProcess(), work);
    assert.match(given.kind === 'give-up' ? given.reason.message : given.kind, /ended 4 times while it worked on this/);
    const left = await run('select work, deaths, state from interrupted_work where work = any($1)', [[work, beside]]);
    assert.deepEqual(
      left,
      [{ work: beside, deaths: 0, state: 'AGAIN' }],
      'what died with it is not suspected any more',
    );
  });

  it('that succeed alone are not suspected any more', async () => {
    const [work, next] = [newWork(), newWork()];
    await dieWith(work, 3);
    const process = startProcess();
    await attemptOf(await begin(process, next)).end('DONE');
    assert.deepEqual(await begin(process, work), { kind: 'wait', afterSeconds: 60 });
    await calm();
    const attempt = attemptOf(await begin(process, work));
    await attempt.end('FAILED');
    assert.equal(process.isOpen, true);
    const [row] = await run('select deaths, state from interrupted_work where work = $1', [work]);
    assert.deepEqual(row, { deaths: 0, state: 'AGAIN' });
    await attemptOf(await begin(process, work)).end('DONE');
  });

  it('end after a day of interruptions', async () => {
    const work = newWork();
    await dieWith(work, 2);
    await run(`update interrupted_work set first_at = now() - interval '1 day' where work = $1`, [work]);
    const given = await begin(startProcess(), work);
    assert.match(given.kind === 'give-up' ? given.reason.message : given.kind, /interrupted 2 times/);
  });
});

function attemptOf(begun: Begun): Attempt {
  return begun.kind === 'begun' ? begun.attempt : assert.fail(JSON.stringify(begun));
}

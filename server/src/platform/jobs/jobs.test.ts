import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../kernel/errors.ts';
import { until } from '../../testing/until.ts';
import { createTestDatabase, type TestDatabase } from '../db/testing.ts';
import { createLogger } from '../log.ts';
import { defineJob, type JobRun } from './job.ts';
import { type Jobs, openJobs } from './jobs.ts';

const log = createLogger({ level: 'silent' });
const settings = { retryLimit: 2, heartbeatSeconds: 10, expireInSeconds: 600 };

describe('jobs', () => {
  let test: TestDatabase;
  const opened: Jobs[] = [];
  before(async () => {
    test = await createTestDatabase();
  });
  after(async () => {
    await Promise.all(opened.map((jobs) => jobs.stop({ graceMs: 1_000 })));
    await test.close();
  });

  async function open(): Promise<Jobs> {
    const jobs = openJobs({ url: test.url, db: test.db, log, worker: true });
    opened.push(jobs);
    await jobs.start();
    return jobs;
  }

  it('runs a job once when the transaction that sent it commits, and never when it rolls back', async () => {
    const job = defineJob<{ word: string }>({ name: 'commit', ...settings });
    const jobs = await open();
    const seen: string[] = [];
    const handle = async ({ word }: { word: string }): Promise<void> => void seen.push(word);
    await jobs.work({ job, handle, giveUp: async () => {} });
    await assert.rejects(
      test.db.transaction(async (tx) => {
        await jobs.send(tx, job, { word: 'rolled back' });
        throw new Error('no');
      }),
    );
    await test.db.transaction((tx) => jobs.send(tx, job, { word: 'committed' }));
    await until(() => seen.length > 0);
    // Jobs are fetched in the order they were sent.
    await test.db.transaction((tx) => jobs.send(tx, job, { word: 'afterwards' }));
    await until(() => seen.includes('afterwards'));
    assert.deepEqual(seen, ['committed', 'afterwards']);
  });

  it('retries a transient failure later, and counts the attempts', async () => {
    const job = defineJob<{ n: number }>({ name: 'again', ...settings });
    const jobs = await open();
    const attempts: { attempt: number; at: number }[] = [];
    const done = signalled();
    await jobs.work({
      job,
      handle: async (_, { attempt }) => {
        attempts.push({ attempt, at: Date.now() });
        if (attempt === 1) throw new AppError('SERVICE_UNAVAILABLE');
        done.fire();
      },
      giveUp: async () => assert.fail('must not give up'),
    });
    await test.db.transaction((tx) => jobs.send(tx, job, { n: 1 }));
    await done.promise;
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      [1, 2],
    );
    assert.ok(attempts[1]!.at - attempts[0]!.at >= 1_500); // two attempts were just compared
  });

  it('fails permanently on a permanent error, with the reason', async () => {
    const job = defineJob<{ n: number }>({ name: 'hopeless', ...settings });
    const jobs = await open();
    const attempts: number[] = [];
    const reasons: string[] = [];
    await jobs.work({
      job,
      handle: async ({ n }) => {
        attempts.push(n);
        throw new AppError('TRANSCODE_FAILED', 'This is a text file.');
      },
      giveUp: async (_, reason) => void reasons.push(reason.message),
    });
    for (const n of [1, 2]) {
      await test.db.transaction((tx) => jobs.send(tx, job, { n }));
      await until(() => reasons.length === n);
    }
    assert.deepEqual(
      [attempts, reasons],
      [
        [1, 2],
        ['This is a text file.', 'This is a text file.'],
      ],
    );
  });

  it('hands a running job to another worker when it stops, immediately and without using up an attempt', async () => {
    const job = defineJob<{ n: number }>({ name: 'back', ...settings, retryLimit: 0 });
    const first = await open();
    const started = signalled();
    await first.work({
      job,
      handle: async (_, { signal }) => {
        started.fire();
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
      giveUp: async () => assert.fail('must not give up'),
    });
    await test.db.transaction((tx) => first.send(tx, job, { n: 1 }));
    await started.promise;
    await first.stop({ graceMs: 5_000 });
    const second = await open();
    const taken = signalled<JobRun>();
    await second.work({
      job,
      handle: async (_, run) => taken.fire(run),
      giveUp: async () => assert.fail('must not give up'),
    });
    assert.equal((await taken.promise).attempt, 1);
  });

  it(
    'hands the job of a killed worker to another within 15 seconds, without using up an attempt',
    THOROUGH,
    async () => {
      const job = defineJob<{ n: number }>({ name: 'long', ...settings, retryLimit: 3 });
      const lastChance = defineJob<{ n: number }>({ name: 'last-chance', ...settings, retryLimit: 0 });
      const jobs = await open();
      const fixture = fileURLToPath(new URL('./lost-worker.fixture.ts', import.meta.url));
      const child = spawn(process.execPath, [fixture, test.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        await test.db.transaction(async (tx) => {
          await jobs.send(tx, job, { n: 1 });
          await jobs.send(tx, lastChance, { n: 2 });
        });
        let output = '';
        for await (const chunk of child.stdout) {
          output += chunk;
          if (output.includes('took long') && output.includes('took last-chance')) break;
        }
      } finally {
        child.kill('SIGKILL');
      }
      const killedAt = Date.now();
      const taken = signalled<JobRun>();
      const takenLast = signalled<JobRun>();
      const giveUp = async () => assert.fail('must not give up');
      await jobs.work({ job, handle: async (_, run) => taken.fire(run), giveUp });
      await jobs.work({ job: lastChance, handle: async (_, run) => takenLast.fire(run), giveUp });
      assert.equal((await taken.promise).attempt, 2);
      const seconds = (Date.now() - killedAt) / 1_000;
      assert.ok(seconds < 15, `took ${seconds} s`);
      assert.equal((await takenLast.promise).attempt, 2);
    },
  );

  it('fails an attempt that takes too long', async () => {
    const job = defineJob<{ n: number }>({ name: 'endless', ...settings, retryLimit: 0, expireInSeconds: 6 });
    const jobs = await open();
    const ended = signalled<AppError>();
    await jobs.work({
      job,
      handle: async (_, { signal }) => {
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
      giveUp: async (_, reason) => ended.fire(reason),
    });
    await test.db.transaction((tx) => jobs.send(tx, job, { n: 1 }));
    assert.equal((await ended.promise).code, 'INTERNAL_SERVER_ERROR');
  });

  it('reports the waiting jobs of each queue', async () => {
    const job = defineJob<{ n: number }>({ name: 'waiting', ...settings });
    const jobs = await open();
    await test.db.transaction((tx) => jobs.send(tx, job, { n: 1 }, { startAfterSeconds: 600 }));
    const waiting = async () => (await jobs.depths()).find(({ name }) => name === 'waiting')?.waiting;
    await until(async () => (await waiting()) === 1, 'the waiting job was never counted');
  });
});

function signalled<T = void>(): { promise: Promise<T>; fire: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { promise, fire: resolve };
}

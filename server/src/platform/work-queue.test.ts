import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkQueue } from './work-queue.ts';

describe('a work queue', () => {
  it('runs so many at a time, the others in their order, and refuses what is too much', async () => {
    const queue = new WorkQueue({ concurrency: 2, maxWaiting: 2, refusal: 'Too much.' });
    const begun: number[] = [];
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const work = gates.map((gate, index) =>
      queue.run(async () => {
        begun.push(index);
        await gate.promise;
        return index;
      }),
    );
    await assert.rejects(
      queue.run(async () => 4),
      { code: 'SERVICE_UNAVAILABLE', message: 'Too much.' },
    );
    assert.deepEqual(begun, [0, 1]);
    gates[1]?.resolve();
    assert.equal(await work[1], 1);
    gates[2]?.resolve();
    assert.equal(await work[2], 2);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    gates[0]?.resolve();
    gates[3]?.resolve();
    assert.deepEqual(await Promise.all(work), [0, 1, 2, 3]);
  });

  it('goes on after a failure', async () => {
    const queue = new WorkQueue({ concurrency: 1, maxWaiting: 1, refusal: 'Too much.' });
    const [failed, next] = [queue.run(() => Promise.reject(new Error('cut off'))), queue.run(async () => 'next')];
    await assert.rejects(failed, /cut off/);
    assert.equal(await next, 'next');
    assert.equal(await queue.run(async () => 'later'), 'later');
  });
});

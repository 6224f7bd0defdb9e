import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { InThread, ThreadError } from './in-thread.ts';
import type { FixtureCall } from './work.fixture.ts';

const WORK = new URL('./work.fixture.ts', import.meta.url);
const threaded = (deadlineMs = 10_000) => new InThread<FixtureCall, unknown>(WORK, { deadlineMs, maxHeapMb: 32 });

describe('work in a thread', () => {
  it('is done one after another, by a thread that is kept', async () => {
    const thread = threaded();
    const calls = [1, 2, 3].map((n) => thread.run({ kind: 'count', n }));
    assert.deepEqual(await Promise.all(calls), [1, 3, 6]);
  });

  it('throws what the function throws, and goes on', async () => {
    const thread = threaded();
    await assert.rejects(thread.run({ kind: 'fail' }), /It failed/);
    assert.equal(await thread.run({ kind: 'count', n: 5 }), 5);
  });

  it('ends after its deadline and beyond its memory, and starts again', async () => {
    const thread = threaded(1_000);
    assert.equal(await thread.run({ kind: 'count', n: 5 }), 5);
    let hasEnded = false;
    const call = thread.run({ kind: 'compute', ms: 60_000 }).finally(() => {
      hasEnded = true;
    });
    const rejected = assert.rejects(call, ThreadError);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    assert.equal(hasEnded, false, 'the event loop turns meanwhile');
    await rejected;
    assert.equal(await thread.run({ kind: 'count', n: 2 }), 2);
    await assert.rejects(thread.run({ kind: 'fill' }), ThreadError);
    assert.equal(await thread.run({ kind: 'count', n: 1 }), 1);
  });

  it('is refused where too many calls wait', async () => {
    const thread = threaded();
    const calls = Array.from({ length: 52 }, () => thread.run({ kind: 'count', n: 1 }).catch(({ code }) => code));
    const answers = await Promise.all(calls);
    assert.deepEqual(answers.slice(49), [50, 51, 'SERVICE_UNAVAILABLE']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onceAborted } from './abort-callbacks.ts';

describe('callbacks of a signal', () => {
  it('are called once it is aborted, unless they were removed', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onceAborted(controller.signal, () => called.push('first'));
    const remove = onceAborted(controller.signal, () => called.push('second'));
    onceAborted(controller.signal, () => called.push('third'));
    remove();
    assert.deepEqual(called, []);
    controller.abort();
    assert.deepEqual(called, ['first', 'third']);
  });
});

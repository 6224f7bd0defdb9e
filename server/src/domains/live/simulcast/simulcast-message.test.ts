import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageQueue, type SimulcastMessage } from './simulcast-message.ts';

const message = (atMs: number, bytes = 1): SimulcastMessage => {
  return { track: 'video', atMs, isKeyframe: true, bytes: Buffer.alloc(bytes) };
};

describe('what waits for a target', () => {
  it('is taken in its order', () => {
    const queue = new MessageQueue();
    for (const atMs of [0, 40, 80]) assert.equal(queue.push(message(atMs)), true);
    assert.deepEqual([queue.shift()?.atMs, queue.shift()?.atMs, queue.shift()?.atMs, queue.shift()], [0, 40, 80, null]);
  });

  const TOO_MUCH: readonly (readonly [what: string, messages: readonly SimulcastMessage[]])[] = [
    ['more than five seconds', [message(0), message(5_000), message(5_001)]],
    ['more than eight megabytes', [message(0, 4 * 1024 ** 2), message(40, 4 * 1024 ** 2), message(80)]],
  ];
  for (const [what, messages] of TOO_MUCH)
    it(`is left out where it is ${what}`, () => {
      const queue = new MessageQueue();
      assert.deepEqual(
        messages.map((each) => queue.push(each)),
        [true, true, false],
      );
      assert.equal(queue.shift(), null);
      assert.equal(queue.push(message(9_000)), true);
    });

  it('may be one picture that is larger', () => {
    assert.equal(new MessageQueue().push(message(0, 9 * 1024 ** 2)), true);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PacketOrder } from './packet-order.ts';
import { SenderClock } from './sender-clock.ts';
import { Unwrapper } from './unwrapper.ts';

/** What is passed on of packets that arrive at these times. */
function ordered(
  arrivals: readonly (readonly [sequenceNumber: number, atMs: number])[],
  endMs = 0,
): (number | 'lost')[] {
  const passed: (number | 'lost')[] = [];
  const order = new PacketOrder({
    patienceMs: 100,
    onPacket: ({ sequenceNumber }) => passed.push(sequenceNumber),
    onLost: () => passed.push('lost'),
  });
  const payload = Buffer.alloc(1);
  for (const [sequenceNumber, atMs] of arrivals)
    order.push({ sequenceNumber, timestamp: 0, marker: true, payload }, atMs);
  order.giveUp(endMs);
  return passed;
}

describe('packets', () => {
  it('are passed on in order, each once, beyond the largest number', () => {
    assert.deepEqual(
      ordered([
        [65_534, 0],
        [0, 0],
        [65_535, 0],
        [65_535, 0],
        [2, 1],
        [1, 2],
        [0, 3],
      ]),
      [65_534, 65_535, 0, 1, 2],
    );
  });

  it('are waited for, and given up', () => {
    const arrivals = [
      [1, 0],
      [3, 10],
      [5, 60],
    ] as const;
    assert.deepEqual(ordered(arrivals, 109), [1]);
    assert.deepEqual(ordered(arrivals, 110), [1, 'lost', 3]);
    assert.deepEqual(ordered(arrivals, 160), [1, 'lost', 3, 'lost', 5]);
  });

  it('are left out where they come after that', () => {
    const arrivals = [
      [1, 0],
      [3, 10],
      [5, 110],
      [2, 111],
      [4, 112],
    ] as const;
    assert.deepEqual(ordered(arrivals), [1, 'lost', 3, 4, 5]);
  });

  it('of a source that restarts are passed on from there', () => {
    assert.deepEqual(
      ordered([
        [100, 0],
        [102, 0],
        [30_000, 1],
        [30_001, 1],
      ]),
      [100, 'lost', 30_000, 30_001],
    );
  });
});

describe('numbers that wrap', () => {
  it('continue in both directions', () => {
    const unwrapper = new Unwrapper(32);
    assert.deepEqual(
      [4_294_967_295, 5, 4_294_967_290, 3_000_000_000].map((each) => unwrapper.unwrap(each)),
      [4_294_967_295, 4_294_967_301, 4_294_967_290, 3_000_000_000],
    );
  });
});

describe('the clock of a sender', () => {
  it('is that of its reports', () => {
    const clock = new SenderClock(90_000);
    assert.equal(clock.timeOf(90_000), null);
    clock.report(90_000, 5_000);
    assert.deepEqual([clock.timeOf(90_000), clock.timeOf(180_000), clock.timeOf(0)], [5_000, 6_000, 4_000]);
  });

  it('is followed where it drifts, and not where it is set', () => {
    const clock = new SenderClock(48_000);
    clock.report(0, 1_000);
    clock.report(48_000, 2_001);
    assert.equal(clock.timeOf(48_000), 2_001);
    clock.report(96_000, 3_603_000);
    assert.equal(clock.timeOf(96_000), 3_006);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decorrelator } from './decorrelator.ts';
import { randomOf } from './scenes.fixture.ts';

const BINS = 512;

/** The correlation of the last of so many frames, in which both channels are opposite in part of the bins. */
function leftCorrelation(frames: number, oppositeBins: number): { correlation: number; changed: boolean } {
  const random = randomOf(1);
  const decorrelator = new Decorrelator();
  const expected = Float64Array.from({ length: BINS }, (_, bin) => (bin < oppositeBins ? 1 : 0));
  let [shared, power, changed] = [0, 0, false];
  for (let frame = 0; frame < frames; frame += 1) {
    const values = () => Float64Array.from({ length: BINS }, () => random() - 0.5);
    const [leftRe, leftIm, rightRe, rightIm] = [values(), values(), values(), values()];
    for (let bin = 0; bin < oppositeBins; bin += 1) {
      rightRe[bin] = -leftRe[bin]!;
      rightIm[bin] = -leftIm[bin]!;
    }
    const before = leftRe.slice();
    decorrelator.apply({ leftRe, leftIm, rightRe, rightIm }, expected);
    changed ||= leftRe.some((value, bin) => value !== before[bin]);
    [shared, power] = [0, 0];
    for (let bin = 0; bin < BINS; bin += 1) {
      shared += leftRe[bin]! * rightRe[bin]! + leftIm[bin]! * rightIm[bin]!;
      power += (leftRe[bin]! ** 2 + leftIm[bin]! ** 2 + rightRe[bin]! ** 2 + rightIm[bin]! ** 2) / 2;
    }
  }
  return { correlation: shared / power, changed };
}

test('surrounds that are opposite in many bins are turned apart within a second', () => {
  assert.ok(leftCorrelation(1, 400).correlation < -0.6);
  const { correlation } = leftCorrelation(24, 400);
  assert.ok(Math.abs(correlation) < 0.3, `${correlation}`);
});

test('surrounds that are opposite in few bins, or silent, stay as they are', () => {
  assert.equal(leftCorrelation(24, 50).changed, false);
  const zeros = () => new Float64Array(2);
  const channels = { leftRe: zeros(), leftIm: zeros(), rightRe: zeros(), rightIm: zeros() };
  new Decorrelator().apply(channels, Float64Array.of(1, 0));
  assert.deepEqual([...channels.leftRe, ...channels.rightIm], [0, 0, 0, 0]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnimationTimeline, animationRate } from './animation-times.ts';

const times = (count: number, ...delays: number[]) => Array.from({ length: count }, () => delays).flat();

const rates: readonly (readonly [name: string, delaysMs: readonly number[], rate: string])[] = [
  ['equal delays', times(10, 100), '10/1'],
  ['delays of 15 frames a second, in hundredths', [...times(20, 60, 70, 70), 60], '15/1'],
  ['delays of 30 frames a second, in milliseconds', [...times(20, 33, 33, 34), 33], '30/1'],
  ['60 frames a second', [...times(20, 16, 17, 17), 17], '60/1'],
  ['the shortest delays that GIF has', times(150, 20), '50/1'],
  ['one frame in three seconds', times(4, 3_000), '1/3'],
  ['a single frame', [40], '25/1'],
  ['equal delays and a longer last frame', [...times(50, 50), 2_000], '20/1 variable'],
  ['multiples of a tenth', [100, 300, 100, 500], '6/1 variable'],
];
for (const [name, delaysMs, expected] of rates) {
  test(`${name}: ${expected} frames per second`, () => {
    const { frameRate, variableFrameRate } = animationRate(delaysMs);
    assert.equal(`${frameRate.num}/${frameRate.den}${variableFrameRate ? ' variable' : ''}`, expected);
  });
}

test('delays are those between packets, and the duration of the last one', () => {
  const timeline = new AnimationTimeline();
  for (const line of ['0,0.000000,0.000000,0.050000', '0,0.050000,0.050000,0.020000', '0,0.120000,N/A,0.400000', ''])
    timeline.add(line);
  assert.deepEqual(timeline.delaysMs, [50, 70, 400]);
});

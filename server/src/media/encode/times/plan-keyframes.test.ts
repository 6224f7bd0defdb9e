import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planKeyframes } from './plan-keyframes.ts';

const at25 = { rate: 25, end: 500 };
const cases: readonly (readonly [
  name: string,
  starts: readonly number[],
  given: readonly number[],
  found: readonly number[],
])[] = [
  ['in the middle of segments of 4 s', [0, 100, 200, 300, 400], [], [50, 150, 250, 350, 450]],
  ['at those of the source', [0, 150, 300, 400], [0, 60, 150, 300, 400], [30, 60, 105, 200, 250, 350, 450]],
  [
    'but not less than a second from the one before',
    [0, 100, 200, 300, 400],
    [0, 5, 10, 60, 95, 100],
    [30, 60, 150, 250, 350, 450],
  ],
];
for (const [name, starts, given, found] of cases)
  test(`keyframes of encoded renditions are ${name}`, () => {
    assert.deepEqual(planKeyframes({ ...at25, starts, given }), found);
  });

test('keyframes are pictures of a source that keeps its times, at most two seconds apart where there are any', () => {
  const points = [0, 45_000, 90_000, 180_100, 225_000, 540_000, 585_000, 630_000];
  const pictures = { points, before: points, end: 900_000 };
  const planned = planKeyframes({ rate: 90_000, starts: [0, 540_000], given: [], end: 900_000, pictures });
  assert.deepEqual(planned, [90_000, 225_000, 630_000]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyframesOf, planChunks, type Timeline } from './timeline.ts';

const every4s: Timeline = { baseRate: { num: 25, den: 1 }, segmentFrames: 100, cuts: null };
const ordinary = { durationMs: 60_000, randomAccess: true, costPerSecond: 1 };
/** Start and end in frames of each chunk, and its first segment. */
const chunks = (timeline: Timeline, options: Partial<typeof ordinary> | { durationMs: null }) =>
  planChunks(timeline, { ...ordinary, ...options }).map(({ startFrame, endFrame, firstSegment }) => [
    startFrame,
    endFrame,
    firstSegment,
  ]);

test('a minute is five chunks, the first of one segment', () => {
  assert.deepEqual(chunks(every4s, {}), [
    [0, 100, 0],
    [100, 500, 1],
    [500, 900, 5],
    [900, 1300, 9],
    [1300, null, 13],
  ]);
});

test('an hour is divided by what it costs to encode, into parts of at least 20 s', () => {
  const lengths = (costPerSecond: number) =>
    planChunks(every4s, { durationMs: 3_600_000, randomAccess: true, costPerSecond })
      .slice(1, -1)
      .map(({ startFrame, endFrame }) => ((endFrame ?? 0) - startFrame) / 25);
  assert.deepEqual([...new Set(lengths(1.5))], [20]);
  assert.deepEqual([...new Set(lengths(0.5))], [60]);
  assert.deepEqual([...new Set(lengths(0.01))], [600]);
});

const whole: [name: string, options: Parameters<typeof chunks>[1]][] = [
  ['a source that is not decoded from the middle', { randomAccess: false } as never],
  ['a source of unknown length', { durationMs: null }],
  ['a source of 5 s', { durationMs: 5_000 }],
];
for (const [name, options] of whole)
  test(`${name} is one chunk`, () => assert.deepEqual(chunks(every4s, options), [[0, null, 0]]));

test('chunks begin with segments, whose keyframes are counted from there', () => {
  const timeline = { ...every4s, cuts: [0, 130, 250, 400, 700, 720] };
  const found = planChunks(timeline, { ...ordinary, durationMs: 31_000 });
  assert.deepEqual(
    found.map((chunk) => [chunk.startFrame, chunk.endFrame, chunk.firstSegment, keyframesOf(timeline, chunk)]),
    [
      [0, 130, 0, [0]],
      [130, 400, 1, [0, 120]],
      [400, 700, 3, [0]],
      [700, null, 4, [0, 20]],
    ],
  );
});

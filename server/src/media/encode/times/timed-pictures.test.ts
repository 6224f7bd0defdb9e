import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listedTimes, selectTaken, taken } from './timed-pictures.ts';
import { decodeTimesOf, startsAt } from './timed-samples.ts';
import { allKeyframesOf, keyframesBeforeGaps, planChunks, timedCuts } from './timeline.ts';

const FRAME = 3000;

describe('pictures that keep the times of their source', () => {
  it('are all taken, but for two at the same time', () => {
    assert.deepEqual(taken([0, 1, 3000, 3000, 6001], { cuts: [0], leastStep: 1 }), [0, 1, 3000, 6001]);
    assert.equal(
      selectTaken({ cuts: [0, 9000], leastStep: 1 }),
      "select='isnan(prev_selected_pts)+gte(pts-prev_selected_pts,1)'",
    );
  });

  it('are dropped where they follow each other faster than a rendition shows them, but for those of cuts', () => {
    const times = [0, 1500, 3000, 4500, 6000, 7500, 10_000, 13_000];
    assert.deepEqual(taken(times, { cuts: [0, 4500], leastStep: 2250 }), [0, 3000, 4500, 7500, 10_000, 13_000]);
    // A picture within a millisecond before a cut is the first one of its segment.
    assert.deepEqual(taken(times, { cuts: [0, 4580], leastStep: 2250 }), [0, 3000, 4500, 7500, 10_000, 13_000]);
    const select = selectTaken({ cuts: [0, 4500], leastStep: 2250 });
    assert.match(select, /lt\(prev_selected_pts,if\(lt\(pts,4410\),-90,4410\)\)/);
  });

  it('are read from the list that ffmpeg writes', () => {
    const list =
      '#tb 0: 1/90000\n0,          0,          0,     3000,        1, 0x00ff00ff\n0, 3000, 3017, 1, 1, 0x0\n';
    assert.deepEqual(listedTimes(list), [0, 3017]);
  });

  it('begin segments of about the wanted length, the last one not shorter than a second', () => {
    const points = [0, 45_000, 90_000, 360_400, 450_000, 720_000, 730_000];
    const before = points.map((point) => point - FRAME);
    assert.deepEqual(timedCuts({ points, before, end: 1_000_000 }, 360_000), [0, 360_400, 730_000]);
    assert.deepEqual(timedCuts({ points, before, end: 800_000 }, 360_000), [0, 360_400]);
  });

  it('are keyframes before a long gap that ends with a segment', () => {
    const times = { points: [0, 45_000, 400_000, 800_000], before: [0, 42_000, 48_000, 797_000], end: 900_000 };
    const cuts = [0, 400_000, 800_000];
    const keyframes = keyframesBeforeGaps(times, cuts);
    assert.deepEqual(keyframes, [48_000]);
    const timed = { end: 900_000 };
    const timeline = { baseRate: { num: 90_000, den: 1 }, segmentFrames: 360_000, cuts, keyframes, timed };
    const chunks = planChunks(timeline, { durationMs: 10_000, randomAccess: true, costPerSecond: 1 });
    assert.deepEqual(
      chunks.map((chunk) => [chunk.startFrame, chunk.endFrame, allKeyframesOf(timeline, chunk)]),
      [
        [0, 400_000, [0, 48_000]],
        [400_000, null, [0, 400_000]],
      ],
    );
  });

  /** Pictures I P B b in the order of decoding, with a gap of 3 s after the second in that of display. */
  const times = Float64Array.of(0, 279_000, 3000, 276_000, 285_000, 282_000);
  it('are decoded in time, at rising times, each segment from its start', () => {
    const delay = 2 * FRAME;
    const shown = { times, starts: [0, 4], cuts: [0, 285_000], ends: [285_000, 288_000], delay };
    assert.deepEqual(
      [...decodeTimesOf({ ...shown, times: times.slice(0, 5), ends: [285_000, 288_000] })],
      [...[0, 3000, 9000, 279_000, 285_000, 288_000]],
    );
  });

  it('have the times of a constant rate where they have one', () => {
    const even = Float64Array.of(0, 9000, 3000, 6000, 12_000);
    const shown = { times: even, starts: [0, 4], cuts: [0, 12_000], ends: [12_000, 15_000], delay: 6000 };
    assert.deepEqual([...decodeTimesOf(shown)], [0, 3000, 6000, 9000, 12_000, 15_000]);
  });

  it('begin segments with keyframes only, among others', () => {
    const sync = Uint32Array.of(0, 2, 4);
    assert.deepEqual(startsAt([0, 285_000], times, { sync, count: 6 }), [0, 4]);
    assert.deepEqual(startsAt([0, 200_000], times, { sync, count: 6 }), [0, 4]);
    assert.deepEqual(startsAt([0, 100_000, 200_000], times, { sync, count: 6 }), [0, -1, 4]);
  });
});

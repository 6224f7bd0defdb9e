import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speechWindows } from './speech-windows.mjs';

type Speech = readonly [from: number, to: number, probability?: number];

/** Probabilities of a minute (1,875 frames): those that are named, otherwise 0.1. */
function probabilities(...speech: Speech[]): Float32Array {
  const all = new Float32Array(1_875).fill(0.1);
  for (const [from, to, probability = 0.9] of speech) all.fill(probability, from, to);
  return all;
}

describe('windows of speech', () => {
  const cases: [name: string, speech: Speech[], windows: [startMs: number, endMs: number][]][] = [
    ['have a margin of 200 ms', [[100, 200]], [[2_976, 6_624]]],
    [
      'begin and end with the sound',
      [
        [0, 3],
        [5, 40],
        [1_870, 1_875],
      ],
      [
        [0, 1_504],
        [59_616, 60_000],
      ],
    ],
    ['are none without speech', [], []],
    ['leave out clicks of less than 120 ms', [[100, 103]], []],
    ['begin at 0.5', [[100, 200, 0.45]], []],
    [
      'last down to 0.35',
      [
        [100, 120],
        [120, 200, 0.4],
      ],
      [[2_976, 6_624]],
    ],
    [
      'join what is said in 28 s',
      [
        [100, 200],
        [400, 500],
        [900, 1_000],
      ],
      [
        [2_976, 16_224],
        [28_576, 32_224],
      ],
    ],
    [
      'have pauses of less than 300 ms within',
      [
        [100, 200],
        [208, 300],
      ],
      [[2_976, 9_824]],
    ],
    [
      'share a short pause with the next one',
      [
        [0, 860],
        [872, 1_000],
      ],
      [
        [0, 27_712],
        [27_712, 32_224],
      ],
    ],
    [
      'are cut where speech is least probable',
      [
        [0, 1_000],
        [600, 601, 0.4],
      ],
      [
        [0, 19_200],
        [19_200, 32_224],
      ],
    ],
  ];
  for (const [name, speech, windows] of cases)
    it(name, () => {
      assert.deepEqual(
        speechWindows(probabilities(...speech)).map(({ startMs, endMs }) => [startMs, endMs]),
        windows,
      );
    });

  it('are at most 28 s of speech without a pause', () => {
    const windows = speechWindows(new Float32Array(10_000).fill(0.9));
    assert.equal(windows[0]?.startMs, 0);
    assert.equal(windows.at(-1)?.endMs, 320_000);
    for (const [at, { startMs, endMs }] of windows.entries()) {
      assert.ok(endMs - startMs <= 28_000);
      assert.equal(startMs, windows[at - 1]?.endMs ?? 0);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { readKeptRanges } from './read-ranges.ts';

type Pair = readonly [startMs: number, endMs: number];
const read = (given: readonly Pair[]) =>
  readKeptRanges(
    given.map(([startMs, endMs]) => ({ startMs, endMs })),
    10_000,
    'input.keep',
  ).map(({ startMs, endMs }) => [startMs, endMs]);

describe('ranges to keep', () => {
  const fine: [string, Pair[], Pair[]][] = [
    ['without the beginning', [[1500, 10_000]], [[1500, 10_000]]],
    ['without the end', [[0, 8000]], [[0, 8000]]],
    [
      'without the middle',
      [
        [0, 3000],
        [4000, 10_000],
      ],
      [
        [0, 3000],
        [4000, 10_000],
      ],
    ],
    ['to a rounded end', [[1000, 10_900]], [[1000, 10_000]]],
  ];
  for (const [name, given, expected] of fine) it(`are read ${name}`, () => assert.deepEqual(read(given), expected));

  const bad: [string, Pair[], string, RegExp][] = [
    ['none', [], 'input.keep', /There are 0 ranges/],
    ['fifty-one', Array.from({ length: 51 }, (_, n): Pair => [n, n + 1]), 'input.keep', /There are 51 ranges/],
    ['the whole video', [[0, 10_000]], 'input.keep', /whole video/],
    ['a negative start', [[-1, 5000]], 'input.keep.0.startMs', /not a time/],
    ['a start at the end', [[10_000, 10_500]], 'input.keep.0.startMs', /not a time/],
    ['an end far beyond', [[0, 11_001]], 'input.keep.0.endMs', /after the end/],
    ['half a second', [[0, 500]], 'input.keep.0.endMs', /shorter than a second/],
    ['an end before the start', [[5000, 4000]], 'input.keep.0.endMs', /shorter than a second/],
    [
      'ranges in the wrong order',
      [
        [5000, 6000],
        [1000, 2000],
      ],
      'input.keep.1.startMs',
      /does not begin after/,
    ],
    [
      'ranges that overlap',
      [
        [0, 3000],
        [2000, 5000],
      ],
      'input.keep.1.startMs',
      /does not begin after/,
    ],
    [
      'ranges that meet',
      [
        [0, 3000],
        [3000, 5000],
      ],
      'input.keep.1.startMs',
      /does not begin after/,
    ],
  ];
  for (const [name, given, field, message] of bad)
    it(`are refused: ${name}`, () =>
      assert.throws(
        () => read(given),
        (error) =>
          error instanceof AppError &&
          error.code === 'INVALID_INPUT' &&
          error.field === field &&
          message.test(error.message) &&
          error.suggestedFix !== '',
      ));
});

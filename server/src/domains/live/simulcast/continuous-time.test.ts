import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ContinuousTime } from './continuous-time.ts';

const CASES: readonly (readonly [what: string, timestamps: readonly number[], ms: readonly number[]])[] = [
  ['begins at 0', [90_000, 90_040, 90_030, 90_080], [0, 40, 30, 80]],
  ['goes on over 2^32', [2 ** 32 - 40, 0, 40], [0, 40, 80]],
  ['goes on over a clock that is set back', [500_000, 500_040, 0, 40], [0, 40, 40, 80]],
  ['goes on over a clock that is set forward', [0, 40, 3_600_000, 3_600_040], [0, 40, 40, 80]],
  ['keeps a gap', [0, 9_000, 9_040], [0, 9_000, 9_040]],
  ['keeps a gap over 2^31', [2 ** 31 - 20, 2 ** 31 + 20], [0, 40]],
];

for (const [what, timestamps, ms] of CASES)
  it(`the time of an encoder ${what}`, () => {
    const time = new ContinuousTime();
    assert.deepEqual(
      timestamps.map((timestamp) => time.at(timestamp)),
      ms,
    );
  });

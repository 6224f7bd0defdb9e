import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retentionPoints, stillWatching } from './retention.ts';

test('a retention curve lasts as long as the video', () => {
  const points = retentionPoints(
    {
      secondsPerPoint: 2,
      points: [
        { second: 0, share: 1 },
        { second: 2, share: 0.5 },
      ],
    },
    7.5,
  );
  assert.deepEqual(
    points.map(({ tick, value }) => [tick, value]),
    [
      ['0:00', 1],
      ['0:02', 0.5],
      ['0:04', 0],
      ['0:06', 0],
    ],
  );
  assert.equal(stillWatching(points, 0.5), 0);
  assert.equal(stillWatching(points, 0.25), 0.5);
  assert.equal(stillWatching([], 0.5), null);
});

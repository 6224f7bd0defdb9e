import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agesBefore, describeForecast, describePoint, type Forecast, forecastPoints } from './forecast.ts';

const range = (p10: number, p50: number, p90: number) => ({ p10, p50, p90 });
const FORECAST: Forecast = {
  status: 'READY',
  reason: null,
  completeDays: 2,
  madeAt: '2026-11-02T01:00:00.000Z',
  madeAfterDays: 1,
  model: { method: 'TREES', version: 4, trainedAt: '2026-11-02T00:00:00.000Z', videos: 1_204, coverage: 0.81 },
  points: [
    {
      ...{ day: 1, at: '2026-11-01T00:00:00.000Z', views: 40, totalViews: 40 },
      ...{ viewsForecast: null, totalViewsForecast: null },
    },
    {
      ...{ day: 2, at: '2026-11-02T00:00:00.000Z', views: 1, totalViews: 41 },
      ...{ viewsForecast: range(5, 10, 30), totalViewsForecast: range(45, 50, 70) },
    },
    {
      ...{ day: 3, at: '2026-11-03T00:00:00.000Z', views: null, totalViews: null },
      ...{ viewsForecast: range(2, 6, 20), totalViewsForecast: range(47, 56, 90) },
    },
  ],
};

test('a chart of a forecast opens its range at the last day that it was made from', () => {
  assert.deepEqual(forecastPoints(FORECAST, 'TOTAL'), [
    { key: '2026-11-01T00:00:00.000Z', name: 'Day 1, 1 Nov', tick: 'Day 1', value: 40, range: [40, 40, 40] },
    { key: '2026-11-02T00:00:00.000Z', name: 'Day 2, 2 Nov', tick: 'Day 2', value: 41, range: [45, 50, 70] },
    {
      ...{ key: '2026-11-03T00:00:00.000Z', name: 'Day 3, 3 Nov', tick: 'Day 3' },
      ...{ value: 56, range: [47, 56, 90], isExpected: true },
    },
  ]);
});

test('a point tells what came, and what was forecast', () => {
  assert.deepEqual(forecastPoints(FORECAST, 'TOTAL').map(describePoint), [
    '40 views',
    '41 views, 45 to 70 forecast',
    '47 to 90 views forecast, median 56',
  ]);
  assert.deepEqual(forecastPoints(FORECAST, 'DAY').map(describePoint), [
    '40 views',
    '1 view, 5 to 30 forecast',
    '2 to 20 views forecast, median 6',
  ]);
});

test('a forecast tells what it rests on', () => {
  assert.equal(
    describeForecast(FORECAST),
    'Made from the first day by model 4, trained with 1,204 videos. For other videos, 81% ended in the range.',
  );
  const model = { method: 'PRIOR', version: 0, trainedAt: null, videos: 0, coverage: null } as const;
  assert.equal(
    describeForecast({ ...FORECAST, madeAfterDays: 7, model }),
    'Made from the first 7 days. Too few videos of this platform are old enough to learn from, so the range is wide.',
  );
});

test('earlier forecasts of a day can be chosen once they exist', () => {
  assert.deepEqual(Object.keys(agesBefore(30, 8)), ['1', '3', '7', 'LATEST']);
  assert.deepEqual(agesBefore(7, 40), { LATEST: 'Latest', 1: 'After 1 d', 3: 'After 3 d' });
  assert.deepEqual(agesBefore(30, 0), { LATEST: 'Latest' });
});

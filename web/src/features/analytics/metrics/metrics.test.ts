import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotient, seriesOf } from './metrics.ts';

test('computed metrics divide two others', () => {
  const [one, two] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];
  const points = (first: number, second: number) => ({
    points: [
      { at: one, value: first },
      { at: two, value: second },
    ],
  });
  assert.deepEqual(seriesOf('CLICK_THROUGH_RATE', { CLICKS: points(1, 0), IMPRESSIONS: points(4, 0) }), [
    { at: one, value: 0.25 },
    { at: two, value: 0 },
  ]);
  assert.deepEqual(seriesOf('VIEWS', undefined), []);
  const kpi = (value: number, deltaVsPrevious: number | null) => ({
    ...{ value, deltaVsPrevious, deltaPct: null, coverage: { share: 1 } },
  });
  assert.deepEqual(quotient(kpi(30, 10), kpi(10, 0)), {
    ...{ value: 3, deltaVsPrevious: 1, deltaPct: 50, coverage: { share: 1 } },
  });
  assert.equal(quotient(kpi(0, 0), kpi(0, 0)), null);
  assert.equal(quotient(kpi(30, null), kpi(10, null))?.deltaVsPrevious, null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, midnight, periodOf, pointName, spanName, usualGranularity } from './period.ts';
import { readPeriod } from './period-search.ts';

test('a day starts at midnight in the time zone of the channel, also where clocks change', () => {
  assert.equal(midnight('2026-11-20', 'UTC').toISOString(), '2026-11-20T00:00:00.000Z');
  assert.equal(midnight('2026-07-01', 'Europe/Berlin').toISOString(), '2026-06-30T22:00:00.000Z');
  assert.equal(midnight('2026-03-29', 'Europe/Berlin').toISOString(), '2026-03-28T23:00:00.000Z');
  assert.equal(midnight('2026-03-30', 'Europe/Berlin').toISOString(), '2026-03-29T22:00:00.000Z');
  assert.equal(midnight('2026-11-20', 'Asia/Kathmandu').toISOString(), '2026-11-19T18:15:00.000Z');
  assert.equal(
    midnight('2018-11-04', 'America/Sao_Paulo').toISOString(),
    '2018-11-04T03:00:00.000Z',
    'the clock leaps to 01:00',
  );
  assert.equal(dayOf(new Date('2026-11-19T18:15:00Z'), 'Asia/Kathmandu'), '2026-11-20');
});

test('a valid period is read from the URL, anything else is dropped', () => {
  assert.deepEqual(readPeriod({ range: 'LAST_7D' }), { range: 'LAST_7D' });
  assert.deepEqual(readPeriod({ range: 'LAST_28D' }), {}, 'the usual one needs no words');
  assert.deepEqual(readPeriod({ range: 'toString', from: '2026-01-01' }), {});
  assert.deepEqual(readPeriod({ range: 'CUSTOM', from: '2026-02-01', to: '2026-01-01' }), {});
  assert.deepEqual(readPeriod({ range: 'CUSTOM', from: '2026-02-01', to: '2026-13-01' }), {});
  const custom = readPeriod({ range: 'CUSTOM', from: '2026-02-01', to: '2026-02-01' });
  assert.deepEqual(periodOf(custom, 'Europe/Berlin'), {
    range: 'CUSTOM',
    from: '2026-01-31T23:00:00.000Z',
    to: '2026-02-01T23:00:00.000Z',
  });
  assert.deepEqual(periodOf({}, 'UTC'), { range: 'LAST_28D', from: null, to: null });
});

test('long periods are charted in weeks and months', () => {
  assert.equal(usualGranularity({}), 'DAY');
  assert.equal(usualGranularity({ range: 'YTD' }), 'WEEK');
  assert.equal(usualGranularity({ range: 'CUSTOM', from: '2026-01-01', to: '2026-01-31' }), 'DAY');
  assert.equal(usualGranularity({ range: 'CUSTOM', from: '2025-01-01', to: '2026-06-01' }), 'MONTH');
  const at = '2026-11-15T23:00:00.000Z';
  assert.equal(pointName(at, 'DAY', 'Europe/Berlin', false), '16 Nov');
  assert.equal(pointName(at, 'WEEK', 'Europe/Berlin', true), 'Week of 16 Nov 2026');
  assert.equal(pointName(at, 'MONTH', 'Europe/Berlin', true), 'November 2026');
  assert.equal(
    spanName('2026-11-01T00:00:00Z', '2026-11-08T00:00:00Z', 'UTC').replaceAll(/[\u2009\u202f]/g, ' '),
    '1 – 7 Nov 2026',
  );
});

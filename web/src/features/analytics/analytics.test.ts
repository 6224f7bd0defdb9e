import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, countryName, latency, minutes, percent, shortCount, signed } from '../../lib/numbers.ts';
import { toCsv } from './csv.ts';
import { quotient, seriesOf } from './metrics.ts';
import { dayOf, midnight, periodOf, pointName, spanName, usualGranularity } from './period.ts';
import { readPeriod } from './period-search.ts';
import { retentionPoints, stillWatching } from './retention.ts';
import { labelIndexes, nearestIndex, ticks } from './scale.ts';

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

test('ticks are round numbers that include every value', () => {
  assert.deepEqual(ticks(0, 0, true), [0, 1]);
  assert.deepEqual(ticks(0, 3, true), [0, 1, 2, 3]);
  assert.deepEqual(ticks(0, 97, true), [0, 25, 50, 75, 100]);
  assert.deepEqual(ticks(0, 1, false), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(ticks(-4, 9, true), [-5, 0, 5, 10]);
  assert.deepEqual(labelIndexes(28, 7), [0, 4, 8, 12, 16, 20, 24]);
  assert.deepEqual(labelIndexes(3, 7), [0, 1, 2]);
  assert.deepEqual(
    [nearestIndex(-5, 100, 11), nearestIndex(52, 100, 11), nearestIndex(900, 100, 11), nearestIndex(5, 100, 1)],
    [0, 5, 10, 0],
  );
});

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

test('quantities are formatted', () => {
  assert.deepEqual([0.2, 1, 59.6, 185, 6000, 75_000].map(minutes), [
    '12 s',
    '1 min',
    '1 h',
    '3 h 5 min',
    '100 h',
    '1,250 h',
  ]);
  assert.deepEqual([signed(12), signed(-3), signed(0), signed(-1.5, minutes)], ['+12', '−3', '±0', '−2 min']);
  assert.deepEqual([count(1234.4), shortCount(999.5), shortCount(12_345)], ['1,234', '999.5', '12.3k']);
  assert.deepEqual([percent(0.0123), percent(0.5), percent(1.25)], ['1.2%', '50%', '125%']);
  assert.deepEqual([latency(320.4), latency(1432)], ['320 ms', '1.4 s']);
  assert.deepEqual([countryName('DE'), countryName('ZZ'), countryName('x')], ['Germany', 'Unknown', 'Unknown']);
});

test('a CSV file quotes separators, and keeps spreadsheets from calculating texts', () => {
  assert.equal(
    toCsv(
      ['Video', 'Views'],
      [
        ['Tides, "Ebb"', 3],
        ['=HYPERLINK("x")', 0.5],
        ['-2 °C', 1],
        ['Hours', 0.8409166666666666],
      ],
    ),
    'Video,Views\r\n"Tides, ""Ebb""",3\r\n"\'=HYPERLINK(""x"")",0.5\r\n\'-2 °C,1\r\nHours,0.84\r\n',
  );
});

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

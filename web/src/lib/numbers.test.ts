import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, countryName, latency, minutes, percent, shortCount, signed } from './numbers.ts';

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

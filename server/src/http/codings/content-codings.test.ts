import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codingChooser } from './content-codings.ts';

const choose = codingChooser(['br', 'zstd', 'gzip']);

describe('the content coding', () => {
  const cases: [header: string | undefined, coding: string | null, required?: boolean][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['gzip', 'gzip'],
    ['X-GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip;q=0.8, zstd;q=0.9, br;q=0.1', 'zstd'],
    ['br;q=1.5, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'zstd'],
    ['gzip, *;q=0.5', 'gzip'],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip', true],
    ['gzip, *;q=0', 'gzip', true],
    ['*;q=0', null],
    ['identity;q=0', null],
    ['identity;q=0, *', 'br', true],
  ];
  for (const [header, coding, required = false] of cases)
    it(`for ${header ?? 'no header'} is ${coding ?? 'none'}`, () =>
      assert.deepEqual(choose(header), { coding, required }));
});

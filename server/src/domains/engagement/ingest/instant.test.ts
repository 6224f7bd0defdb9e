import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseInstant } from './instant.ts';

describe('an instant', () => {
  const known = [
    '2026-11-20T10:11:12.345Z',
    '2026-11-20T23:59:59.999Z',
    '2026-11-20T00:00:00.000Z',
    '2026-11-21T00:00:00.000Z',
    '2026-11-21T24:00:00.000Z',
    '2024-02-29T12:00:00.000Z',
    '2026-11-20T10:11:12.3456Z',
    '2026-11-20T10:11:12+02:00',
    '2026-11-20T10:11Z',
  ];
  for (const text of known) {
    it(`equals Date’s result for ${text}, also from the cache`, () => {
      assert.equal(parseInstant(text), Date.parse(text));
      assert.equal(parseInstant(text), Date.parse(text));
    });
  }

  const errors = [
    '2026-11-20',
    '2026-11-20T10:11:12.345',
    '2026-11-20T10:60:12.345Z',
    '2026-11-20T25:00:00.000Z',
    '2026-11-20T10:11:61.345Z',
    '2026-11-20T1 :11:12.345Z',
    '2026-11-20T10.11:12.345Z',
    '2026-11-20T10:11:12.34/Z',
    '2026-13-20T10:11:12.345Z',
  ];
  for (const text of errors) {
    it(`is not ${text}, even with that day in the cache`, () => {
      parseInstant('2026-11-20T10:11:12.345Z');
      assert.ok(Number.isNaN(parseInstant(text)));
    });
  }
});

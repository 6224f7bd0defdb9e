import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requireModestJson } from './json-shape.ts';

describe('the shape of JSON', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const cases: Array<[name: string, text: string, expected: RegExp | null]> = [
    ['nothing', '', null],
    ['20 levels', nested(20), null],
    ['21 levels', nested(21), /more than 20 levels/],
    ['21 levels of objects and lists', '{"a":['.repeat(11), /more than 20 levels/],
    ['many lists beside each other', `[${Array.from({ length: 1_000 }, () => '[[]]').join()}]`, null],
    ['brackets in a string', JSON.stringify({ a: '['.repeat(1_000) }), null],
    ['brackets behind an escaped quote', JSON.stringify({ a: `"${'['.repeat(1_000)}` }), null],
    ['brackets behind escaped backslashes', `{"a":"\\\\","b":${nested(30)}}`, /more than 20 levels/],
    ['brackets in a string that never ends', `{"a":"${'['.repeat(1_000)}`, null],
    ['50,000 values', `[${'0,'.repeat(49_998)}0]`, null],
    ['50,001 values and more', `[${'0,'.repeat(50_000)}0]`, /more than 50000 values/],
    ['names count too', `{${Array.from({ length: 25_001 }, (_, n) => `"${n}":0`).join()}}`, /more than 50000 values/],
  ];
  for (const [name, text, expected] of cases) {
    test(`${name}: ${expected ? 'refused' : 'accepted'}`, () => {
      const check = () => requireModestJson(Buffer.from(text));
      if (expected) assert.throws(check, expected);
      else assert.doesNotThrow(check);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ifRangeHolds, matchesEtag, parseRange } from './byte-range.ts';

const whole = { kind: 'whole' };
const part = (start: number, end: number) => ({ kind: 'part', range: { start, end } });
const unsatisfiable = { kind: 'unsatisfiable' };

describe('range of 100 bytes', () => {
  const cases: [string | undefined, object][] = [
    [undefined, whole],
    ['bytes=0-9', part(0, 9)],
    ['bytes=90-', part(90, 99)],
    ['bytes=90-500', part(90, 99)],
    ['bytes=-10', part(90, 99)],
    ['bytes=-500', part(0, 99)],
    ['BYTES=0-0', part(0, 0)],
    ['bytes=100-', unsatisfiable],
    ['bytes=-0', unsatisfiable],
    ['bytes=9-0', whole],
    ['bytes=0-1,5-6', whole],
    ['bytes=-', whole],
    ['bytes=a-b', whole],
    ['items=0-9', whole],
    ['bytes=99999999999999999999-', whole],
  ];
  for (const [header, expected] of cases) it(`${header}`, () => assert.deepEqual(parseRange(header, 100), expected));
  it('of an empty object is unsatisfiable', () =>
    assert.deepEqual([parseRange('bytes=0-', 0), parseRange('bytes=-1', 0)], [unsatisfiable, unsatisfiable]));
});

describe('conditions', () => {
  it('If-None-Match compares weakly, in lists and with a star', () => {
    assert.equal(matchesEtag('"a", W/"b"', '"b"'), true);
    assert.equal(matchesEtag('*', '"b"'), true);
    assert.equal(matchesEtag('"a"', '"b"'), false);
    assert.equal(matchesEtag(undefined, '"b"'), false);
  });
  it('If-Range compares strongly, or by the second', () => {
    const at = Date.UTC(2026, 10, 20, 1, 2, 3, 456);
    assert.equal(ifRangeHolds('"b"', '"b"', at), true);
    assert.equal(ifRangeHolds('W/"b"', '"b"', at), false);
    assert.equal(ifRangeHolds('Fri, 20 Nov 2026 01:02:03 GMT', '"b"', at), true);
    assert.equal(ifRangeHolds('Fri, 20 Nov 2026 01:02:02 GMT', '"b"', at), false);
    assert.equal(ifRangeHolds(undefined, '"b"', at), true);
  });
});

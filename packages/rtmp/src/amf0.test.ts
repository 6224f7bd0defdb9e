import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAmf0, writeAmf0 } from './amf0.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('AMF0', () => {
  it('reads a command as an encoder writes it', () => {
    const connect = bytes(
      '02 0007 636f6e6e656374 00 3ff0000000000000 03 0003 617070 02 0004 6c697665 0004 66706164 01 00 0000 09',
    );
    assert.deepEqual(readAmf0(connect), ['connect', 1, { app: 'live', fpad: false }]);
  });

  it('reads every kind of value that encoders send', () => {
    const all = bytes(
      [
        '08 00000009 0005 7769647468 00 4094000000000000 0000 09', // an ECMA array with a wrong count
        '0a 00000002 05 06', // a list of null and undefined
        '0b 4276d42e88e00000 0000', // a date
        '0c 00000002 6869', // a long text
        '0d', // unsupported
        '0f 00000001 78', // XML
        '10 0001 43 0001 61 01 01 0000 09', // an object of a class
      ].join(''),
    );
    assert.deepEqual(readAmf0(all), [
      { width: 1280 },
      [null, undefined],
      new Date('2019-09-18T05:46:40Z'),
      'hi',
      null,
      'x',
      { a: true },
    ]);
  });

  it('writes what it reads', () => {
    const values = ['onStatus', 0, null, { level: 'error', list: [1, 'zwei', undefined], nested: { yes: true } }];
    assert.deepEqual(readAmf0(writeAmf0(...values)), values);
    const long = 'x'.repeat(70_000);
    assert.deepEqual(readAmf0(writeAmf0(long)), [long]);
  });

  it('keeps a property with the name of the prototype a property', () => {
    const [value] = readAmf0(bytes('03 0009 5f5f70726f746f5f5f 03 0001 61 05 0000 09 0000 09'));
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  for (const [what, hex, message] of [
    ['ends in a number', '00 3ff0', /ends within a value/],
    ['ends in a text', '02 0005 61', /ends within a value/],
    ['ends in an object', '03 0001 61', /ends within a value/],
    ['has an unknown marker', '11', /unknown marker 17/],
    ['announces a list of four thousand million values', '0a ffffffff', /ends within a value/],
    ['nests deeper than eight levels', '0a 00000001'.repeat(10), /too complex/],
    ['has more than two thousand values', '05'.repeat(2_001), /too complex/],
  ] as const)
    it(`is refused where it ${what}`, () => {
      assert.throws(() => readAmf0(bytes(hex)), { name: 'RtmpError', message });
    });
});

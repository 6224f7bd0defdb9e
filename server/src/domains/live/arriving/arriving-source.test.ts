import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrivingSource } from './arriving-source.ts';

/** A box of ISO/IEC 14496-12, with so many bytes of content. */
function box(type: string, contentBytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + contentBytes, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, Buffer.alloc(contentBytes)]);
}

/** The same with a size of 64 bits. */
function largeBox(type: string, contentBytes: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(16 + contentBytes), 8);
  return Buffer.concat([head, Buffer.alloc(contentBytes)]);
}

const FTYP = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
const of = (...boxes: Buffer[]) => Buffer.concat([FTYP, ...boxes]);

describe('whether a file can be played from its beginning', () => {
  const cases: [what: string, head: Buffer, isAll: boolean, expected: 'mov' | 'more' | null][] = [
    ['an index first', of(box('moov', 20_000)), false, 'mov'],
    ['an index behind free space', of(box('free', 9_000), box('moov', 100)), false, 'mov'],
    ['an index behind a box with a large size', of(largeBox('uuid', 9_000), box('moov', 100)), false, 'mov'],
    ['media first', of(box('mdat', 20_000)), false, null],
    ['a fragment without an index', of(box('moof', 20_000)), false, null],
    ['free space whose end has not come', of(box('free', 100_000)).subarray(0, 20_000), false, 'more'],
    ['free space behind which nothing comes', of(box('free', 9_000)), true, null],
    ['a megabyte of free space', of(box('free', 2 ** 21)).subarray(0, 2 ** 20), false, null],
    ['a box without a size', of(Buffer.alloc(9_000)), false, null],
    ['too few bytes', FTYP, false, 'more'],
    ['all of a short file', of(box('moov', 100)), true, 'mov'],
    ['text', Buffer.from('a sentence. '.repeat(10_000)), false, null],
    ['nothing', Buffer.alloc(0), true, null],
  ];
  for (const [what, head, isAll, expected] of cases)
    it(`${expected === null ? 'cannot' : expected === 'more' ? 'is not known yet' : 'can'}: ${what}`, () => {
      const source = arrivingSource(head, isAll);
      if (source === null || source === 'more') return assert.equal(source, expected);
      assert.deepEqual(source.arguments.slice(4, 8), ['-f', expected, '-i', 'pipe:0']);
    });
});

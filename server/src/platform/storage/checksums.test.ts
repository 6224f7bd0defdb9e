import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparisonWith } from './checksums.ts';
import type { StoredChecksum } from './object-store.ts';

// Of "123456789", as printed by `crc32` and `md5sum`; of its parts "12345" and "6789" as S3 puts their MD5s together.
const STORED: readonly (readonly [name: string, stored: StoredChecksum])[] = [
  ['CRC-32', { crc32: 0xcbf43926 }],
  ['MD5', { md5: '25f9e794323b453885f5181f1b624d0b', partBytes: null }],
  ['MD5 of parts', { md5: '324730582f20c3f18cbb66d63a6137d2', partBytes: 5 }],
];

describe('bytes that are compared with a checksum', () => {
  for (const [name, stored] of STORED)
    it(`are the same or not, in chunks of any length (${name})`, () => {
      const isSame = (...chunks: string[]) => {
        const comparison = comparisonWith(stored);
        for (const chunk of chunks) comparison.add(Buffer.from(chunk));
        return comparison.isSame();
      };
      assert.deepEqual(
        [isSame('123456789'), isSame('1', '23456', '', '789'), isSame('12345', '6789')],
        [true, true, true],
      );
      assert.deepEqual([isSame('123456780'), isSame('12345678'), isSame()], [false, false, false]);
    });

  it('end with the last part where that is whole', () => {
    // md5sum of the MD5s of "12345" and "67890".
    const comparison = comparisonWith({ md5: 'a09f1cdc40fa65addf7026ee68e07b0e', partBytes: 5 });
    comparison.add(Buffer.from('1234567890'));
    assert.equal(comparison.isSame(), true);
  });
});

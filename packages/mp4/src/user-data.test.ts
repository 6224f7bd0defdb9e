import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutUserData } from './user-data.ts';

const unit = (...bytes: number[]) => Buffer.from([0, 0, 0, bytes.length, ...bytes]);
const SLICE = unit(0x65, 0x88, 0x84, 0x00);
const TIMING = unit(0x06, 0x01, 0x02, 0xaa, 0xbb, 0x80); // pic_timing of 2 bytes
const USER = unit(0x06, 0x05, 0x03, 0x61, 0x62, 0x63, 0x80); // user data of 3 bytes
const CAPTIONS = unit(0x06, 0x04, 0x01, 0xb5, 0x80); // registered user data
const BOTH = unit(0x06, 0x01, 0x02, 0xaa, 0xbb, 0x05, 0x01, 0x61, 0x80);
// A payload of 3 bytes (0 0 1), written with a byte against emulation, before user data.
const ESCAPED = unit(0x06, 0x01, 0x03, 0x00, 0x00, 0x03, 0x01, 0x05, 0x01, 0x61, 0x80);
// Type 255 + 45 = 300 is reserved and kept; sizes and types may span bytes.
const RESERVED = unit(0x06, 0xff, 0x2d, 0x01, 0x05, 0x80);

describe('a sample without user data', () => {
  for (const [what, sample, expected] of [
    ['keeps pictures and their timing', [TIMING, SLICE], [TIMING, SLICE]],
    ['loses unregistered user data', [TIMING, USER, SLICE], [TIMING, SLICE]],
    ['loses registered user data', [CAPTIONS, SLICE], [SLICE]],
    ['loses a message that holds both', [BOTH, SLICE], [SLICE]],
    ['counts sizes without bytes against emulation', [ESCAPED, SLICE], [SLICE]],
    ['keeps other messages', [RESERVED, SLICE], [RESERVED, SLICE]],
    ['is never empty', [USER], [USER]],
  ] as const)
    it(what, () => assert.deepEqual(withoutUserData(Buffer.concat(sample)), Buffer.concat(expected)));

  it('is the sample itself where lengths do not add up', () => {
    for (const bytes of [Buffer.concat([USER, Buffer.from([0, 0, 0, 9, 1])]), Buffer.from([1, 2]), Buffer.alloc(0)])
      assert.deepEqual(withoutUserData(bytes), bytes);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bufferSource } from './byte-source.ts';
import { isCutOff } from './cut-off.ts';

const box = (type: string, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32BE(bytes, 0);
  buffer.write(type, 4, 'latin1');
  return buffer;
};
const segment = Buffer.concat([box('moof', 40), box('mdat', 100)]);

for (const [name, bytes, expected] of [
  ['a whole segment', segment, false],
  ['one without its last byte', segment.subarray(0, -1), true],
  ['one that ends in the head of a box', segment.subarray(0, 44), true],
  ['one that ends after a box', segment.subarray(0, 40), false],
  ['an empty file', Buffer.alloc(0), true],
  ['text', Buffer.from('not a box, and long enough'), true],
] as const) {
  it(`${expected ? 'notices' : 'accepts'} ${name}`, async () => {
    assert.equal(await isCutOff(bufferSource(bytes)), expected);
  });
}

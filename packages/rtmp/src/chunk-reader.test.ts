import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChunkReader } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const LIMITS = { messageBytes: 1_000, chunkStreams: 3 };

/** Timestamp, type, stream and payload of each message. */
function read(data: Buffer, step = data.length, limits = LIMITS): string[] {
  const reader = new ChunkReader(limits);
  const found: string[] = [];
  for (let at = 0; at < data.length; at += step)
    for (const { timestamp, type, streamId, payload } of reader.read(data.subarray(at, at + step)))
      found.push(`${timestamp} ${type} ${streamId} ${payload.toString('hex')}`);
  return found;
}

describe('chunks', () => {
  const audio = '04 000010 000002 08 01000000 aabb';
  it('become messages, whatever the parts in which they arrive', () => {
    const data = bytes(`${audio} 44 000005 000001 09 cc 84 000007 dd c4 ee`);
    const expected = ['16 8 1 aabb', '21 9 1 cc', '28 9 1 dd', '35 9 1 ee'];
    for (let step = 1; step <= data.length; step += 1) assert.deepEqual(read(data, step), expected, `${step}`);
  });

  it('of a message may lie between those of another one', () => {
    const [first, second] = ['11'.repeat(128), '22'.repeat(72)];
    const video = `05 000000 0000c8 09 01000000 ${first}`;
    assert.deepEqual(read(bytes(`${video} ${audio} c5 ${second}`)), ['16 8 1 aabb', `0 9 1 ${first}${second}`]);
  });

  it('of type 3 after type 0 have the same time', () => {
    assert.deepEqual(read(bytes(`${audio} c4 ccdd`)), ['16 8 1 aabb', '16 8 1 ccdd']);
  });

  it('may use ids of two and three bytes', () => {
    const long = bytes('00 2a 000000 000001 08 00000000 aa 01 2a01 000000 000001 08 00000000 bb');
    assert.deepEqual(read(long, 1), ['0 8 0 aa', '0 8 0 bb']);
  });

  it('have timestamps of 32 bits, which begin again after 2^32', () => {
    const data = bytes('04 ffffff 000001 08 00000000 fffffff0 aa 44 000020 000001 08 bb');
    assert.deepEqual(read(data, 1), ['4294967280 8 0 aa', '16 8 0 bb']);
  });

  it('repeat a timestamp of 32 bits, or do not', () => {
    const [first, second] = ['11'.repeat(128), '22'.repeat(4)];
    const header = '04 ffffff 000084 09 01000000 01000000';
    for (const repeated of ['01000000', ''])
      assert.deepEqual(read(bytes(`${header} ${first} c4 ${repeated} ${second}`)), [`16777216 9 1 ${first}${second}`]);
  });

  it('change their size from the next one on, and messages are aborted', () => {
    const [first, second] = ['11'.repeat(128), '22'.repeat(200)];
    const sized = `02 000000 000004 01 00000000 000000c8 04 000000 0000c8 08 00000000 ${second}`;
    assert.deepEqual(read(bytes(sized)), [`0 8 0 ${second}`]);
    const aborted = `05 000000 0000c8 09 00000000 ${first} 02 000000 000004 02 00000000 00000005`;
    assert.deepEqual(read(bytes(`${aborted} 05 000001 000001 09 00000000 33`)), ['1 9 0 33']);
  });

  it('are read as they are written', () => {
    const writer = new ChunkWriter();
    const payload = Buffer.alloc(900, 7);
    const sized = { type: 1, timestamp: 0, streamId: 0, payload: bytes('00000200') };
    const media = [
      { type: 9, timestamp: 5, streamId: 1, payload },
      { type: 9, timestamp: 0x1_00_0000, streamId: 1, payload },
    ];
    const written = [writer.write(2, sized), ...media.map((message) => writer.write(5, message))];
    assert.deepEqual(
      read(Buffer.concat(written), 7),
      media.map(({ timestamp }) => `${timestamp} 9 1 ${payload.toString('hex')}`),
    );
  });

  for (const [what, hex, message] of [
    ['a message above the limit', '04 000000 0003e9 08 00000000', /1001 bytes, 1000 at most/],
    [
      'a fourth chunk stream',
      ['04', '05', '06', '07'].map((id) => `${id} 000000 000001 08 00000000 aa`).join(' '),
      /More than 3 chunk streams/,
    ],
    ['a chunk stream without a header', 'c4 aa', /without a message header/],
    [
      'a message within another one',
      `05 000000 0000c8 09 01000000 ${'11'.repeat(128)} 05 000000 000001 09 00000000 aa`,
      /within another one/,
    ],
    ['chunks of no bytes', '02 000000 000004 01 00000000 00000000', /cannot have 0 bytes/],
    ['a control message that is too short', '02 000000 000001 01 00000000 00', /too short/],
  ] as const)
    it(`refuse ${what}`, () => {
      assert.throws(() => read(bytes(hex)), { name: 'RtmpError', message });
    });
});

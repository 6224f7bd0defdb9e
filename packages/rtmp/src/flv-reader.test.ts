import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FlvReader } from './flv-reader.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const HEADER = '464c56 01 05 00000009 00000000';
const METADATA = '12 000002 000000 00 000000 0200 0000000d';
/** AAC, its configuration, at 0 ms; a keyframe of H.264 at 16,777,217 ms, which is shown 80 ms later. */
const SOUND = '08 000004 000000 00 000000 af001188 0000000f';
const PICTURE = '09 000007 000001 01 000000 17010000 50dada 00000012';

/** What a reader hands over. */
function readerWith(): { reader: FlvReader; read: unknown[] } {
  const read: unknown[] = [];
  const reader = new FlvReader({
    onVideo: (timestamp, tag) => read.push(['video', timestamp, tag]),
    onAudio: (timestamp, tag) => read.push(['audio', timestamp, tag]),
  });
  return { reader, read };
}

const EXPECTED = [
  ['audio', 0, { kind: 'config', codec: 'mp4a', data: bytes('1188') }],
  [
    'video',
    16_777_217,
    { kind: 'frame', codec: 'avc1', isKeyframe: true, compositionMs: 80, nanoseconds: 0, data: bytes('dada') },
  ],
];

describe('an FLV stream', () => {
  it('is read at once', () => {
    const { reader, read } = readerWith();
    reader.push(bytes(HEADER + METADATA + SOUND + PICTURE));
    assert.deepEqual(read, EXPECTED);
  });

  it('is read byte by byte, each tag as soon as it is complete', () => {
    const { reader, read } = readerWith();
    const all = bytes(HEADER + METADATA + SOUND + PICTURE);
    const counts = [...all].map((byte) => {
      reader.push(Buffer.from([byte]));
      return read.length;
    });
    assert.deepEqual(read, EXPECTED);
    assert.deepEqual([counts.indexOf(1), counts.indexOf(2)], [48, 70]);
  });

  it('is refused where it is another format, or has an unknown codec', () => {
    assert.throws(() => readerWith().reader.push(Buffer.alloc(13)), { name: 'RtmpError', message: 'This is not FLV.' });
    const flash = bytes(`${HEADER} 09 000001 000000 00 000000 12 0000000c`);
    assert.throws(() => readerWith().reader.push(flash), { name: 'RtmpError', message: /FLV codec 2/ });
  });
});

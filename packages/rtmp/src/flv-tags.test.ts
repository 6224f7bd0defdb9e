import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAudio } from './flv-audio.ts';
import { readVideo } from './flv-video.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** FourCC in hexadecimal. */
const [AVC1, HVC1, AV01, OPUS, AC3] = ['61766331', '68766331', '61763031', '4f707573', '61632d33'];
const data = bytes('dada');

describe('video messages', () => {
  const frame = { kind: 'frame', isKeyframe: true, compositionMs: 0, nanoseconds: 0, data } as const;
  for (const [what, hex, expected] of [
    ['H.264, its configuration', '17 00 000000 dada', { kind: 'config', codec: 'avc1', data }],
    ['H.264, a keyframe', '17 01 000000 dada', { ...frame, codec: 'avc1' }],
    [
      'H.264, shown 40 ms earlier',
      '27 01 ffffd8 dada',
      { ...frame, codec: 'avc1', isKeyframe: false, compositionMs: -40 },
    ],
    ['H.264, its end', '17 02 000000', { kind: 'end', codec: 'avc1' }],
    ['HEVC as codec 12', '1c 01 000050 dada', { ...frame, codec: 'hvc1', compositionMs: 80 }],
    ['enhanced HEVC, its configuration', `90 ${HVC1} dada`, { kind: 'config', codec: 'hvc1', data }],
    ['enhanced HEVC with a composition time', `91 ${HVC1} 000021 dada`, { ...frame, codec: 'hvc1', compositionMs: 33 }],
    ['enhanced HEVC without one', `a3 ${HVC1} dada`, { ...frame, codec: 'hvc1', isKeyframe: false }],
    ['enhanced AV1, which has none', `91 ${AV01} dada`, { ...frame, codec: 'av01' }],
    ['enhanced H.264, its end', `92 ${AVC1}`, { kind: 'end', codec: 'avc1' }],
    ['nanoseconds', `97 02 0b71b0 01 ${AV01} dada`, { ...frame, codec: 'av01', nanoseconds: 750_000 }],
    [
      'a long modifier, which is unknown',
      `97 ff 0101 ${'00'.repeat(258)} 11 ${AV01} dada`,
      { ...frame, codec: 'av01' },
    ],
    ['one track', `96 01 ${AV01} 00 dada`, { ...frame, codec: 'av01' }],
    ['the first of two tracks', `96 11 ${AV01} 01 000001 ff 00 000002 dada`, { ...frame, codec: 'av01' }],
    ['the first of two codecs', `96 21 ${HVC1} 01 000001 ff ${AV01} 00 000002 dada`, { ...frame, codec: 'av01' }],
    ['the second track alone', `96 01 ${AV01} 01 dada`, null],
    ['metadata of colours', `94 ${HVC1} 02 0009`, null],
    ['a command', '57 00', null],
    ['nothing', '', null],
  ] as const)
    it(`read ${what}`, () => {
      assert.deepEqual(readVideo(bytes(hex)), expected);
    });

  for (const [what, hex, message] of [
    ['of an old codec', '12 00', /FLV codec 2 is not supported/],
    ['of an unknown codec', '91 78787878 00', /"xxxx" is not supported/],
    ['that ends before the name of its codec', '91 6176', /before the name of its codec/],
    ['that ends within its header', '97 02 00', /within its header/],
    ['without a composition time', `91 ${HVC1} 00`, /too short/],
    ['with tracks that end early', `96 11 ${AV01} 00 00`, /too short/],
  ] as const)
    it(`refuse one ${what}`, () => {
      assert.throws(() => readVideo(bytes(hex)), { name: 'RtmpError', message });
    });
});

describe('audio messages', () => {
  const frame = { kind: 'frame', nanoseconds: 0, data } as const;
  for (const [what, hex, expected] of [
    ['AAC, its configuration', 'af 00 dada', { kind: 'config', codec: 'mp4a', data }],
    ['AAC', 'af 01 dada', { ...frame, codec: 'mp4a' }],
    ['MP3', '2f dada', { ...frame, codec: '.mp3' }],
    ['enhanced Opus, its configuration', `90 ${OPUS} dada`, { kind: 'config', codec: 'Opus', data }],
    ['enhanced Opus', `91 ${OPUS} dada`, { ...frame, codec: 'Opus' }],
    ['enhanced AC-3, its end', `92 ${AC3}`, { kind: 'end', codec: 'ac-3' }],
    ['the order of channels', `94 ${OPUS} 0102`, null],
    ['a second track', `95 01 ${OPUS} 01 dada`, null],
    ['nothing', '', null],
  ] as const)
    it(`read ${what}`, () => {
      assert.deepEqual(readAudio(bytes(hex)), expected);
    });

  for (const [what, hex, message] of [
    ['of Speex', 'b2 00', /FLV format 11 is not supported/],
    ['of AAC without a type', 'af', /too short/],
    ['of an unknown codec', '91 78787878 00', /"xxxx" is not supported/],
  ] as const)
    it(`refuse one ${what}`, () => {
      assert.throws(() => readAudio(bytes(hex)), { name: 'RtmpError', message });
    });
});

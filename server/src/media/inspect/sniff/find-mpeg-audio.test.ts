import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMpegAudio } from './find-mpeg-audio.ts';

/** `count` frames of a head, each so many bytes long. */
const frames = (head: readonly number[], bytes: number, count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () => Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length)])),
  );
/** Layer III of MPEG-1, 128 kbit/s at 44.1 kHz: 417 bytes. */
const MP3 = [0xff, 0xfb, 0x90, 0x00];

describe('MPEG audio after something else', () => {
  const found: [name: string, bytes: Buffer, at: number | null][] = [
    ['at the start', frames(MP3, 417, 6), 0],
    ['after garbage with sync bytes', Buffer.concat([Buffer.alloc(1_000, 0xff), frames(MP3, 417, 6)]), 1_000],
    ['of layer II', Buffer.concat([Buffer.from('text'), frames([0xff, 0xfd, 0x84, 0x00], 384, 6)]), 4],
    ['of MPEG-2', Buffer.concat([Buffer.from('text'), frames([0xff, 0xf3, 0x80, 0x00], 208, 6)]), 4],
    ['of too few frames', frames(MP3, 417, 4), null],
    ['in text', Buffer.from('This is only a text. '.repeat(500)), null],
    ['in bytes that are all 255', Buffer.alloc(5_000, 0xff), null],
  ];
  for (const [name, bytes, at] of found)
    it(`is ${at === null ? 'not found' : 'found'} ${name}`, () => assert.equal(findMpegAudio(bytes), at));
});

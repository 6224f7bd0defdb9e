import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AudioTag, readAudio } from './flv-audio.ts';
import { readVideo, type VideoTag } from './flv-video.ts';
import { writeAudio, writeVideo } from './flv-writer.ts';

const data = Buffer.from('0102', 'hex');
const VIDEO: readonly (readonly [VideoTag, string])[] = [
  [{ kind: 'config', codec: 'avc1', data }, '17000000000102'],
  [frame('avc1', true, 80), '17010000500102'],
  [frame('avc1', false, -40), '2701ffffd80102'],
  [{ kind: 'end', codec: 'avc1' }, '1702000000'],
  [{ kind: 'config', codec: 'hvc1', data }, '90687663310102'],
  [frame('hvc1', false, 40), 'a1687663310000280102'],
  [frame('av01', true, 0), '91617630310102'],
];
const AUDIO: readonly (readonly [AudioTag, string])[] = [
  [{ kind: 'config', codec: 'mp4a', data }, 'af000102'],
  [{ kind: 'frame', codec: 'mp4a', nanoseconds: 0, data }, 'af010102'],
  [{ kind: 'end', codec: 'mp4a' }, '926d703461'],
  [{ kind: 'frame', codec: 'Opus', nanoseconds: 0, data }, '914f7075730102'],
];

function frame(codec: 'avc1' | 'hvc1' | 'av01', isKeyframe: boolean, compositionMs: number): VideoTag {
  return { kind: 'frame', codec, isKeyframe, compositionMs, nanoseconds: 0, data };
}

describe('messages of tags', () => {
  for (const [tag, hex] of VIDEO)
    it(`${tag.codec} ${tag.kind} ${hex}`, () => {
      assert.equal(writeVideo(tag).toString('hex'), hex);
      assert.deepEqual(readVideo(writeVideo(tag)), tag);
    });
  for (const [tag, hex] of AUDIO)
    it(`${tag.codec} ${tag.kind} ${hex}`, () => {
      assert.equal(writeAudio(tag).toString('hex'), hex);
      assert.deepEqual(readAudio(writeAudio(tag)), tag);
    });
});

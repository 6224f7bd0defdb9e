import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iframePlaylist, isIframePlaylist } from './iframe-playlist.ts';

test('an I-frame playlist has the keyframe of each segment as a range of bytes', () => {
  const text = iframePlaylist('init.mp4', [
    { uri: 'seg-00000.m4s', durationSeconds: 4.004, sizeBytes: 9000 },
    { uri: 'seg-00001.m4s', durationSeconds: 1.5, sizeBytes: 800 },
  ]);
  assert.equal(
    text,
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:5
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-I-FRAMES-ONLY
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.004000,
#EXT-X-BYTERANGE:9000@0
seg-00000.m4s
#EXTINF:1.500000,
#EXT-X-BYTERANGE:800@0
seg-00001.m4s
#EXT-X-ENDLIST
`,
  );
  assert.equal(isIframePlaylist(text), true);
  assert.equal(isIframePlaylist(text.replace('#EXT-X-I-FRAMES-ONLY\n', '')), false);
});

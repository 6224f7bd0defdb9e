import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dashReferences, playlistReferences } from './manifest-references.ts';

const MASTER = [
  '#EXTM3U',
  '#EXT-X-VERSION:6',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="URI",URI="a1/index.m3u8"',
  '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="v1/iframes.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="audio"',
  'v1/index.m3u8',
  '',
];
const MEDIA = [
  '#EXTM3U',
  '#EXT-X-TARGETDURATION:4',
  '#EXT-X-MAP:URI="init.mp4"',
  '#EXTINF:4.000000,',
  'seg-00000.m4s',
  '#EXTINF:2.000000,',
  'seg-00001.m4s',
  '#EXT-X-ENDLIST',
  '',
];

describe('the references of an HLS playlist', () => {
  it('are its variants, renditions and I-frame playlists', () => {
    assert.deepEqual(playlistReferences(MASTER.join('\n')), {
      uris: ['a1/index.m3u8', 'v1/iframes.m3u8', 'v1/index.m3u8'],
      isWhole: true,
    });
  });

  it('are its segments and their initialization', () => {
    assert.deepEqual(playlistReferences(MEDIA.join('\r\n')), {
      uris: ['init.mp4', 'seg-00000.m4s', 'seg-00001.m4s'],
      isWhole: true,
    });
  });

  for (const [name, text] of [
    ['an empty file', ''],
    ['a media playlist without its end', MEDIA.slice(0, -2).join('\n')],
    ['a master playlist without its last variant', MASTER.slice(0, -2).join('\n')],
    ['a playlist without content', '#EXTM3U\n'],
    ['another text', MEDIA.slice(1).join('\n')],
  ] as const) {
    it(`are not whole in ${name}`, () => {
      assert.equal(playlistReferences(text).isWhole, false);
    });
  }
});

describe('the references of a DASH manifest', () => {
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<MPD type="static"><Period><AdaptationSet>
  <Representation id="v1">
    <SegmentTemplate timescale="1000" initialization="v1/init.mp4" media="v1/seg-$Number%05d$.m4s" startNumber="0">
      <SegmentTimeline><S t="0" d="4000" r="2"/><S d="1500"/></SegmentTimeline>
    </SegmentTemplate>
  </Representation>
  <Representation id="a1">
    <SegmentTemplate timescale="1000" initialization="a1/init.mp4" media="a1/$Number$.m4s" startNumber="1">
      <SegmentTimeline><S t="0" d="4000"/></SegmentTimeline>
    </SegmentTemplate>
  </Representation>
  <Representation id="t1"><BaseURL>subs/0/a&amp;b.vtt</BaseURL></Representation>
</AdaptationSet></Period></MPD>
`;

  it('are its initialization segments, each numbered segment, and captions', () => {
    assert.deepEqual(dashReferences(manifest), {
      uris: [
        'v1/init.mp4',
        'v1/seg-00000.m4s',
        'v1/seg-00001.m4s',
        'v1/seg-00002.m4s',
        'v1/seg-00003.m4s',
        'a1/init.mp4',
        'a1/1.m4s',
        'subs/0/a&b.vtt',
      ],
      isWhole: true,
    });
  });

  it('are not whole in a manifest that is cut off', () => {
    assert.equal(dashReferences(manifest.slice(0, -10)).isWhole, false);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averageBps, type MasterVariant, masterPlaylist, parseMediaPlaylist, peakSegmentBps } from './hls-playlist.ts';

const MEDIA = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.004000,
seg-00000.m4s
#EXTINF:1.5,title
seg-00001.m4s
#EXT-X-ENDLIST
`;

test('a media playlist is read', () => {
  assert.deepEqual(parseMediaPlaylist(MEDIA), {
    targetDurationSeconds: 4,
    initUri: 'init.mp4',
    segments: [
      { uri: 'seg-00000.m4s', durationSeconds: 4.004 },
      { uri: 'seg-00001.m4s', durationSeconds: 1.5 },
    ],
    ended: true,
  });
  assert.equal(parseMediaPlaylist(MEDIA.replace('#EXT-X-ENDLIST\n', '')).ended, false);
});

const broken: [name: string, text: string, message: RegExp][] = [
  ['without its first line', 'x', /4\.3\.1\.1/],
  ['without a target duration', '#EXTM3U\n#EXTINF:1,\na\n', /4\.3\.3\.1/],
  ['with a segment of unknown length', '#EXTM3U\n#EXT-X-TARGETDURATION:4\na\n', /4\.3\.2\.1/],
];
for (const [name, text, message] of broken) {
  test(`a playlist ${name} is refused, citing the rule`, () => assert.throws(() => parseMediaPlaylist(text), message));
}

const segment = (durationSeconds: number, sizeBytes: number) => ({ durationSeconds, sizeBytes });
const peaks: [name: string, segments: ReturnType<typeof segment>[], bps: number][] = [
  ['the busiest segment', [segment(4, 1000), segment(4, 3000), segment(4, 1000)], 6000],
  ['a short tail together with the segment before it', [segment(4, 1000), segment(0.5, 5000)], Math.ceil((8 * 6000) / 4.5)],
  ['a tail of half a target by itself', [segment(4, 1000), segment(2, 2000)], 8000],
  ['a film shorter than half a target', [segment(0.5, 1000)], 16_000],
  ['nothing', [], 0],
];
for (const [name, segments, bps] of peaks) test(`the peak is that of ${name}`, () => assert.equal(peakSegmentBps(segments, 4), bps));

test('the average is over everything', () => {
  assert.equal(averageBps([segment(4, 1000), segment(1, 250)]), 2000);
  assert.equal(averageBps([]), 0);
});

const variant = (height: number, bandwidthBps: number): MasterVariant => ({
  bandwidthBps,
  averageBandwidthBps: bandwidthBps / 2,
  codecs: ['avc1.64001f', 'mp4a.40.2'],
  picture: { width: Math.floor((height * 16) / 9), height, framesPerSecond: 30_000 / 1001 },
  uri: `v${height}/index.m3u8`,
});

test('the master lists a middle variant first, then upwards, with everything players ask for', () => {
  const text = masterPlaylist([variant(1080, 6000), variant(720, 4000), variant(360, 2000), variant(240, 1000)], {
    channels: 2,
    uri: 'audio/index.m3u8',
  });
  assert.equal(
    text,
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Main",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000,AVERAGE-BANDWIDTH=1000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio"
v360/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=500,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=426x240,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio"
v240/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=4000,AVERAGE-BANDWIDTH=2000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio"
v720/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=6000,AVERAGE-BANDWIDTH=3000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio"
v1080/index.m3u8
`,
  );
});

test('a silent film has no audio group', () => {
  const text = masterPlaylist([variant(1080, 6000)], null);
  assert.doesNotMatch(text, /EXT-X-MEDIA|AUDIO=/);
});

test('sound alone is a variant without resolution', () => {
  const text = masterPlaylist(
    [{ bandwidthBps: 130_000, averageBandwidthBps: 128_000, codecs: ['mp4a.40.2'], picture: null, uri: 'audio/index.m3u8' }],
    { channels: 2, uri: 'audio/index.m3u8' },
  );
  assert.match(text, /#EXT-X-STREAM-INF:BANDWIDTH=130000,AVERAGE-BANDWIDTH=128000,CODECS="mp4a\.40\.2"\naudio\/index\.m3u8\n$/);
  assert.doesNotMatch(text, /RESOLUTION|EXT-X-MEDIA/);
});

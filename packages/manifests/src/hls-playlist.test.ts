import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  audioNames,
  averageBps,
  type MasterAudio,
  type MasterVariant,
  masterPlaylist,
  parseMediaPlaylist,
  peakSegmentBps,
  singleSegmentPlaylist,
  subtitleLine,
  subtitleNames,
} from './hls-playlist.ts';

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
  test(`a playlist ${name} is refused, with the rule`, () => assert.throws(() => parseMediaPlaylist(text), message));
}

const segment = (durationSeconds: number, sizeBytes: number) => ({ durationSeconds, sizeBytes });
const peaks: [name: string, segments: ReturnType<typeof segment>[], bps: number][] = [
  ['the busiest segment', [segment(4, 1000), segment(4, 3000), segment(4, 1000)], 6000],
  [
    'a short tail together with the segment before it',
    [segment(4, 1000), segment(0.5, 5000)],
    Math.ceil((8 * 6000) / 4.5),
  ],
  ['a tail of half a target by itself', [segment(4, 1000), segment(2, 2000)], 8000],
  ['a video shorter than half a target', [segment(0.5, 1000)], 16_000],
  ['nothing', [], 0],
];
for (const [name, segments, bps] of peaks)
  test(`the peak is that of ${name}`, () => assert.equal(peakSegmentBps(segments, 4), bps));

test('the average is over all segments', () => {
  assert.equal(averageBps([segment(4, 1000), segment(1, 250)]), 2000);
  assert.equal(averageBps([]), 0);
});

const variant = (height: number, bandwidthBps: number): MasterVariant => ({
  bandwidthBps,
  averageBandwidthBps: bandwidthBps / 2,
  codecs: ['avc1.64001f', 'mp4a.40.2'],
  video: { width: Math.floor((height * 16) / 9), height, framesPerSecond: 30_000 / 1001 },
  uri: `v${height}/index.m3u8`,
  audioGroup: null,
});
const main: MasterAudio = {
  ...{ group: 'audio', name: 'Main', language: null, channels: 2, isDefault: true },
  uri: 'audio/index.m3u8',
};

test('the master lists a middle variant first, then ascending, with all attributes that players need', () => {
  const variants = [variant(1080, 6000), variant(720, 4000), variant(360, 2000), variant(240, 1000)];
  const text = masterPlaylist(
    variants.map((each) => ({ ...each, audioGroup: 'audio' })),
    [main],
  );
  assert.equal(
    text,
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Main",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000,AVERAGE-BANDWIDTH=1000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio",CLOSED-CAPTIONS=NONE
v360/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=500,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=426x240,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio",CLOSED-CAPTIONS=NONE
v240/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=4000,AVERAGE-BANDWIDTH=2000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio",CLOSED-CAPTIONS=NONE
v720/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=6000,AVERAGE-BANDWIDTH=3000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="audio",CLOSED-CAPTIONS=NONE
v1080/index.m3u8
`,
  );
});

test('the first variant is in the codec that every player has', () => {
  const inAv1 = [1080, 480].map((height) => ({
    ...variant(height, 1500),
    codecs: ['av01.0.04M.08', 'mp4a.40.2'],
    uri: `a${height}/index.m3u8`,
  }));
  const text = masterPlaylist([variant(1080, 6000), variant(480, 1000), variant(240, 500), ...inAv1], []);
  assert.deepEqual(text.match(/[av]\d+/g)?.slice(0, 2), ['v480', 'v240']);
});

test('a variant has its name where its size is not enough', () => {
  const text = masterPlaylist([{ ...variant(720, 4000), name: '720p source' }, variant(720, 2000)], []);
  assert.deepEqual(text.match(/BANDWIDTH=\d+,AVERAGE|NAME=".*"/g), [
    ...['BANDWIDTH=2000,AVERAGE', 'BANDWIDTH=4000,AVERAGE', 'NAME="720p source"'],
  ]);
});

test('players are asked to prefer all variants to an enhanced one, or it to them; it is never the first', () => {
  const enhanced = { ...variant(480, 3000), name: '480p enhanced', uri: 'e480/index.m3u8' };
  const scores = (preference: MasterVariant['enhanced']) =>
    masterPlaylist(
      [
        variant(360, 2000),
        variant(240, 1000),
        variant(720, 4000),
        preference ? { ...enhanced, enhanced: preference } : enhanced,
      ],
      [],
    ).match(/NAME=".*?"|SCORE=\d+|^[ev]\d+/gm);
  assert.deepEqual(scores('AVOIDED'), [
    ...['SCORE=3', 'v360', 'SCORE=2', 'v240', 'NAME="480p enhanced"', 'SCORE=1', 'e480', 'SCORE=4', 'v720'],
  ]);
  assert.deepEqual(scores('PREFERRED'), [
    ...['SCORE=2', 'v360', 'SCORE=1', 'v240', 'NAME="480p enhanced"', 'SCORE=4', 'e480', 'SCORE=3', 'v720'],
  ]);
  assert.doesNotMatch(masterPlaylist([variant(360, 2000)], []), /SCORE/);
});

test('I-frame playlists are listed with their own bit rates, before the variants', () => {
  const iframes = {
    ...{ bandwidthBps: 120, averageBandwidthBps: 60, codecs: 'avc1.64001f', width: 1280, height: 720 },
    uri: 'v720/iframes.m3u8',
  };
  assert.equal(
    masterPlaylist([variant(720, 4000)], [], [], [iframes]),
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=120,AVERAGE-BANDWIDTH=60,CODECS="avc1.64001f",RESOLUTION=1280x720,VIDEO-RANGE=SDR,URI="v720/iframes.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=4000,AVERAGE-BANDWIDTH=2000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,CLOSED-CAPTIONS=NONE
v720/index.m3u8
`,
  );
});

test('audio tracks are groups, 5.1 apart; each language is chosen once, and stereo first', () => {
  const track = (name: string, language: string | null, uri: string) => ({
    ...{ group: 'audio', name, language, channels: 2, isDefault: false },
    uri: `${uri}/index.m3u8`,
  });
  const stereo = [
    { ...track('English', 'en', 'audio'), isDefault: true },
    track('Comments', 'en', 'audio2'),
    track('Deutsch', 'de', 'audio3'),
  ];
  const [english, ...others] = stereo.map((each) => ({ ...each, group: 'surround' }));
  const surround = [{ ...english, channels: 6, uri: 'audio-5.1/index.m3u8' } as MasterAudio, ...others];
  const text = masterPlaylist(
    [
      ...[variant(720, 4000), variant(360, 2000)].map((each) => ({ ...each, audioGroup: 'audio' })),
      ...[variant(720, 4300), variant(360, 2300)].map((each) => ({ ...each, audioGroup: 'surround' })),
    ],
    [...stereo, ...surround],
  );
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('#EXT-X-MEDIA')),
    [
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Comments",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",URI="audio2/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio3/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6",URI="audio-5.1/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="Comments",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",URI="audio2/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio3/index.m3u8"',
    ],
  );
  assert.deepEqual(
    [...text.matchAll(/BANDWIDTH=(\d+),AVERAGE.*AUDIO="(\w+)"/g)].map(([, bps, group]) => `${bps} ${group}`),
    ['2000 audio', '2300 surround', '4000 audio', '4300 surround'],
  );
});

test('audio tracks are named by title, language or number, the first without either is the main one', () => {
  const tracks = [
    { title: null, language: null },
    { title: null, language: 'deu' },
    { title: 'Comments', language: 'eng' },
    { title: null, language: null },
  ];
  assert.deepEqual(audioNames(tracks), [
    { name: 'Main', language: null },
    { name: 'Deutsch', language: 'de' },
    { name: 'Comments', language: 'en' },
    { name: 'Audio 4', language: null },
  ]);
});

test('a silent video has no audio group', () => {
  const text = masterPlaylist([variant(1080, 6000)], []);
  assert.doesNotMatch(text, /EXT-X-MEDIA|AUDIO=/);
});

test('audio only is a variant without resolution', () => {
  const text = masterPlaylist(
    [
      {
        bandwidthBps: 130_000,
        averageBandwidthBps: 128_000,
        codecs: ['mp4a.40.2'],
        video: null,
        uri: 'audio/index.m3u8',
        audioGroup: null,
      },
    ],
    [],
  );
  assert.match(
    text,
    /#EXT-X-STREAM-INF:BANDWIDTH=130000,AVERAGE-BANDWIDTH=128000,CODECS="mp4a\.40\.2",CLOSED-CAPTIONS=NONE\naudio\/index\.m3u8\n$/,
  );
  assert.doesNotMatch(text, /RESOLUTION|EXT-X-MEDIA/);
});

test('captions are a group that every variant refers to', () => {
  const flags = { isDefault: false, isForced: false, describesSound: false };
  const french = { ...flags, name: 'français', language: 'fr', uri: 'subs/0/index.m3u8' };
  const text = masterPlaylist(
    [variant(720, 4000), variant(360, 2000)],
    [],
    [french, { ...flags, name: 'Subtitles 2', language: null, uri: 'subs/1/index.m3u8' }],
  );
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('#EXT-X-MEDIA')),
    [
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="français",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="subs/0/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Subtitles ' +
        '2",LANGUAGE="und",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="subs/1/index.m3u8"',
    ],
  );
  assert.equal(text.match(/,SUBTITLES="subs",CLOSED-CAPTIONS=NONE$/gm)?.length, 2);
  assert.doesNotMatch(masterPlaylist([variant(720, 4000)], []), /SUBTITLES/);
});

const named: [why: string, title: string | null, language: string | null, name: string, tag: string | null][] = [
  ['its title', 'Director', 'eng', 'Director', 'en'],
  ['its language in its own words', null, 'fre', 'français', 'fr'],
  ['its language where the title is blank', ' \t', 'ger', 'Deutsch', 'de'],
  ['a region', null, 'pt-BR', 'português (Brasil)', 'pt-BR'],
  ['a number, where the language is none', null, 'English', 'Subtitles 1', null],
  ['a number, where the language is no word', '', 'a",b\n', 'Subtitles 1', null],
  [
    'a title that would leave its quotes',
    'a",URI="http://x/"\r\n#EXT-X-ENDLIST\u2028b',
    null,
    "a',URI='http://x/' #EXT-X-ENDLIST b",
    null,
  ],
  ['a title that looks like a variable', '{$secret}', null, '{ $secret}', null],
  ['the start of an endless title', '😀'.repeat(500), null, '😀'.repeat(80), null],
  ['a title that is not well-formed', 'a\ud800', null, 'a\ufffd', null],
];
for (const [why, title, language, name, tag] of named) {
  test(`captions are named by ${why}`, () =>
    assert.deepEqual(subtitleNames([{ title, language }]), [{ name, language: tag }]));
}

test('captions keep their flags', () => {
  const track = { name: 'English', language: 'en', uri: 'a', isDefault: true, isForced: true, describesSound: false };
  assert.equal(
    subtitleLine(track),
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES,URI="a"',
  );
  assert.match(
    subtitleLine({ ...track, isDefault: false, isForced: false, describesSound: true }),
    /LANGUAGE="en",CHARACTERISTICS="public\.accessibility\.transcribes-spoken-dialog,public\.accessibility\.describes-music-and-sound",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO/,
  );
});

test('forced captions without a title say so, also beside one that has this title', () => {
  const tracks = [
    { title: null, language: 'eng' },
    { title: null, language: 'eng', isForced: true },
    { title: 'English (forced)', language: 'eng', isForced: true },
  ];
  const names = subtitleNames(tracks).map(({ name }) => name);
  assert.deepEqual(names, ['English', 'English (forced)', 'English (forced) (2)']);
});

test('captions with the same name are numbered', () => {
  const english = { title: null, language: 'eng' };
  const names = subtitleNames([english, english, { title: 'English (2)', language: null }]).map(({ name }) => name);
  assert.deepEqual(names, ['English', 'English (2)', 'English (2) (2)']);
});

test('a playlist of one segment is finished and has its duration', () => {
  const text = singleSegmentPlaylist('captions.vtt', 5.04);
  assert.match(text, /^#EXTM3U\n#EXT-X-VERSION:3\n/);
  assert.match(text, /#EXT-X-PLAYLIST-TYPE:VOD/);
  assert.deepEqual(parseMediaPlaylist(text), {
    targetDurationSeconds: 6,
    initUri: null,
    segments: [{ uri: 'captions.vtt', durationSeconds: 5.04 }],
    ended: true,
  });
});

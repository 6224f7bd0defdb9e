import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashAudio, type DashText, type DashVideo, dashManifest, withDashText } from './dash-manifest.ts';

const timeline = { timescale: 12_800, durations: [51_200, 51_200, 51_200, 12_800] };
const rung = (height: number, bandwidthBps: number): DashVideo => ({
  id: `v${height}`,
  bandwidthBps,
  codecs: 'avc1.64001f',
  initUri: `v${height}/init.mp4`,
  mediaUri: `v${height}/seg-$Number%05d$.m4s`,
  firstNumber: 0,
  timeline,
  width: (height * 16) / 9,
  height,
  frameRate: { num: 25, den: 1 },
});
const sound: DashAudio = {
  id: 'audio',
  bandwidthBps: 130_000,
  codecs: 'mp4a.40.2',
  initUri: 'audio/init.mp4',
  mediaUri: 'audio/seg-$Number%05d$.m4s',
  firstNumber: 0,
  timeline: { timescale: 48_000, durations: [192_512, 191_488, 192_512, 48_128] },
  channels: 2,
  sampleRate: 48_000,
  language: null,
  name: null,
  isDefault: true,
};
const words: DashText = {
  id: 'text0',
  uri: 'subs/0/captions.vtt',
  sizeBytes: 1301,
  language: 'de',
  name: 'Deutsch',
  isDefault: false,
  isForced: false,
  describesSound: false,
};

const EXPECTED = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static"\
 mediaPresentationDuration="PT13.013334S" minBufferTime="PT4.010667S">
  <Period id="0" start="PT0S">
    <AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1" maxWidth="1280"\
 maxHeight="720" maxFrameRate="25/1">
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Representation id="v360" bandwidth="900000" codecs="avc1.64001f" width="640" height="360" frameRate="25/1"\
 sar="1:1">
        <SegmentTemplate timescale="12800" initialization="v360/init.mp4" media="v360/seg-$Number%05d$.m4s"\
 startNumber="0">
          <SegmentTimeline>
            <S t="0" d="51200" r="2"/>
            <S d="12800"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
      <Representation id="v720" bandwidth="2500000" codecs="avc1.64001f" width="1280" height="720" frameRate="25/1"\
 sar="1:1">
        <SegmentTemplate timescale="12800" initialization="v720/init.mp4" media="v720/seg-$Number%05d$.m4s"\
 startNumber="0">
          <SegmentTimeline>
            <S t="0" d="51200" r="2"/>
            <S d="12800"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
    </AdaptationSet>
    <AdaptationSet contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">
      <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Representation id="audio" bandwidth="130000" codecs="mp4a.40.2" audioSamplingRate="48000">
        <SegmentTemplate timescale="48000" initialization="audio/init.mp4" media="audio/seg-$Number%05d$.m4s"\
 startNumber="0">
          <SegmentTimeline>
            <S t="0" d="192512"/>
            <S d="191488"/>
            <S d="192512"/>
            <S d="48128"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
    </AdaptationSet>
    <AdaptationSet contentType="text" mimeType="text/vtt" lang="de">
      <Label>Deutsch</Label>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>
      <Representation id="text0" bandwidth="800">
        <BaseURL>subs/0/captions.vtt</BaseURL>
      </Representation>
    </AdaptationSet>
  </Period>
</MPD>
`;

const lines = (manifest: string, part: string) => manifest.split('\n').filter((line) => line.includes(part));

test('a manifest names every track with its segments, the smallest first', () =>
  assert.equal(
    dashManifest({ video: [rung(720, 2_500_000), rung(360, 900_000)], audio: [sound], text: [words] }),
    EXPECTED,
  ));

test('captions can be added later, as if they had been there', () => {
  const without = dashManifest({ video: [rung(720, 2_500_000), rung(360, 900_000)], audio: [sound], text: [] });
  assert.equal(withDashText(without, [words]), EXPECTED);
  assert.equal(withDashText(without, []), without);
});

test('an added default replaces that of the file', () => {
  const withDefault = dashManifest({ video: [rung(360, 900_000)], audio: [], text: [{ ...words, isDefault: true }] });
  const added = withDashText(withDefault, [{ ...words, id: 'added', isDefault: true }]);
  assert.deepEqual(
    lines(added, '<Role').map((line) => /value="(.*)"/.exec(line)?.[1]),
    ['main', 'subtitle', 'subtitle', 'main'],
  );
  const plain = withDashText(withDefault, [{ ...words, id: 'added' }]);
  assert.equal(lines(plain, 'value="main"').length, 2);
});

test('added forced captions replace those of the file in their language', () => {
  const forced = { ...words, isForced: true };
  const text = [forced, { ...forced, id: 'text1', language: 'en' }];
  const added = withDashText(dashManifest({ video: [], audio: [sound], text }), [{ ...forced, id: 'added' }]);
  assert.deepEqual(
    lines(added, '<Role').map((line) => /value="(.*)"/.exec(line)?.[1]),
    ['main', 'subtitle', 'forced-subtitle', 'forced-subtitle'],
  );
});

test('captions have roles', () => {
  const text = [
    { ...words, isDefault: true },
    { ...words, id: 'text1', isForced: true },
    { ...words, id: 'text2', describesSound: true },
  ];
  assert.deepEqual(
    lines(dashManifest({ video: [], audio: [sound], text }), '<Role').map((line) => /value="(.*)"/.exec(line)?.[1]),
    ['main', 'subtitle', 'main', 'forced-subtitle', 'caption'],
  );
});

test('audio tracks are separate, with language, name and channels', () => {
  const audio = [
    { ...sound, language: 'de', name: 'Deutsch' },
    { ...sound, id: 'audio1', language: 'en', name: 'English 5.1', channels: 6, isDefault: false },
  ];
  const manifest = dashManifest({ video: [rung(360, 900_000)], audio, text: [] });
  assert.deepEqual(
    lines(manifest, 'contentType="audio"').map((line) =>
      [...line.matchAll(/lang="(.*?)"|selectionPriority="(.*?)"/g)].map((found) => found[1] ?? found[2]).join(' '),
    ),
    ['de 2', 'en'],
  );
  assert.match(manifest, /value="6"\/>\n {6}<Label>English 5\.1<\/Label>\n {6}<Role .* value="alternate"\/>/);
});

const hostile: [why: string, name: string, written: string][] = [
  ['markup', '</Label><BaseURL>http://x/</BaseURL>', '&lt;/Label&gt;&lt;BaseURL&gt;http://x/&lt;/BaseURL&gt;'],
  ['references and quotes', '&amp; "$&"', '&amp;amp; &quot;$&amp;&quot;'],
  ['characters that XML forbids', 'a\u0000b\u001b\ufffec', 'abc'],
  ['half of a surrogate pair', 'a\ud800', 'a\ufffd'],
];
for (const [why, name, written] of hostile) {
  test(`a name with ${why} stays text`, () => {
    const without = dashManifest({ video: [rung(360, 900_000)], audio: [], text: [] });
    assert.deepEqual(lines(withDashText(without, [{ ...words, name }]), '<Label>'), [
      `      <Label>${written}</Label>`,
    ]);
  });
}

test('Dolby audio names its loudspeakers, as its scheme asks for', () => {
  const audio = ['ac-3', 'ec-3'].map((codecs) => ({ ...sound, id: codecs, codecs, channels: 6 }));
  assert.deepEqual(
    [...dashManifest({ video: [], audio, text: [] }).matchAll(/<AudioChannelConfiguration (.*)\/>/g)].map(
      ([, all]) => all,
    ),
    Array(2).fill('schemeIdUri="tag:dolby.com,2014:dash:audio_channel_configuration:2011" value="F801"'),
  );
});

test('sizes in several codecs are a set for each codec, between which players may switch', () => {
  const inAv1: DashVideo = { ...rung(720, 1_600_000), id: 'a720', codecs: 'av01.0.05M.08' };
  const manifest = dashManifest({ video: [rung(720, 2_500_000), rung(360, 900_000), inAv1], audio: [], text: [] });
  const shown = [...manifest.matchAll(/<AdaptationSet id="(\d)"|set-switching:2016" value="(.*?)"|codecs="(.*?)"/g)];
  assert.deepEqual(
    shown.map(([, ...found]) => found.find((each) => each !== undefined)),
    ['1', '2', 'avc1.64001f', 'avc1.64001f', '2', '1', 'av01.0.05M.08'],
  );
});

test('an enhanced size is a set of its own with its label, or one of the others where players are to choose it', () => {
  const enhanced: DashVideo = { ...rung(1440, 9_000_000), id: 'e1440', name: '1440p enhanced' };
  const shown = (isPreferred: boolean) => {
    const video = [rung(720, 2_500_000), rung(360, 900_000), { ...enhanced, isPreferred }];
    const parts = /role:2011" value="(\w+)"|<Label>(.*)<\/Label>|Representation id="(\w+)"|maxWidth="(\d+)"/g;
    return [...dashManifest({ video, audio: [], text: [] }).matchAll(parts)].map(([, ...found]) =>
      found.find((each) => each !== undefined),
    );
  };
  assert.deepEqual(shown(false), ['1280', 'main', 'v360', 'v720', '2560', '1440p enhanced', 'alternate', 'e1440']);
  assert.deepEqual(shown(true), ['2560', 'main', 'v360', 'v720', 'e1440', '1440p enhanced']);
});

test('players begin with the default, in stereo where it is there', () => {
  const priorities = (upmixIsDefault: boolean) => {
    const audio = [
      { ...sound, name: 'Main', isDefault: !upmixIsDefault },
      { ...sound, id: 'upmix', name: '5.1 upmix', channels: 6, isDefault: upmixIsDefault },
    ];
    return lines(dashManifest({ video: [], audio, text: [] }), '<AdaptationSet').map((line) =>
      line.includes('selectionPriority="2"'),
    );
  };
  assert.deepEqual(
    [priorities(false), priorities(true)],
    [
      [true, false],
      [false, true],
    ],
  );
});

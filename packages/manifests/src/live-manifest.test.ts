import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DashAudioFacts, DashVideoFacts } from './dash-sets.ts';
import { LiveManifest, type LiveManifestOptions, type LiveManifestSegment } from './live-manifest.ts';

const NOON = Date.UTC(2026, 10, 29, 12);
const OPTIONS: LiveManifestOptions = {
  ...{ startsAtMs: NOON, targetSeconds: 2, windowSeconds: Number.POSITIVE_INFINITY },
  ...{ mediaUri: '$RepresentationID$/seg-$Number%05d$.m4s', clockUri: 'time.txt' },
};
const size = (id: string, height: number, bandwidthBps: number): DashVideoFacts => ({
  ...{ id, bandwidthBps, codecs: 'avc1.64001f', width: (height * 16) / 9, height },
  frameRate: { num: 25, den: 1 },
});
const ORIGINAL = size('video', 720, 3_000_000);
const SMALL = size('video-360', 360, 900_000);
const SOUND: DashAudioFacts = {
  ...{ id: 'audio', bandwidthBps: 130_000, codecs: 'mp4a.40.2', channels: 2, sampleRate: 48_000 },
  ...{ language: null, name: null, isDefault: true },
};
/** Packets of 1,024 samples in segments of two seconds. */
const PACKETS = [94, 94, 94, 93];

/**
 * A segment of two seconds, whose pictures are shown 80 ms after they are decoded, in a stream that is `lateSeconds`
 * behind its time line.
 */
function segment(
  number: number,
  { lateSeconds = 0, ...changes }: Partial<LiveManifestSegment> & { readonly lateSeconds?: number } = {},
): LiveManifestSegment {
  const packets = (of: number) => PACKETS.slice(0, of % 4).reduce((sum, each) => sum + each, 375 * Math.floor(of / 4));
  const soundStart = 1_024 * packets(number);
  return {
    ...{ number, isDiscontinuity: false, startsAtMs: NOON + 2_000 * number + 1_000 * lateSeconds },
    ...{ initUri: '$RepresentationID$/init.mp4', video: [ORIGINAL, SMALL] },
    pictures: { timescale: 90_000, start: 7_200 + 180_000 * number, duration: 180_000 },
    sound: {
      ...{ timescale: 48_000, start: soundStart, duration: 1_024 * packets(number + 1) - soundStart },
      track: SOUND,
    },
    ...changes,
  };
}

function made(segments: readonly LiveManifestSegment[], options: Partial<LiveManifestOptions> = {}): LiveManifest {
  const manifest = new LiveManifest({ ...OPTIONS, ...options });
  for (const each of segments) manifest.addSegment(each, each.startsAtMs + 2_000);
  return manifest;
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => segment(number));

/** Elements with these names, without their children. */
const tags = (text: string, ...names: string[]) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => names.some((name) => line.startsWith(`<${name} `) || line === `<${name}>`));

const EXPECTED = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="dynamic"\
 availabilityStartTime="2026-11-29T12:00:00.000Z" publishTime="2026-11-29T12:00:12.000Z" minimumUpdatePeriod="PT2S"\
 minBufferTime="PT2S" suggestedPresentationDelay="PT6S" maxSegmentDuration="PT2S">
  <Period id="0" start="PT0S">
    <AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1" maxWidth="1280"\
 maxHeight="720" maxFrameRate="25/1">
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <SegmentTemplate timescale="90000" initialization="$RepresentationID$/init.mp4"\
 media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="0" presentationTimeOffset="7200">
        <SegmentTimeline>
          <S t="7200" d="180000" r="5"/>
        </SegmentTimeline>
      </SegmentTemplate>
      <Representation id="video-360" bandwidth="900000" codecs="avc1.64001f" width="640" height="360"\
 frameRate="25/1" sar="1:1"/>
      <Representation id="video" bandwidth="3000000" codecs="avc1.64001f" width="1280" height="720" frameRate="25/1"\
 sar="1:1"/>
    </AdaptationSet>
    <AdaptationSet contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">
      <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <SegmentTemplate timescale="48000" initialization="$RepresentationID$/init.mp4"\
 media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="0" presentationTimeOffset="3840">
        <SegmentTimeline>
          <S t="0" d="96256" r="2"/>
          <S d="95232"/>
          <S d="96256" r="1"/>
        </SegmentTimeline>
      </SegmentTemplate>
      <Representation id="audio" bandwidth="130000" codecs="mp4a.40.2" audioSamplingRate="48000"/>
    </AdaptationSet>
  </Period>
  <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="time.txt"/>
</MPD>
`;

describe('a live manifest', () => {
  it('lists the sizes and the sound of a stream, and how players follow it', () => {
    assert.equal(made(upTo(6)).text(), EXPECTED);
  });

  it('begins a period with its own initialization segments and times after an interruption', () => {
    const later = { isDiscontinuity: true, initUri: '$RepresentationID$/init-1.mp4', lateSeconds: 45 };
    const manifest = made([...upTo(3), segment(3, later)]);
    assert.deepEqual(tags(manifest.text(), 'Period', 'SegmentTemplate', 'S'), [
      '<Period id="0" start="PT0S" duration="PT6S">',
      '<SegmentTemplate timescale="90000" initialization="$RepresentationID$/init.mp4"' +
        ' media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="0" presentationTimeOffset="7200">',
      '<S t="7200" d="180000" r="2"/>',
      '<SegmentTemplate timescale="48000" initialization="$RepresentationID$/init.mp4"' +
        ' media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="0" presentationTimeOffset="3840">',
      '<S t="0" d="96256" r="2"/>',
      '<Period id="3" start="PT51S">',
      '<SegmentTemplate timescale="90000" initialization="$RepresentationID$/init-1.mp4"' +
        ' media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="3" presentationTimeOffset="547200">',
      '<S t="547200" d="180000"/>',
      '<SegmentTemplate timescale="48000" initialization="$RepresentationID$/init-1.mp4"' +
        ' media="$RepresentationID$/seg-$Number%05d$.m4s" startNumber="3" presentationTimeOffset="291840">',
      '<S t="288768" d="95232"/>',
    ]);
  });

  it('never lets a period begin before the one before it ends', () => {
    const text = made([...upTo(3), segment(3, { isDiscontinuity: true, lateSeconds: -4 })]).text();
    assert.deepEqual(tags(text, 'Period'), [
      '<Period id="0" start="PT0S" duration="PT6S">',
      '<Period id="3" start="PT6S">',
    ]);
  });

  it('begins a period where a size or the sound is missing, or there again, and where segments are missing', () => {
    const text = made([
      ...upTo(2),
      segment(2, { video: [ORIGINAL] }),
      segment(3, { sound: null }),
      segment(4, { sound: null }),
      segment(7),
    ]).text();
    assert.deepEqual(
      tags(text, 'Period', 'Representation').map((tag) => tag.split(' ').slice(1, 4).join(' ')),
      [
        'id="0" start="PT0S" duration="PT4S">',
        'id="video-360" bandwidth="900000" codecs="avc1.64001f"',
        'id="video" bandwidth="3000000" codecs="avc1.64001f"',
        'id="audio" bandwidth="130000" codecs="mp4a.40.2"',
        'id="2" start="PT4S" duration="PT2S">',
        'id="video" bandwidth="3000000" codecs="avc1.64001f"',
        'id="audio" bandwidth="130000" codecs="mp4a.40.2"',
        'id="3" start="PT6S" duration="PT4S">',
        'id="video-360" bandwidth="900000" codecs="avc1.64001f"',
        'id="video" bandwidth="3000000" codecs="avc1.64001f"',
        'id="7" start="PT14S">',
        'id="video-360" bandwidth="900000" codecs="avc1.64001f"',
        'id="video" bandwidth="3000000" codecs="avc1.64001f"',
        'id="audio" bandwidth="130000" codecs="mp4a.40.2"',
      ],
    );
  });

  it('lists sizes in another codec in a set of their own', () => {
    const hevc = { ...ORIGINAL, codecs: 'hvc1.1.6.L93.B0' };
    const text = made([segment(0, { video: [hevc, SMALL] })]).text();
    assert.deepEqual(
      tags(text, 'AdaptationSet', 'SupplementalProperty').map((tag) => /(?:id|value)="(\d)"/.exec(tag)?.[1]),
      ['1', '2', '2', '1', undefined],
    );
  });

  it('says when segments come, where they come ever later', () => {
    const late = (number: number) => segment(number, { lateSeconds: 3 });
    const starts = (count: number) =>
      tags(made([...upTo(3), ...Array.from({ length: count }, (_, index) => late(3 + index))]).text(), 'Period').map(
        (tag) => /start="(\w+)"/.exec(tag)?.[1],
      );
    assert.deepEqual(starts(4), ['PT0S']);
    assert.deepEqual(starts(5), ['PT0S', 'PT17S']);
  });

  it('drops segments that are older than its window, and periods without any', () => {
    const manifest = made([...upTo(4), segment(4, { isDiscontinuity: true })], { windowSeconds: 4 });
    const listed = () =>
      tags(manifest.text(), 'Period', 'SegmentTemplate', 'S').filter((tag) => !tag.includes('48000'));
    assert.match(manifest.text(), / timeShiftBufferDepth="PT4S" /);
    assert.deepEqual(
      listed().map((tag) => tag.replace(/ timescale.*\.m4s"/, '')),
      [
        '<Period id="0" start="PT0S" duration="PT8S">',
        '<SegmentTemplate startNumber="3" presentationTimeOffset="7200">',
        '<S t="547200" d="180000"/>',
        '<S t="288768" d="95232"/>',
        '<Period id="4" start="PT8S">',
        '<SegmentTemplate startNumber="4" presentationTimeOffset="727200">',
        '<S t="727200" d="180000"/>',
        '<S t="384000" d="96256"/>',
      ],
    );
    manifest.addSegment(segment(5), NOON);
    assert.deepEqual(tags(manifest.text(), 'Period'), ['<Period id="4" start="PT8S">']);
  });

  it('is that of a finished video once nothing follows', () => {
    const manifest = made([...upTo(3), segment(3, { isDiscontinuity: true, lateSeconds: 45 })]);
    const live = tags(manifest.text(), 'Period', 'SegmentTemplate', 'S', 'Representation');
    manifest.end();
    assert.deepEqual(tags(manifest.text(), 'Period', 'SegmentTemplate', 'S', 'Representation'), live);
    assert.deepEqual(tags(manifest.text(), 'MPD', 'UTCTiming'), [
      '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static"' +
        ' mediaPresentationDuration="PT53S" minBufferTime="PT2S">',
    ]);
  });

  it('is written once for each change, and stays small for three hours', () => {
    const manifest = made(upTo(5_400));
    const text = manifest.text();
    assert.equal(manifest.text(), text);
    assert.ok(text.length < 150_000, `${text.length} characters`);
    manifest.addSegment(segment(5_400), NOON);
    assert.notEqual(manifest.text(), text);
  });
});

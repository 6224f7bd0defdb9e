import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptMedia, spoken } from './accept-media.ts';
import type { MediaFacts } from './media-facts.ts';
import { parseProbe, pinnedInput } from './probe.ts';

const camera = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  profile: 'High',
  width: 1920,
  height: 1080,
  pix_fmt: 'yuv420p',
  r_frame_rate: '30000/1001',
  avg_frame_rate: '30000/1001',
  start_time: '0.000000',
  duration: '10.010000',
  disposition: { default: 1, attached_pic: 0 },
};
const sound = {
  index: 1,
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  channel_layout: 'stereo',
  sample_rate: '48000',
  start_time: '0.000000',
  duration: '10.005000',
};
const facts = (streams: object[], format: object = {}) => parseProbe(JSON.stringify({ streams, format }), 'mov');
const video = (changes: object) => facts([{ ...camera, ...changes }]).video;

test('ordinary camera footage is read correctly', () => {
  const read = facts([camera, sound], { start_time: '0.000000', duration: '10.010000' });
  assert.equal(read.durationMs, 10_010);
  assert.deepEqual(read.video?.frameRate, { num: 30_000, den: 1001 });
  assert.equal(read.video?.variableFrameRate, false);
  assert.equal(read.video?.bitDepth, 8);
  assert.equal(read.audio?.channelLayout, 'stereo');
  assert.deepEqual([read.cover, read.chapters.length, read.subtitles.length], [null, 0, 0]);
});

const shapes: [name: string, changes: object, display: [number, number], rotation: number][] = [
  ['upright', {}, [1920, 1080], 0],
  ['turned right by a display matrix of -90', { side_data_list: [{ rotation: -90 }] }, [1080, 1920], 90],
  ['turned left', { side_data_list: [{ rotation: 90 }] }, [1080, 1920], 270],
  ['upside down', { side_data_list: [{ rotation: -180 }] }, [1920, 1080], 180],
  ['turned by an old rotate tag', { tags: { rotate: '90' } }, [1080, 1920], 90],
  ['with wide pixels', { width: 720, height: 576, sample_aspect_ratio: '64:45' }, [1024, 576], 0],
  [
    'with wide pixels, turned',
    { width: 720, height: 576, sample_aspect_ratio: '64:45', side_data_list: [{ rotation: -90 }] },
    [576, 1024],
    90,
  ],
  [
    'with pixels that are square but for rounding',
    { width: 854, height: 480, sample_aspect_ratio: '1280:1281' },
    [854, 480],
    0,
  ],
  ['with an absurd pixel shape', { sample_aspect_ratio: '1000:1' }, [1920, 1080], 0],
];
for (const [name, changes, display, rotation] of shapes) {
  test(`a video ${name} is displayed at ${display.join(' x ')}`, () => {
    const read = video(changes);
    assert.deepEqual([read?.displayWidth, read?.displayHeight, read?.rotation], [...display, rotation]);
  });
}

const rates: [name: string, nominal: string, average: string, rate: string | null, variable: boolean][] = [
  ['constant', '25/1', '25/1', '25/1', false],
  ['slightly short of nominal', '60/1', '120000/1999', '60/1', false],
  ['phone footage', '90000/1', '750000/71393', '750000/71393', true],
  ['screen recording', '60/1', '20/1', '20/1', true],
  ['a time base where the average should be', '60/1', '1000/1', null, false],
  ['no average', '25/1', '0/0', '25/1', false],
  ['unknown', '0/0', '0/0', null, false],
];
for (const [name, nominal, average, rate, variable] of rates) {
  test(`the frame rate is detected: ${name}`, () => {
    const read = video({ r_frame_rate: nominal, avg_frame_rate: average });
    assert.equal(
      read?.frameRate === null || read?.frameRate === undefined ? null : `${read.frameRate.num}/${read.frameRate.den}`,
      rate,
    );
    assert.equal(read?.variableFrameRate, variable);
  });
}

test('fields counted as frames are not a variable frame rate', () => {
  const read = video({ r_frame_rate: '50/1', avg_frame_rate: '25/1', field_order: 'tt' });
  assert.deepEqual([read?.frameRate, read?.variableFrameRate, read?.interlaced], [{ num: 25, den: 1 }, false, 'tt']);
});

test('depth, range, HDR and field order are read', () => {
  assert.equal(video({ pix_fmt: 'yuv420p10le' })?.bitDepth, 10);
  assert.equal(video({ bits_per_raw_sample: '12' })?.bitDepth, 12);
  assert.equal(video({ pix_fmt: 'yuvj420p' })?.colour.range, 'pc');
  assert.equal(video({ color_transfer: 'arib-std-b67' })?.hdr, 'hlg');
  assert.equal(video({ color_transfer: 'smpte2084' })?.hdr, 'pq');
  assert.equal(video({ color_transfer: 'bt709' })?.hdr, null);
  assert.equal(video({ field_order: 'bb' })?.interlaced, 'bb');
  assert.equal(video({ field_order: 'progressive' })?.interlaced, null);
});

test('the largest video stream and the audio stream with the most channels are chosen', () => {
  const read = facts([
    { ...camera, index: 0, width: 320, height: 180 },
    { ...sound, index: 1, sample_rate: '8000', disposition: { default: 1 } },
    { ...camera, index: 3, width: 480, height: 270 },
    { ...sound, index: 4, sample_rate: '16000', disposition: { default: 1 } },
    { ...sound, index: 5, channels: 6, disposition: { default: 0 } },
  ]);
  assert.deepEqual([read.video?.index, read.audio?.index], [3, 4]);
  assert.deepEqual(
    read.otherAudio.map(({ index }) => index),
    [1, 5],
  );
});

test('eight audio tracks are kept at most, with languages and titles, without those that cannot be decoded', () => {
  const read = facts([
    { ...sound, index: 0, disposition: { default: 1 }, tags: { language: 'eng' } },
    { ...sound, index: 1, codec_name: 'atrac3' },
    { ...sound, index: 2, tags: { language: 'deu', title: 'Kommentar' } },
    ...[3, 4, 5, 6, 7, 8, 9, 10].map((index) => ({ ...sound, index })),
  ]);
  const named = [read.audio, ...read.otherAudio].map((track) => [track?.index, track?.language, track?.title]);
  assert.deepEqual(named.slice(0, 2), [
    [0, 'eng', null],
    [2, 'deu', 'Kommentar'],
  ]);
  assert.deepEqual(
    named.slice(2),
    [3, 4, 5, 6, 7, 8].map((index) => [index, null, null]),
  );
});

test('an attached picture is a cover, not video', () => {
  const read = facts([
    sound,
    { ...camera, index: 2, codec_name: 'png', width: 371, height: 320, disposition: { attached_pic: 1 } },
  ]);
  assert.equal(read.video, null);
  assert.deepEqual(read.cover, { index: 2, codec: 'png', width: 371, height: 320 });
});

test('the duration is that of the chosen streams, from their first moment', () => {
  const late = facts([{ ...camera, start_time: '10.0', duration: '4.0' }], { start_time: '10.0', duration: '14.0' });
  assert.deepEqual([late.startMs, late.durationMs], [10_000, 4_000]);
  const subtitled = facts(
    [camera, { index: 2, codec_type: 'subtitle', codec_name: 'mov_text', duration: '99.0', tags: { language: 'fra' } }],
    { duration: '99.0' },
  );
  assert.equal(subtitled.durationMs, 10_010);
  assert.deepEqual(subtitled.subtitles, [
    {
      index: 2,
      codec: 'mov_text',
      language: 'fra',
      title: null,
      isDefault: false,
      isForced: false,
      describesSound: false,
    },
  ]);
  const matroska = facts([{ ...camera, duration: 'N/A' }], { start_time: '0.0', duration: '5.000' });
  assert.equal(matroska.durationMs, 5000);
  // The file's duration is not the video's when subtitles continue, or when it counts from zero: it is measured.
  const silent = { ...camera, duration: 'N/A' };
  assert.equal(
    facts([silent, { index: 2, codec_type: 'subtitle', codec_name: 'subrip' }], { start_time: '0.0', duration: '30.0' })
      .durationMs,
    null,
  );
  assert.equal(
    facts([silent, sound, { ...sound, index: 2 }], { start_time: '0.0', duration: '30.0' }).durationMs,
    null,
  );
  assert.equal(facts([{ ...silent, start_time: '10.0' }], { start_time: '10.0', duration: '12.0' }).durationMs, null);
  assert.equal(facts([{ ...silent, start_time: '-0.54' }], { start_time: '-0.54', duration: '5.5' }).durationMs, null);
  const recording = facts([{ ...camera, duration: 'N/A' }], { start_time: '0.0' });
  assert.equal(recording.durationMs, null);
});

test('chapters are read in milliseconds', () => {
  const read = parseProbe(
    JSON.stringify({ streams: [camera], chapters: [{ start_time: '0.5', end_time: '1.25', tags: { title: 'One' } }] }),
    'mov',
  );
  assert.deepEqual(read.chapters, [{ startMs: 500, endMs: 1250, title: 'One' }]);
});

test('an input is opened with one demuxer and the file protocol only', () => {
  const args = pinnedInput('mov');
  assert.deepEqual(args.slice(0, 4), ['-protocol_whitelist', 'file', '-f', 'mov']);
  assert.deepEqual(args.slice(-2), ['-i', '/.sandbox/input/0']);
});

const good = facts([camera, sound], { duration: '10.0' });
const withVideo = (changes: Partial<NonNullable<MediaFacts['video']>>): MediaFacts => ({
  ...good,
  video: good.video && { ...good.video, ...changes },
});
const refusals: [name: string, facts: MediaFacts, message: RegExp][] = [
  ['nothing to play', { ...good, video: null, audio: null }, /neither video nor audio/],
  [
    'a video that cannot be decoded',
    { ...good, video: null, undecodable: { video: ['rv60'], audio: [] } },
    /rv60, which this server does not decode/,
  ],
  [
    'audio that cannot be decoded',
    { ...good, video: null, audio: null, undecodable: { video: [], audio: ['unknown'] } },
    /an unknown format, which this server does not decode/,
  ],
  ['no duration', { ...good, durationMs: null }, /duration is zero/],
  ['a zero duration', { ...good, durationMs: 0 }, /duration is zero/],
  ['too long', { ...good, durationMs: 13 * 3_600_000 }, /13 h long; the limit is 12 h/],
  ['no picture size', withVideo({ width: 0, height: 0 }), /0 x 0 pixels, which is too small/],
  ['an enormous picture', withVideo({ width: 16_384, height: 16_384 }), /16384 x 16384 pixels; the limit is 8192/],
  ['a picture made enormous by its pixel shape', withVideo({ displayWidth: 15_000 }), /limit is 8192/],
  ['a damaged stream', withVideo({ pixelFormat: 'unknown' }), /damaged/],
  [
    'a format of games',
    { ...good, video: null, undecodable: { video: ['smackvideo'], audio: [] } },
    /smackvideo \(a format of games\), which this server does not decode/,
  ],
];
for (const [name, source, message] of refusals) {
  test(`${name} is refused with a message`, () => {
    const acceptance = acceptMedia(source);
    assert.ok(!acceptance.ok);
    assert.equal(acceptance.code, 'TRANSCODE_FAILED');
    assert.match(String(acceptance.message), message);
    assert.match(String(acceptance.suggestedFix), /\.$/);
  });
}

test('valid media is accepted, also with only audio or video', () => {
  assert.deepEqual(acceptMedia(good), { ok: true });
  assert.deepEqual(acceptMedia({ ...good, video: null }), { ok: true });
  assert.deepEqual(acceptMedia({ ...good, audio: null }), { ok: true });
  // Undecodable audio beside valid video is dropped.
  assert.deepEqual(acceptMedia({ ...good, audio: null, undecodable: { video: [], audio: ['atrac3'] } }), { ok: true });
});

test('HDR is refused only if it cannot be mapped', () => {
  assert.equal(acceptMedia(withVideo({ hdr: 'pq' }), undefined, true).ok, true);
  assert.equal(acceptMedia(withVideo({ hdr: 'pq' }), undefined, false).ok, false);
});

test('durations are formatted', () => {
  assert.deepEqual(
    [12_000, 250_000, 240_000, 3_600_000, 7_500_000].map((ms) => String(spoken(ms))),
    ['12 s', '4 min 10 s', '4 min', '1 h', '2 h 5 min'],
  );
});

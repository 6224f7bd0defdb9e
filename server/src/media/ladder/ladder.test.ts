import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from '../encode/encode-plan.ts';
import type { AudioFacts, VideoFacts } from '../inspect/media-facts.ts';
import { audioRungs } from './audio-rungs.ts';
import { h264HighCodecs, h264LevelIdc } from './h264-level.ts';
import { isSlowVideo, planLadder, planRates, planSizes, smallestClearRung, targetSegmentSeconds } from './ladder.ts';

const sizes: [source: [number, number], ladder: string][] = [
  [[1920, 1080], '1080p 1920x1080, 720p 1280x720, 480p 854x480, 360p 640x360, 240p 426x240, 234p 416x234'],
  [[1080, 1920], '1080p 1080x1920, 720p 720x1280, 480p 480x854, 360p 360x640, 240p 240x426, 234p 234x416'],
  [[854, 480], '480p 854x480, 360p 640x360, 240p 426x240, 234p 416x234'],
  [[640, 272], '360p 640x272, 240p 426x182, 234p 416x176'],
  [[1920, 800], '1080p 1920x800, 720p 1280x534, 480p 854x356, 360p 640x266, 240p 426x178, 234p 416x174'],
  [[1080, 2400], '1080p 1080x2400, 720p 576x1280, 480p 384x854, 360p 288x640, 240p 192x426, 234p 188x416'],
  [[642, 642], '642p 642x642, 480p 480x480, 360p 360x360, 240p 240x240, 234p 234x234'],
  [[641, 359], '360p 640x358, 240p 426x238, 234p 416x232'],
  [[960, 540], '540p 960x540, 360p 640x360, 240p 426x240, 234p 416x234'],
  [[480, 270], '270p 480x270, 234p 416x234'],
  [[2048, 858], '1080p 2048x858, 720p 1280x536, 480p 854x358, 360p 640x268, 240p 426x178, 234p 416x174'],
  [[1024, 576], '576p 1024x576, 360p 640x360, 240p 426x240, 234p 416x234'],
  [[426, 240], '240p 426x240'],
  [[416, 234], '234p 416x234'],
  [[320, 240], '240p 320x240'],
  [[200, 200], '200p 200x200'],
  [[3, 3], '2p 2x2'],
  [
    [3840, 1920],
    '2160p 3840x1920, 1440p 2560x1280, 1080p 1920x960, 720p 1280x640, 480p 854x426, 360p 640x320, ' +
      '240p 426x214, 234p 416x208',
  ],
];
for (const [[width, height], ladder] of sizes) {
  test(`a source of ${width}x${height} becomes ${ladder}`, () => {
    const planned = planSizes(width, height);
    assert.equal(planned.map((size) => `${size.label} ${size.width}x${size.height}`).join(', '), ladder);
  });
}

test('8K is scaled down to 2160p', () => {
  assert.deepEqual(planSizes(7680, 4320)[0], { label: '2160p', size: 2160, width: 3840, height: 2160 });
});

test('no ladder is larger than its source, odd-sided, distorted or ambiguous', () => {
  for (let width = 2; width <= 8192; width = Math.ceil(width * 1.13)) {
    for (let height = 2; height <= 8192; height = Math.ceil(height * 1.17)) {
      const planned = planSizes(width, height);
      assert.ok(planned.length >= 1);
      assert.equal(new Set(planned.map((size) => size.label)).size, planned.length, `${width}x${height}`);
      for (const [index, rung] of planned.entries()) {
        assert.ok(
          rung.width <= Math.max(2, width) && rung.height <= Math.max(2, height),
          `${width}x${height} ${rung.label}`,
        );
        assert.ok(rung.width % 2 === 0 && rung.height % 2 === 0);
        const before = planned[index - 1];
        assert.ok(
          before === undefined || rung.width * rung.height < before.width * before.height,
          `${width}x${height} ${rung.label}`,
        );
        if (Math.min(rung.width, rung.height) >= 100)
          assert.ok(Math.abs((rung.width / rung.height) * (height / width) - 1) < 0.02);
      }
    }
  }
});

const rate = (num: number, den = 1, variableFrameRate = false) => ({ frameRate: { num, den }, variableFrameRate });
const rates: [name: string, source: ReturnType<typeof rate>, fast: string, calm: string][] = [
  ['video', rate(24_000, 1001), '24000/1001', '24000/1001'],
  ['NTSC', rate(30_000, 1001), '30000/1001', '30000/1001'],
  ['PAL', rate(25), '25/1', '25/1'],
  ['fast', rate(60), '60/1', '30/1'],
  ['fast NTSC', rate(60_000, 1001), '60000/1001', '30000/1001'],
  ['slow motion', rate(240), '60/1', '30/1'],
  ['a little under 120', rate(119_880, 1001), '59940/1001', '29970/1001'],
  ['written with a rounding error', rate(45_000, 1499), '30/1', '30/1'],
  ['one frame per second', rate(1), '1/1', '1/1'],
  ['variable, 10.5 on average', rate(750_000, 71_393, true), '15/1', '15/1'],
  ['variable, 28 on average', rate(28, 1, true), '30000/1001', '30000/1001'],
  ['variable, 300 on average', rate(300, 1, true), '60/1', '30/1'],
];
for (const [name, source, fast, calm] of rates) {
  test(`the frame rate of ${name} becomes ${fast} and ${calm}`, () => {
    const planned = planRates(source);
    assert.equal(planned.fast.num / planned.fast.den, Number(fast.split('/')[0]) / Number(fast.split('/')[1]));
    assert.equal(planned.calm.num / planned.calm.den, Number(calm.split('/')[0]) / Number(calm.split('/')[1]));
    assert.equal(planned.fast.num * planned.calm.den, planned.ratio * planned.calm.num * planned.fast.den);
  });
}

test('an unknown frame rate defaults to 30', () => {
  assert.deepEqual(planRates({ frameRate: null, variableFrameRate: false }).fast, { num: 30, den: 1 });
});

// Only the facts that the ladder uses.
const video = (displayWidth: number, displayHeight: number, num: number, den = 1) =>
  ({ displayWidth, displayHeight, frameRate: { num, den }, variableFrameRate: false, interlaced: null }) as VideoFacts;
const audio = (channels: number) => ({ channels }) as AudioFacts;

test('keyframes of fast and calm rungs are at the same times, about every four seconds', () => {
  for (const [num, den] of [
    [60, 1],
    [60_000, 1001],
    [50, 1],
    [48, 1],
    [59, 1],
    [37, 1],
    [30_000, 1001],
    [15, 2],
    [1, 2],
  ] as const) {
    const ladder = planLadder({ video: video(1920, 1080, num, den), audio: null });
    const { baseRate, segmentFrames } = ladder;
    for (const rung of ladder.video) {
      assert.equal(
        rung.framesPerBase * baseRate.num * rung.frameRate.den,
        rung.frameRate.num * baseRate.den,
        `${num}/${den} ${rung.label}`,
      );
    }
    assert.ok(Math.abs((segmentFrames * baseRate.den) / baseRate.num - 4) < 0.2, `${num}/${den}`);
  }
});

const HOUR_MS = 3_600_000;
const lengths: [name: string, source: Parameters<typeof targetSegmentSeconds>[0], seconds: number][] = [
  ['an 8-hour still at 1 frame per second', { video: video(1920, 1080, 1), durationMs: 8 * HOUR_MS }, 60],
  ['an hour at 5 frames per second', { video: video(1280, 720, 5), durationMs: HOUR_MS }, 12],
  ['an hour at 15 frames per second', { video: video(1280, 720, 15), durationMs: HOUR_MS }, 4],
  ['one frame in ten seconds', { video: video(1280, 720, 1, 10), durationMs: HOUR_MS }, 60],
  ['nine minutes at 1 frame per second', { video: video(1280, 720, 1), durationMs: 540_000 }, 4],
  [
    'an hour at 30 frames per second and 40 kbit/s',
    { video: { ...video(1280, 720, 30), bitrateBps: 40_000 }, durationMs: HOUR_MS },
    30,
  ],
  [
    'an hour at 30 frames per second and 100 kbit/s',
    { video: { ...video(1280, 720, 30), bitrateBps: 100_000 }, durationMs: HOUR_MS },
    12,
  ],
  ['an ordinary video', { video: { ...video(1280, 720, 24), bitrateBps: 900_000 }, durationMs: 2 * HOUR_MS }, 4],
  [
    'a video of unknown rates',
    { video: { ...video(1280, 720, 24), frameRate: null, bitrateBps: null }, durationMs: HOUR_MS },
    4,
  ],
  ['audio only', { video: null, durationMs: 8 * HOUR_MS }, 4],
];
for (const [name, source, seconds] of lengths) {
  test(`segments of ${name} are ${seconds} s long`, () => {
    assert.equal(targetSegmentSeconds(source), seconds);
    assert.equal(isSlowVideo({ durationMs: null, ...source }), seconds > 4);
  });
}

test('an 8-hour still at 1 frame per second has 480 segments in every rendition, of 60 frames each', () => {
  const ladder = planLadder({ video: video(1280, 720, 1), audio: null, durationMs: 8 * HOUR_MS });
  assert.deepEqual([ladder.baseRate, ladder.segmentFrames], [{ num: 1, den: 1 }, 60]);
  assert.deepEqual(
    ladder.video.map(({ label, framesPerBase }) => [label, framesPerBase]),
    [
      ['720p', 1],
      ['480p', 1],
      ['360p', 1],
      ['240p', 1],
      ['234p', 1],
    ],
  );
});

test('only rungs of 720 lines and more are fast', () => {
  const { video: rungs } = planLadder({ video: video(1920, 1080, 60), audio: null });
  assert.deepEqual(
    rungs.map((rung) => rung.frameRate.num),
    [60, 60, 30, 30, 30, 30],
  );
});

const fields: [name: string, source: Partial<VideoFacts>, rates: string[]][] = [
  ['1080i at 25', { frameRate: { num: 25, den: 1 } }, ['50/1', '50/1', '25/1', '25/1', '25/1', '25/1']],
  [
    '1080i at 29.97',
    { frameRate: { num: 30_000, den: 1001 } },
    ['60000/1001', '60000/1001', '30000/1001', '30000/1001', '30000/1001', '30000/1001'],
  ],
  [
    '576i',
    { frameRate: { num: 25, den: 1 }, displayWidth: 1024, displayHeight: 576 },
    ['50/1', '25/1', '25/1', '25/1'],
  ],
  [
    'a wide picture between 480i and 576i',
    { frameRate: { num: 25, den: 1 }, displayWidth: 1000, displayHeight: 430 },
    ['50/1', '25/1', '25/1', '25/1'],
  ],
  [
    '480i, which has no fast sizes',
    { frameRate: { num: 30_000, den: 1001 }, displayWidth: 854, displayHeight: 480 },
    ['30000/1001', '30000/1001', '30000/1001', '30000/1001'],
  ],
  ['interlaced at 50', { frameRate: { num: 50, den: 1 } }, ['50/1', '50/1', '25/1', '25/1', '25/1', '25/1']],
  ['progressive', { frameRate: { num: 25, den: 1 }, interlaced: null }, Array(6).fill('25/1')],
];
for (const [name, facts, rates] of fields) {
  test(`frame rates of ${name} are ${rates.join(', ')}`, () => {
    const source: VideoFacts = { ...video(1920, 1080, 25), interlaced: 'tt', ...facts };
    const ladder = planLadder({ video: source, audio: null });
    assert.deepEqual(
      ladder.video.map(({ frameRate }) => `${frameRate.num}/${frameRate.den}`),
      rates,
    );
  });
}

test('bit rates fall with size and rise with speed', () => {
  const calm = planLadder({ video: video(3840, 2160, 30), audio: null }).video;
  for (const [index, rung] of calm.slice(1).entries()) assert.ok(rung.maxrateBps < (calm[index]?.maxrateBps ?? 0));
  assert.equal(calm.find((rung) => rung.label === '1080p')?.maxrateBps, 5_000_000);
  const fast = planLadder({ video: video(1920, 1080, 60), audio: null }).video[0];
  assert.ok(fast && fast.maxrateBps > 7_000_000 && fast.maxrateBps < 8_000_000);
});

test('the lowest rung has the bit rate that Apple recommends; a source of its size has that of its size', () => {
  const rates = (width: number, height: number) =>
    planLadder({ video: video(width, height, 30), audio: null }).video.map(
      (rung) => `${rung.label} ${rung.maxrateBps}`,
    );
  assert.deepEqual(rates(640, 360), ['360p 960000', '240p 520000', '234p 145000']);
  assert.deepEqual(rates(416, 234), ['234p 500000']);
  const ladder = planLadder({ video: video(640, 360, 30), audio: null });
  assert.equal(smallestClearRung(ladder)?.label, '240p');
});

test('audio is mixed down to stereo, mono stays mono, silent stays silent', () => {
  const source = audio(6);
  assert.deepEqual(planLadder({ video: null, audio: source }).audio, {
    source,
    channels: 2,
    sampleRate: 48_000,
    bitrateBps: 128_000,
    codec: 'aac',
    copies: false,
    folder: 'audio',
  });
  assert.equal(planLadder({ video: null, audio: audio(1) }).audio?.channels, 1);
  assert.equal(planLadder({ video: video(640, 360, 25), audio: null }).audio, null);
  assert.deepEqual(planLadder({ video: null, audio: audio(2) }).video, []);
});

const surrounds: [channels: number, layout: string | null, kept: string][] = [
  [6, '5.1', 'audio 2, audio-5.1 6, audio-5.1-dolby 6'],
  [6, '5.1(side)', 'audio 2, audio-5.1 6, audio-5.1-dolby 6'],
  [6, null, 'audio 2, audio-5.1 6, audio-5.1-dolby 6'],
  [6, 'hexagonal', 'audio 2'],
  [8, '7.1', 'audio 2'],
  [3, '2.1', 'audio 2'],
  [2, 'stereo', 'audio 2'],
];
for (const [channels, channelLayout, kept] of surrounds) {
  test(`${channels} channels (${channelLayout ?? 'no layout'}) become ${kept}`, () => {
    const source = { ...audio(channels), channelLayout };
    const rungs = audioRungs(planLadder({ video: null, audio: source }));
    assert.equal(rungs.map((rung) => `${rung.folder} ${rung.channels}`).join(', '), kept);
  });
}

test('other tracks follow, then 5.1 of each as AAC and as Dolby', () => {
  const surround = { ...audio(6), channelLayout: '5.1' };
  const ladder = planLadder({ video: null, audio: audio(1), otherAudio: [surround, audio(2), { ...surround }] });
  assert.deepEqual(
    audioRungs(ladder).map((rung) => `${rung.folder} ${rung.channels} ${rung.bitrateBps}`),
    [
      'audio 1 80000',
      'audio2 2 128000',
      'audio3 2 128000',
      'audio4 2 128000',
      'audio2-5.1 6 320000',
      'audio4-5.1 6 320000',
      'audio2-5.1-dolby 6 384000',
      'audio4-5.1-dolby 6 384000',
    ],
  );
});

const dolby: [name: string, source: Partial<AudioFacts>, copies: boolean, bitrateBps: number][] = [
  ['AC-3', { codec: 'ac3' }, true, 448_000],
  ['E-AC-3', { codec: 'eac3' }, true, 448_000],
  ['AC-3 at 44.1 kHz', { codec: 'ac3', sampleRate: 44_100 }, false, 384_000],
  ['E-AC-3 of a disc', { codec: 'eac3', bitrateBps: 1_664_000 }, false, 384_000],
  ['AC-3 of unknown bit rate', { codec: 'ac3', bitrateBps: null }, false, 384_000],
  ['AAC', { codec: 'aac' }, false, 384_000],
];
for (const [name, facts, copies, bitrateBps] of dolby) {
  test(`5.1 in ${name} is ${copies ? 'copied' : 'encoded'} as Dolby`, () => {
    const source = { ...audio(6), sampleRate: 48_000, bitrateBps: 448_000, channelLayout: '5.1(side)', ...facts };
    const rung = audioRungs(planLadder({ video: null, audio: source })).at(-1);
    assert.deepEqual([rung?.codec, rung?.copies, rung?.bitrateBps], ['dolby', copies, bitrateBps]);
  });
}

for (const [name, frameRate, timescale, frames] of [
  ['25', { num: 25, den: 1 }, 12_800, [512, 512, 512, 512]],
  ['50', { num: 50, den: 1 }, 12_800, [256, 512, 512, 512]],
  ['59.94', { num: 60_000, den: 1001 }, 60_000, [1001, 2002, 2002, 2002]],
] as const)
  test(`all sizes at ${name} frames per second have one time scale, with whole units for a frame`, () => {
    const ladder = planLadder({ video: { ...video(960, 540, 25), frameRate }, audio: null });
    assert.deepEqual([...new Set(ladder.video.map((rung) => rung.timescale))], [timescale]);
    assert.deepEqual(
      ladder.video.map((rung) => ticksOf(rung).frame),
      frames,
    );
  });

const levels: [width: number, height: number, rate: number, bitrate: number, idc: number][] = [
  [426, 240, 30, 520_000, 30],
  [854, 480, 24, 1_480_000, 30],
  [854, 480, 30, 1_480_000, 31],
  [1280, 720, 30, 2_720_000, 31],
  [1280, 720, 60, 4_120_000, 32],
  [1920, 1080, 30, 5_000_000, 40],
  [1920, 1080, 60, 7_570_000, 42],
  [2560, 1440, 30, 7_700_000, 50],
  [3840, 2160, 30, 14_000_000, 51],
  [3840, 2160, 60, 21_000_000, 52],
  [640, 360, 30, 20_000_000, 32],
];
for (const [width, height, framesPerSecond, bitrate, idc] of levels) {
  test(`${width}x${height} at ${framesPerSecond} and ${bitrate} bit/s needs level ${idc / 10}`, () => {
    assert.equal(h264LevelIdc(width, height, framesPerSecond, bitrate), idc);
  });
}

test('the codec string names the level in hexadecimal', () => {
  assert.deepEqual([30, 31, 40, 51].map(h264HighCodecs), ['avc1.64001e', 'avc1.64001f', 'avc1.640028', 'avc1.640033']);
});

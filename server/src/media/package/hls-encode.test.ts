import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planColour } from '../inspect/colour-plan.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { parseProbe } from '../inspect/probe.ts';
import { encodeArgs, filterGraphs, parseProgress, planThumbnails } from './hls-encode.ts';
import { planLadder } from './ladder.ts';
import { posterWindowStartMs } from './poster.ts';

const source = (video: object | null, audio: object | null): MediaFacts => {
  const base = {
    width: 1280,
    height: 720,
    pix_fmt: 'yuv420p',
    r_frame_rate: '60/1',
    avg_frame_rate: '60/1',
    start_time: '0',
    duration: '9',
  };
  const streams = [
    video === null ? null : { index: 0, codec_type: 'video', codec_name: 'h264', ...base, ...video },
    audio === null
      ? null
      : {
          index: 1,
          codec_type: 'audio',
          codec_name: 'aac',
          channels: 2,
          sample_rate: '44100',
          start_time: '0',
          duration: '9',
          ...audio,
        },
  ];
  return parseProbe(JSON.stringify({ streams: streams.filter((stream) => stream !== null) }), 'mov');
};
const plan = (facts: MediaFacts) => ({ facts, ladder: planLadder(facts), thumbnails: planThumbnails(facts) });
const after = (args: readonly string[], flag: string) =>
  args.flatMap((arg, index) => (arg === flag ? [args[index + 1]] : []));

test('one process decodes once and writes every rung, the audio and the thumbnails', () => {
  const args = encodeArgs(plan(source({}, {})));
  assert.deepEqual(after(args, '-i'), ['/.sandbox/input/0']);
  assert.deepEqual(after(args, '-map'), ['[v0]', '[v1]', '[v2]', '[v3]', '[a0]', '[t]']);
  assert.deepEqual(
    args.filter((arg) => arg.endsWith('.m3u8')),
    ['v720/index.m3u8', 'v480/index.m3u8', 'v360/index.m3u8', 'v240/index.m3u8', 'audio/index.m3u8'],
  );
  assert.ok(
    args.every((arg) => !arg.startsWith('/') || arg === '/.sandbox/input/0'),
    'outputs are relative to the work folder',
  );
});

test('keyframes are fixed and closed, without scene cuts', () => {
  const args = encodeArgs(plan(source({}, null)));
  assert.deepEqual(after(args, '-g'), ['240', '120', '120', '120']);
  assert.deepEqual(after(args, '-keyint_min'), after(args, '-g'));
  assert.deepEqual([...new Set(after(args, '-sc_threshold'))], ['0']);
  assert.deepEqual([...new Set(after(args, '-flags'))], ['+cgop']);
  assert.deepEqual([...new Set(after(args, '-hls_time'))], ['4.000000']);
  assert.deepEqual(after(args, '-level:v'), ['3.2', '3.1', '3.0', '3.0']);
});

test('cuts of fractional rates are rounded down, including audio', () => {
  const args = encodeArgs(plan(source({ r_frame_rate: '24000/1001', avg_frame_rate: '24000/1001' }, {})));
  assert.deepEqual([...new Set(after(args, '-hls_time'))], ['4.004000']);
});

test('private metadata is removed', () => {
  const args = encodeArgs(plan(source({}, {})));
  const outputs = after(args, '-map').length;
  assert.equal(after(args, '-map_metadata').filter((value) => value === '-1').length, outputs);
  assert.equal(after(args, '-map_chapters').filter((value) => value === '-1').length, outputs);
});

const graphs: [name: string, facts: MediaFacts, has: RegExp[], lacks: RegExp[]][] = [
  [
    'plain video',
    source({}, {}),
    [/^\[0:0\]fps=60\/1:start_time=0,split=5/, /scale=w=1280:h=720/, /setsar=1/, /aresample=48000:async=1:first_pts=0/],
    [/bwdif|zscale/],
  ],
  ['slower small rungs', source({}, null), [/\[s0\]scale/, /\[s1\]fps=30\/1:start_time=0,scale/], [/aresample/]],
  [
    'interlaced',
    source({ field_order: 'bb', r_frame_rate: '25/1', avg_frame_rate: '25/1' }, null),
    [/\[0:0\]bwdif=mode=send_frame:parity=bff:deint=all,fps=25/],
    [],
  ],
  [
    'HLG',
    source({ color_transfer: 'arib-std-b67', pix_fmt: 'yuv420p10le' }, null),
    [/zscale=tin=arib-std-b67.*tonemap=tonemap=hable.*split=/, /colorspace=bt709/],
    [],
  ],
  ['PQ', source({ color_transfer: 'smpte2084' }, null), [/zscale=tin=smpte2084/], []],
  [
    'wide gamut',
    source({ color_space: 'bt2020nc', color_primaries: 'bt2020', color_transfer: 'bt2020-10' }, null),
    [/zscale=tin=709:min=2020_ncl:pin=2020/],
    [/tonemap/],
  ],
  ['full range', source({ pix_fmt: 'yuvj420p' }, null), [/in_range=pc:.*out_range=tv/], []],
  ['RGB', source({ pix_fmt: 'gbrp' }, null), [/out_color_matrix=bt709:out_range=tv/], [/in_range/]],
  [
    '8K',
    source(
      { width: 7680, height: 4320, r_frame_rate: '30/1', avg_frame_rate: '30/1', color_transfer: 'smpte2084' },
      null,
    ),
    [/start_time=0,scale=w=3840:h=2160:flags=bicubic,zscale=/],
    [],
  ],
  ['mono sound', source(null, { channels: 1 }), [/^\[0:1\]aresample.*channel_layouts=mono\[a0\]$/], [/split/]],
  ['surround', source(null, { channels: 6 }), [/channel_layouts=stereo/], []],
];
for (const [name, facts, has, lacks] of graphs) {
  test(`the filter graph is correct for ${name}`, () => {
    const graph = filterGraphs(plan(facts)).join(';');
    for (const pattern of has) assert.match(graph, pattern);
    for (const pattern of lacks) assert.doesNotMatch(graph, pattern);
  });
}

test('other audio tracks are graphs of their own, as long as the video; 5.1 is kept beside stereo', () => {
  const track = (index: number, channels: number) => ({
    ...{ index, codec_type: 'audio', codec_name: 'ac3', channels, sample_rate: '48000', start_time: '0' },
    ...{ duration: '9', disposition: { default: index === 2 ? 1 : 0 } },
  });
  const { video } = source({}, null);
  const facts = parseProbe(JSON.stringify({ streams: [track(1, 1), track(2, 6)] }), 'matroska');
  const args = encodeArgs(plan({ ...facts, video, durationMs: 9040 }));
  const limiter = 'alimiter=limit=0.794:level=disabled:latency=1:attack=20:release=100';
  const resampled = 'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=';
  assert.deepEqual(after(args, '-filter_complex').slice(1), [
    `[0:2]${resampled}stereo,${limiter}[a0]`,
    `[0:1]${resampled}mono,apad=whole_dur=9.04,atrim=end=9.04[a1]`,
    `[0:2]${resampled}5.1[a2]`,
  ]);
  assert.deepEqual(args.filter((arg) => arg.endsWith('.m3u8')).slice(4), [
    'audio/index.m3u8',
    'audio2/index.m3u8',
    'audio-5.1/index.m3u8',
  ]);
  assert.deepEqual(after(args, '-b:a'), ['128000', '80000', '320000']);
  assert.deepEqual(after(args, '-i'), ['/.sandbox/input/0']);
});

const tags: [name: string, video: object, matrix: string][] = [
  ['untagged HD is BT.709', {}, 'bt709'],
  ['untagged SD is SMPTE 170M', { width: 640, height: 480 }, 'smpte170m'],
  ['tagged SD keeps its tag', { width: 640, height: 480, color_space: 'bt709' }, 'bt709'],
  ['tagged HD keeps its tag', { color_space: 'bt470bg' }, 'bt470bg'],
  ['HDR becomes BT.709', { color_space: 'bt2020nc', color_transfer: 'smpte2084' }, 'bt709'],
];
for (const [name, video, matrix] of tags) {
  test(`colours are tagged correctly: ${name}`, () => {
    const facts = source(video, null);
    assert.ok(facts.video);
    assert.equal(planColour(facts.video).tags.matrix, matrix);
  });
}

test('thumbnails are limited to a hundred, one per second, and small', () => {
  assert.deepEqual(planThumbnails(source({}, null)), { intervalMs: 1000, width: 160, height: 90 });
  assert.equal(planThumbnails({ ...source({}, null), durationMs: 3_600_000 })?.intervalMs, 36_000);
  assert.deepEqual(planThumbnails(source({ side_data_list: [{ rotation: -90 }] }, null)), {
    intervalMs: 1000,
    width: 90,
    height: 160,
  });
  assert.equal(planThumbnails(source(null, {})), null);
});

test('the poster comes from after the titles, or from the start of very short videos', () => {
  assert.equal(posterWindowStartMs(100_000), 15_000);
  assert.equal(posterWindowStartMs(4_400), 400);
  assert.equal(posterWindowStartMs(1_000), 0);
});

test('progress lines are parsed to milliseconds', () => {
  assert.equal(parseProgress('out_time_us=1500000'), 1500);
  assert.equal(parseProgress('out_time_us=N/A'), null);
  assert.equal(parseProgress('frame=12'), null);
});

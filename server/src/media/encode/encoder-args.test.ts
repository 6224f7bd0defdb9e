import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planColour } from '../inspect/colour-plan.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { parseProbe } from '../inspect/probe.ts';
import { posterWindowStartMs } from '../package/pictures/poster.ts';
import { type EncodeChunk, type EncodePlan, planEncode } from './encode-plan.ts';
import { encodeArgs, parseProgress } from './encoder-args.ts';

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
const chunkOf = ({ chunks }: EncodePlan, kind: EncodeChunk['kind'], number = 0): EncodeChunk => {
  const chunk = chunks.filter((each) => each.kind === kind)[number];
  assert.ok(chunk);
  return chunk;
};
/** The arguments for the first chunk of the picture, or of the sound. */
const argsOf = (facts: MediaFacts, kind: EncodeChunk['kind'] = 'video', number = 0): string[] => {
  const plan = planEncode(facts);
  return encodeArgs(plan, chunkOf(plan, kind, number));
};
const after = (args: readonly string[], flag: string) =>
  args.flatMap((arg, index) => (arg === flag ? [args[index + 1]] : []));

test('one process decodes a chunk once and writes every size of it', () => {
  const args = argsOf(source({}, {}));
  assert.deepEqual(after(args, '-i'), ['/.sandbox/input/0']);
  assert.deepEqual(after(args, '-map'), [
    ...['[v0]', '[v1]', '[v2]', '[v3]', '[v4]'],
    ...['[source]', '[staged]', '[counted]'],
  ]);
  assert.deepEqual(
    args.filter((arg) => arg.endsWith('.mp4')),
    ['v720.mp4', 'v480.mp4', 'v360.mp4', 'v240.mp4', 'v234.mp4'],
  );
  assert.deepEqual(after(argsOf(source({}, {}), 'audio'), '-map'), ['0:1', '[a]', '[staged]']);
});

test('keyframes are fixed and closed, without scene cuts, and the encoders have one thread each', () => {
  const args = argsOf(source({}, null));
  assert.deepEqual(after(args, '-force_key_frames'), Array(5).fill('0.000000,2.000000'));
  assert.deepEqual([...new Set(after(args, '-g'))], ['100000']);
  assert.deepEqual([...new Set(after(args, '-sc_threshold'))], ['0']);
  assert.deepEqual([...new Set(after(args, '-flags'))], ['+cgop']);
  assert.deepEqual([...new Set(after(args, '-threads'))], ['1']);
  assert.deepEqual(after(args, '-level:v'), ['3.2', '3.1', '3.0', '3.0', '3.0']);
});

test('keyframes are where they are asked for', () => {
  const plan = planEncode(source({}, null), [0, 3.2, 5.5]);
  const args = encodeArgs(plan, chunkOf(plan, 'video', 1));
  assert.deepEqual(after(args, '-force_key_frames'), Array(5).fill('0.000000,1.166667,2.300000,4.066667'));
  assert.deepEqual([...new Set(after(args, '-g'))], ['100000']);
});

test('a chunk is decoded from a whole second before it, and its frames are counted from 0', () => {
  const rate = { r_frame_rate: '24000/1001', avg_frame_rate: '24000/1001', duration: '100' };
  const plan = planEncode(source(rate, null));
  const chunk = chunkOf(plan, 'video', 1);
  assert.deepEqual(chunk, { kind: 'video', number: 1, startFrame: 96, endFrame: 672, firstSegment: 1 });
  const args = encodeArgs(plan, chunk);
  assert.deepEqual(after(args, '-ss'), ['3']);
  assert.deepEqual(after(args, '-t'), ['26.028']);
  assert.match(
    after(args, '-filter_complex')[0] ?? '',
    /^\[0:0\]setpts=PTS\+3\/TB,fps=24000\/1001:start_time=4.004,trim=end_frame=576,split=3.*split=6.*setpts=N\[v4\]$/,
  );
  assert.deepEqual([...new Set(after(args, '-video_track_timescale'))], ['24000']);
});

test('private metadata is removed', () => {
  for (const args of [argsOf(source({}, {})), argsOf(source({}, {}), 'audio')]) {
    const outputs = args.filter((arg) => arg.endsWith('.mp4')).length;
    assert.ok(outputs > 0);
    assert.equal(after(args, '-map_metadata').filter((value) => value === '-1').length, outputs);
    assert.equal(after(args, '-map_chapters').filter((value) => value === '-1').length, outputs);
  }
});

const SMALL_BB = { field_order: 'bb', width: 640, height: 480, r_frame_rate: '25/1', avg_frame_rate: '25/1' };
const graphs: [name: string, facts: MediaFacts, has: RegExp[], lacks: RegExp[]][] = [
  [
    'plain video',
    source({}, {}),
    [
      /^\[0:0\]fps=60\/1:start_time=0,trim=end_frame=240,split=3/,
      /scale=w=1280:h=720/,
      /setsar=1/,
      /aresample=48000:async=1:first_pts=0/,
    ],
    [/bwdif|zscale/],
  ],
  ['slower small rungs', source({}, null), [/\[s0\]scale/, /\[s1\]fps=30\/1:start_time=0,scale/], [/aresample/]],
  [
    'interlaced',
    source({ field_order: 'bb', r_frame_rate: '25/1', avg_frame_rate: '25/1' }, null),
    [/\[0:0\]bwdif=mode=send_field:parity=auto:deint=all,fps=50\/1/, /\[s1\]fps=25\/1/],
    [],
  ],
  [
    'interlaced frames that do not tell their order, in a size without fast rungs',
    source({ ...SMALL_BB, codec_name: 'ffv1' }, null),
    [/\[0:0\]bwdif=mode=send_frame:parity=bff:deint=all,fps=25\/1/],
    [],
  ],
  [
    'HLG',
    source({ color_transfer: 'arib-std-b67', pix_fmt: 'yuv420p10le' }, null),
    [/zscale=tin=arib-std-b67.*lut3d=file=tone-map-hlg.cube.*split=/, /colorspace=bt709/],
    [],
  ],
  ['PQ', source({ color_transfer: 'smpte2084' }, null), [/zscale=tin=smpte2084.*lut3d=file=tone-map-pq.cube/], []],
  [
    'wide gamut',
    source({ color_space: 'bt2020nc', color_primaries: 'bt2020', color_transfer: 'bt2020-10' }, null),
    [/zscale=tin=709:min=2020_ncl:pin=2020/],
    [/lut3d/],
  ],
  ['full range', source({ pix_fmt: 'yuvj420p' }, null), [/in_range=pc:.*out_range=tv/], []],
  ['RGB', source({ pix_fmt: 'gbrp' }, null), [/out_color_matrix=bt709:out_range=tv/], [/in_range/]],
  [
    '8K',
    source(
      { width: 7680, height: 4320, r_frame_rate: '30/1', avg_frame_rate: '30/1', color_transfer: 'smpte2084' },
      null,
    ),
    [/start_time=0,trim=end_frame=120,split=3.*\[decoded\]scale=w=3840:h=2160:flags=bicubic,zscale=/],
    [],
  ],
  ['mono sound', source(null, { channels: 1 }), [/;\[track\]aresample.*channel_layouts=mono,asplit\[a\]/], []],
  ['surround', source(null, { channels: 6 }), [/channel_layouts=stereo/], []],
];
for (const [name, facts, has, lacks] of graphs) {
  test(`the filter graph is correct for ${name}`, () => {
    const plan = planEncode(facts);
    const graph = plan.chunks.flatMap((chunk) => after(encodeArgs(plan, chunk), '-filter_complex')).join('\n');
    for (const pattern of has) assert.match(graph, pattern);
    for (const pattern of lacks) assert.doesNotMatch(graph, pattern);
  });
}

test('the loudness of the default track is measured while it is encoded', () => {
  const filters = after(argsOf(source({}, {}), 'audio'), '-af');
  assert.deepEqual(filters, ['ebur128=peak=true:dualmono=true:framelog=verbose']);
});

test('other audio tracks are graphs of their own, as long as the video; 5.1 is kept beside stereo', () => {
  const track = (index: number, channels: number) => ({
    ...{ index, codec_type: 'audio', codec_name: 'ac3', channels, sample_rate: '48000', start_time: '0' },
    ...{ duration: '9', disposition: { default: index === 2 ? 1 : 0 } },
  });
  const { video } = source({}, null);
  const facts = parseProbe(JSON.stringify({ streams: [track(1, 1), track(2, 6)] }), 'matroska');
  const plan = planEncode({ ...facts, video, durationMs: 9040 });
  const sound = plan.chunks.filter(({ kind }) => kind === 'audio').map((chunk) => encodeArgs(plan, chunk));
  const limiter = 'alimiter=limit=0.794:level=disabled:latency=1:attack=20:release=100';
  const from = (index: number) =>
    `[0:${index}]asplit[track][reported];[reported]aselect='not(n)',ashowinfo,anullsink;[track]`;
  const compared =
    'asplit[a][compared];[compared]asetnsamples=n=1024,' + "aselect='not(mod(n,24))',aformat=sample_fmts=s16[staged]";
  const resampled = 'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=';
  assert.deepEqual(
    sound.map((args) => [
      ...after(args, '-filter_complex'),
      ...after(args, '-b:a'),
      args.find((arg) => arg.endsWith('.mp4')),
    ]),
    [
      [`${from(2)}${resampled}stereo,${limiter},${compared}`, '128000', 'audio.mp4'],
      [`${from(1)}${resampled}mono,apad=whole_dur=9.04,atrim=end=9.04,${compared}`, '80000', 'audio2.mp4'],
      [`${from(2)}${resampled}5.1,${compared}`, '320000', 'audio-5.1.mp4'],
      [`${from(2)}${resampled}5.1,${compared}`, '384000', 'audio-5.1-dolby.mp4'],
    ],
  );
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

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inputArg, RunError } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { createRunner } from '../runner.ts';
import { copyWithIndex, type IndexedCopy, lacksIndex } from './indexed-copy.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };
const { signal } = new AbortController();
const RATE = '30000/1001';
/** 180 frames. */
const SECONDS = 6.006;

const made = (fileName: string, args: readonly string[], size = '160x96', rate = RATE) =>
  clips.make(fileName, [...testVideo(size, rate, SECONDS), ...tone('stereo', SECONDS), ...args]);

async function factsOf(path: string): Promise<MediaFacts> {
  const found = await inspectFile(runner, path);
  assert.ok(found.ok, JSON.stringify(found));
  return found.facts;
}
async function copyOf(path: string): Promise<IndexedCopy | null> {
  return copyWithIndex(runner, path, await factsOf(path), { workDir: clips.fresh('indexed'), signal });
}
const indexed = async (path: string) => (await copyOf(path)) ?? assert.fail('it was not copied');

/** Digests of frames at a constant rate, from the time 0 of both tracks; or `count` of them from `startFrame` on. */
async function frames(path: string, { demuxer, video, audio }: MediaFacts, rate: string, seek?: [number, number]) {
  const folder = clips.fresh('frames');
  await runner.prepareWorkDir(folder);
  const [num = 1, den = 1] = rate.split('/').map(Number);
  const [startFrame, count] = seek ?? [0, 1_000];
  const start = (startFrame * den) / num;
  const from = Math.max(0, Math.floor(start - 1));
  const graph = `[0:${video?.index}]setpts=PTS+${from}/TB,fps=${rate}:start_time=${start},trim=end_frame=${count}[v]`;
  const input = [...(from > 0 ? ['-ss', `${from}`] : []), '-f', demuxer, '-i', inputArg(0), '-filter_complex', graph];
  const outputs = [
    '-map',
    '[v]',
    '-f',
    'framemd5',
    'v.txt',
    '-map',
    `0:${audio?.index}`,
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ];
  await runner.run('ffmpeg', [...input, ...outputs], { cwd: folder, inputs: [path], limits: LIMITS });
  const lines = (await readFile(join(folder, 'v.txt'), 'utf8')).split('\n').filter((line) => /^\d/.test(line));
  return lines.map((line) => line.split(',').at(-1));
}

const ASP = ['-c:v', 'mpeg4', '-vtag', 'XVID', '-bf', '2', '-g', '50'];
const MPEG2 = ['-c:v', 'mpeg2video', '-bf', '2', '-g', '15'];
const OPEN = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-x264-params', 'open-gop=1', '-c:a', 'aac'];
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=0:keyint=30', '-c:a', 'aac'];
const DV = ['-target', 'pal-dv', '-ar', '48000'];
const containers: [name: string, file: string, args: readonly string[], demuxer: string, frames: number][] = [
  ['AVI with MPEG-4 and B-frames', 'a.avi', [...ASP, '-c:a', 'mp3'], 'matroska', 180],
  ['a transport stream with MPEG-2 and AC-3', 'a.ts', [...MPEG2, '-c:a', 'ac3'], 'mov', 180],
  ['a program stream', 'a.mpg', [...MPEG2, '-c:a', 'mp2', '-f', 'vob'], 'mov', 180],
  ['a transport stream with open groups of pictures', 'o.ts', OPEN, 'mov', 181],
  ['fragmented MP4 with HEVC', 'h.mp4', [...HEVC, '-movflags', 'frag_keyframe+empty_moov'], 'mov', 181],
  ['Windows Media', 'a.wmv', ['-c:v', 'wmv2', '-g', '50', '-c:a', 'wmav2'], 'matroska', 180],
  ['Ogg with Theora', 'a.ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis'], 'matroska', 180],
  ['FLV with Sorenson Spark', 'a.flv', ['-c:v', 'flv1', '-c:a', 'mp3', '-ar', '44100'], 'matroska', 180],
  ['MXF', 'a.mxf', [...MPEG2, '-c:a', 'pcm_s16le'], 'matroska', 180],
  ['DV', 'a.dv', DV, 'matroska', 150],
];

describe('a copy with an index', () => {
  for (const [name, file, args, demuxer, count] of casesOf(containers, 1))
    it(`of ${name} shows the same frames at the same times, from any moment on`, THOROUGH, async () => {
      const isDv = demuxer === 'matroska' && file.endsWith('.dv');
      const [size, rate] = isDv ? ['720x576', '25'] : ['160x96', RATE];
      const path = await made(file, args, size, rate);
      const original = await factsOf(path);
      assert.ok(lacksIndex(original));
      const { facts, ...copy } = await indexed(path);
      assert.deepEqual([facts.demuxer, facts.randomAccess], [demuxer, true]);
      assert.deepEqual([facts.video?.codec, facts.audio?.codec], [original.video?.codec, original.audio?.codec]);
      const shown = await frames(path, original, rate);
      assert.ok(Math.abs(shown.length - count) <= 1, `${shown.length} frames`);
      assert.ok(new Set(shown).size > 100, 'frames differ');
      assert.deepEqual(await frames(copy.path, facts, rate), shown);
      for (const start of [73, 120])
        assert.deepEqual(await frames(copy.path, facts, rate, [start, 20]), shown.slice(start, start + 20));
    });

  it('has the same bytes whenever it is made', THOROUGH, async () => {
    const path = await made('a.ts', [...MPEG2, '-c:a', 'ac3']);
    const [one, other] = [await indexed(path), await indexed(path)];
    assert.ok((await readFile(one.path)).equals(await readFile(other.path)));
  });

  it('has all audio tracks and text subtitles, in an order of its own', THOROUGH, async () => {
    const text = await clips.write('a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    const inputs = [...testVideo('160x96', 25, 4), ...tone('mono', 4), ...tone('stereo', 4), '-i', inputArg(0)];
    const maps = ['-map', '1:a', '-map', '0:v', '-map', '2:a', '-map', '3:s', '-c:s', 'mov_text', '-c:a', 'aac'];
    const fragments = ['-metadata:s:a:0', 'language=deu', '-movflags', 'frag_keyframe+empty_moov+delay_moov'];
    const path = await clips.make('t.mp4', [...inputs, ...maps, ...QUICK_H264, ...fragments], [text]);
    const copy = await indexed(path);
    const { video, audio, otherAudio, subtitles } = copy.facts;
    assert.deepEqual([video?.index, audio?.index, otherAudio.map(({ index }) => index)], [0, 1, [2]]);
    assert.deepEqual(
      subtitles.map(({ index, codec }) => [index, codec]),
      [[3, 'mov_text']],
    );
    const found = await factsOf(copy.path);
    assert.deepEqual(
      [found.audio, ...found.otherAudio].map((track) => [track?.index, track?.channels]),
      [audio, ...otherAudio].map((track) => [track?.index, track?.channels]),
    );
    assert.deepEqual([audio, ...otherAudio].map((track) => track?.language).sort(), ['deu', null]);
    assert.equal(found.subtitles.length, 1);
  });
});

describe('a file that is not copied', () => {
  it('has an index, no pictures or is an animated image', async () => {
    const others = [
      await made('a.mp4', [...QUICK_H264, '-c:a', 'aac']),
      await clips.make('a.ogg', [...tone('stereo', 1), '-c:a', 'libvorbis']),
      await clips.make('a.gif', testVideo('64x64', 5, 1)),
    ];
    for (const path of others) assert.equal(lacksIndex(await factsOf(path)), false, path);
  });

  it('has a clock that jumps: its copy would have a gap there', THOROUGH, async () => {
    const bytes = await readFile(await made('a.ts', [...MPEG2, '-c:a', 'ac3']));
    const path = await clips.write('twice.ts', Buffer.concat([bytes, bytes]));
    assert.ok(lacksIndex(await factsOf(path)));
    assert.equal(await copyOf(path), null);
  });

  it('ends at another time than it declares', THOROUGH, async () => {
    const path = await made('a.avi', [...ASP, '-c:a', 'mp3']);
    const facts = { ...(await factsOf(path)), durationMs: 7_000 };
    assert.equal(await copyWithIndex(runner, path, facts, { workDir: clips.fresh('indexed'), signal }), null);
  });

  it('has text in a container that the copy cannot have', async () => {
    const path = await made('a.avi', [...ASP, '-c:a', 'mp3']);
    const named = { language: null, title: null, isDefault: false, isForced: false, describesSound: false };
    const facts = { ...(await factsOf(path)), subtitles: [{ index: 2, codec: 'subrip', ...named }] };
    assert.equal(await copyWithIndex(runner, path, facts, { workDir: clips.fresh('indexed'), signal }), null);
  });

  it('is one whose copy is aborted', async () => {
    const path = await made('a.avi', [...ASP, '-c:a', 'mp3']);
    const options = { workDir: clips.fresh('indexed'), signal: AbortSignal.abort() };
    await assert.rejects(
      copyWithIndex(runner, path, await factsOf(path), options),
      (error) => error instanceof RunError && error.reason === 'aborted',
    );
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, realMedia } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { copyWithIndex, lacksIndex } from '../remux/indexed-copy.ts';
import { isVideo } from '../renditions/rendition.ts';
import { checkManifest } from './dash.fixture.ts';
import { packageVideo } from './package-video.fixture.ts';
import { assembled, clips, LIMITS, packaged, runner } from './packaging.fixture.ts';

const TICKS = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];

/** When pictures are shown, in seconds, as a decoder says. */
async function shownBy(args: readonly string[], cwd: string | null, inputs: readonly string[] = []): Promise<number[]> {
  const list = [...args, '-vf', 'settb=1/90000,scale=2:2', ...TICKS, '-an', '-f', 'framecrc', '-'];
  const { stdout } = await runner.run('ffmpeg', list, { ...(cwd ? { cwd } : {}), inputs, limits: LIMITS });
  return [...stdout.matchAll(/^0,\s*-?\d+,\s*(-?\d+)/gm)].map(([, ticks]) => Number(ticks) / 90_000);
}

const HLS = ['-protocol_whitelist', 'file', '-f', 'hls', '-i'];

/** Asserts that each picture of a source is shown once, within a millisecond of its time. */
function assertSame(shown: readonly number[], expected: readonly number[], name: string): void {
  assert.equal(shown.length, expected.length, name);
  for (const [index, at] of expected.entries()) {
    const found = shown[index] ?? Number.NaN;
    assert.ok(Math.abs(found - at) <= 0.001, `${name}: picture ${index} at ${found} s, not at ${at} s`);
  }
}

const source = (size: string, rate: number, seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
];
/** Jitter of up to so many milliseconds, the same every time; the first picture is at 0. */
const jitter = (ms: number) => `settb=1/90000,setpts='PTS+if(N,round(${90 * ms}*sin(5*N)),0)'`;
/** So many seconds in which nothing changes. */
const gap = (at: number, seconds: number) => `settb=1/90000,setpts='PTS+if(gte(T,${at}),${90_000 * seconds},0)'`;
const SLOW = "settb=1/90000,select='not(mod(n,37))',setpts='PTS+if(N,round(900*sin(N)),0)'";
const SOUND = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=6', '-c:a', 'aac', '-shortest'];
const B_FRAMES = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];

type Made = [name: string, file: string, args: readonly string[]];
const made: readonly Made[] = [
  [
    '30 fps with jitter and a gap of 3 s',
    'gap.mp4',
    [...source('160x90', 30, 3), '-vf', `${jitter(6)},${gap(1.5, 3)}`, ...B_FRAMES],
  ],
  ['60 fps with jitter, large', 'fast.mp4', [...source('1280x64', 60, 2), '-vf', jitter(3), ...QUICK_H264]],
  ['24 fps with jitter', '24.mp4', [...source('160x90', 24, 6), '-vf', jitter(8), ...B_FRAMES]],
  ['25 fps with jitter in Matroska', '25.mkv', [...source('160x90', 25, 6), '-vf', jitter(8), ...B_FRAMES]],
  [
    '25 fps with a gap of 3 s, in WebM',
    '25.webm',
    [...source('160x90', 25, 4), '-vf', gap(2, 3), '-c:v', 'libvpx', '-b:v', '500k'],
  ],
  ['30 fps with jitter and sound', '30.mp4', [...source('160x90', 30, 5), ...SOUND, '-vf', jitter(6), ...B_FRAMES]],
  [
    '30 fps that double',
    'double.mp4',
    [...source('160x90', 60, 6), '-vf', "settb=1/90000,select='gte(t,3)+not(mod(n,2))'", ...B_FRAMES],
  ],
  [
    '30 fps of which pictures are missing',
    'grid.mp4',
    [
      ...source('640x64', 30, 6),
      '-vf',
      "settb=1/90000,select='not(eq(mod(n,7),3))*not(between(t,2,2.7))'",
      ...B_FRAMES,
    ],
  ],
  ['60 fps with jitter in a transport stream', '60.ts', [...source('160x90', 60, 6), '-vf', jitter(3), ...B_FRAMES]],
  ['120 fps with jitter', '120.mp4', [...source('1280x64', 120, 2), '-vf', jitter(1), ...QUICK_H264]],
  ['a picture each second and a half', 'slow.mp4', [...source('160x90', 25, 12), '-vf', SLOW, ...B_FRAMES]],
  ['the same in a transport stream', 'slow.ts', [...source('160x90', 25, 12), '-vf', SLOW, ...B_FRAMES]],
];
/** Least seconds from one picture to the next of a rendition that shows fewer. */
const CAPPED = 1 / 81;

describe('videos with a variable rate', () => {
  for (const [name, file, args] of casesOf(made, 2)) {
    it(`${name}: each picture is shown once, at its time`, async () => {
      const path = await clips.make(file, [
        ...args.slice(0, args.lastIndexOf('-c:v')),
        ...TICKS,
        ...args.slice(args.lastIndexOf('-c:v')),
      ]);
      await assertKept(path, file.startsWith('120'));
    });
  }

  for (const file of ['fire2.mp4', 'cursed-vfr.mp4', 'trim_optimization_failure.mp4']) {
    const path = realMedia(file);
    it(`${file}: each picture is shown once, at its time`, {
      skip: path === null || made.length > casesOf(made, 2).length,
    }, async () => {
      await assertKept(path ?? '', false);
    });
  }
});

/** White for three pictures at 1, 3, 5 and 7 s, with a beep, at 25 fps with jitter elsewhere, and a gap of 1.1 s. */
const FLASHES = [
  ...[
    '-f',
    'lavfi',
    '-i',
    "color=s=160x90:r=25:d=8,format=yuv420p,geq=lum='if(lt(mod(N+25,50),3),235,16)':cb=128:cr=128",
  ],
  ...['-f', 'lavfi', '-i', "aevalsrc='0.8*sin(2000*PI*t)*lt(mod(t+1,2),0.12)':s=48000:d=8"],
  '-vf',
  "settb=1/90000,select='not(between(t,3.5,4.6))*(not(n)+lt(mod(n+25,50),3)+mod(n,7))'," +
    "setpts='PTS+if(lt(mod(T+1,2),0.1),0,round(720*sin(PTS)))'",
];

describe('the sound of a video with a variable rate', THOROUGH, () => {
  for (const [file, encoders] of [
    ['flashes.mp4', [...B_FRAMES, '-c:a', 'aac']],
    ['flashes.mkv', [...B_FRAMES, '-c:a', 'libopus']],
    ['flashes.ts', [...B_FRAMES, '-c:a', 'aac']],
  ] as const)
    it(`is heard with the picture (${file})`, async () => {
      const path = await clips.make(file, [...FLASHES, ...TICKS, ...encoders]);
      const { outDir, facts } = await packaged(path);
      assert.equal(facts.video?.variableFrameRate, true);
      const begins = await flashesAndBeeps(outDir);
      // Those of the file: sound in Matroska and transport streams begins a little before the picture.
      const late = facts.demuxer === 'mov' ? 0 : 0.03;
      assert.equal(begins.flashes.length, 4);
      assert.equal(begins.beeps.length, 4);
      for (const [index, flash] of begins.flashes.entries()) {
        const beep = begins.beeps[index] ?? Number.NaN;
        assert.ok(flash >= 2 * index + 1 && flash <= 2 * index + 1 + late + 0.001, `a flash at ${flash} s`);
        assert.ok(Math.abs(beep - flash) <= 0.02, `a beep at ${beep} s, a flash at ${flash} s`);
      }
    });
});

/** When white pictures and beeps begin in a package, in seconds of its clock. */
async function flashesAndBeeps(outDir: string): Promise<{ flashes: number[]; beeps: number[] }> {
  const graph = '[0:v:0]settb=1/90000,scale=2:2,format=gray,split[v][t];[0:a:0]aresample=48000:async=1:first_pts=0[a]';
  const args = [
    ...['-protocol_whitelist', 'file', '-copyts', '-f', 'hls', '-i', 'master.m3u8', '-filter_complex', graph],
    ...['-map', '[v]', ...TICKS, '-f', 'rawvideo', 'flashes.raw', '-map', '[t]', ...TICKS, '-f', 'framecrc', 'times'],
    ...['-map', '[a]', '-ac', '1', '-f', 'f32le', 'beeps.raw'],
  ];
  await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  const pixels = await readFile(join(outDir, 'flashes.raw'));
  const list = await readFile(join(outDir, 'times'), 'utf8');
  const times = [...list.matchAll(/^0,\s*-?\d+,\s*(-?\d+)/gm)].map(([, ticks]) => Number(ticks) / 90_000);
  const isWhite = (picture: number) => (pixels[4 * picture] ?? 0) > 128;
  const samples = await readFile(join(outDir, 'beeps.raw'));
  const beeps: number[] = [];
  let quiet = Number.POSITIVE_INFINITY;
  for (let at = 0; at < samples.length / 4; at += 1) {
    const isLoud = Math.abs(samples.readFloatLE(4 * at)) > 0.1;
    if (isLoud && quiet > 4_800) beeps.push(at / 48_000);
    quiet = isLoud ? 0 : quiet + 1;
  }
  return { flashes: times.filter((_, picture) => isWhite(picture) && !(picture > 0 && isWhite(picture - 1))), beeps };
}

async function assertKept(path: string, isCapped: boolean): Promise<void> {
  await assertKeptIn(path, isCapped, await packaged(path));
  const inspection = await inspectFile(runner, path);
  assert.ok(inspection.ok);
  // Files without an index are encoded from a copy that has one, where it is the same video.
  if (!lacksIndex(inspection.facts)) return;
  const options = { workDir: clips.fresh('copy'), signal: new AbortController().signal };
  const copy = (await copyWithIndex(runner, path, inspection.facts, options)) ?? assert.fail('there is no copy');
  const outDir = clips.fresh('package');
  const video = await packageVideo(runner, { inputPath: copy.path, outDir, facts: copy.facts });
  await assertKeptIn(copy.path, isCapped, { video, outDir, facts: copy.facts });
}

type Packaged = Awaited<ReturnType<typeof packaged>>;

async function assertKeptIn(path: string, isCapped: boolean, { video, outDir, facts }: Packaged): Promise<void> {
  const { demuxer } = facts;
  const times = await shownBy([...pinnedInput(demuxer), '-map', `0:${facts.video?.index}`], null, [path]);
  assert.equal(facts.video?.variableFrameRate, true);
  const renditions = video.renditions.filter(isVideo);
  const most = Math.max(...renditions.map(({ frameRate }) => frameRate.num / frameRate.den));
  for (const { folder, frameRate, durations, timescale } of renditions) {
    const shown = await shownBy([...HLS, `${folder}/index.m3u8`], outDir);
    const rate = frameRate.num / frameRate.den;
    if (rate === most && !isCapped) assertSame(shown, times, folder);
    // Small sizes have half the rate, also of one that is capped.
    else assertDropped(shown, times, isCapped ? 0.2 : 0.4, folder);
    if (isCapped)
      for (const [index, at] of shown.entries()) assert.ok(index === 0 || at - (shown[index - 1] ?? 0) > CAPPED);
    // The same segments of all sizes.
    assert.deepEqual([durations, timescale], [renditions[0]?.durations, renditions[0]?.timescale]);
  }
  const download = await assembled(outDir, video.extras.videoDownload);
  if (!isCapped) assertSame(await shownBy(pinnedInput('mov'), null, [download]), times, 'download');
  for (const { seconds } of await checkManifest(outDir)) assert.ok(Math.abs(seconds - video.durationMs / 1000) < 0.06);
  const master = await readFile(join(outDir, 'master.m3u8'), 'utf8');
  assert.ok(master.includes(`FRAME-RATE=${most.toFixed(3)}`));
}

/** Asserts that a rendition shows a part of the pictures of its source at their times, none of them twice. */
function assertDropped(shown: readonly number[], times: readonly number[], least: number, folder: string): void {
  assert.ok(shown.length < times.length && shown.length > least * times.length, `${folder}: ${shown.length}`);
  const left = [...times];
  for (const at of shown) {
    const found = left.findIndex((time) => Math.abs(time - at) <= 0.001);
    assert.ok(found >= 0, `${folder}: no picture at ${at} s`);
    left.splice(0, found + 1);
  }
}

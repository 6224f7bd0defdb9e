import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  CHANNELS,
  DOWNMIX_GAIN,
  gainOf,
  ProgrammeLoudness,
  TruePeak,
  Upmixer,
  type UpmixFigures,
  type UpmixLayout,
  UpmixMeter,
} from '@reelgraph/upmix';
import { measureScene, sceneMix, separate, upmixed } from '../packages/upmix/src/acoustics.fixture.ts';
import { Fft } from '../packages/upmix/src/fft.ts';
import { pinkNoise, RATE, type Scene, type StereoSound, scenes } from '../packages/upmix/src/scenes.fixture.ts';
import { table } from './results.ts';
import { boundsOf } from './upmix-bounds.ts';

/**
 * How well stereo is upmixed to 5.1 and to 7.1, beside ffmpeg's filter `surround`: downmix, loudness and peak of scenes
 * with known stems, or of the media files in FOLDER; and how well stems are separated. A folder in it with
 * `dialogue.wav`, `panned.wav` and `ambience.wav` is a scene. `--layout` measures one of them; `--bounds` prints what
 * separations that know the stems reach in the scenes instead.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '12' },
      layout: { type: 'string' },
      bounds: { type: 'boolean', default: false },
    },
  });
  const folder = positionals[0];
  const found = folder === undefined ? scenes(Number(values.seconds)) : await readScenes(folder);
  if (values.bounds) {
    printBounds(found);
    return;
  }
  for (const layout of LAYOUTS.filter((each) => values.layout === undefined || values.layout === each)) {
    if (found.length > 0) await compareScenes(found, layout);
    if (folder !== undefined) await measureFiles(folder, layout);
    measureSpeed(layout);
  }
}

const LAYOUTS: readonly UpmixLayout[] = ['5.1', '7.1'];

const NO_VALUE = '-';
const spelled = (value: number | null, digits = 1) =>
  value === null || !Number.isFinite(value) ? NO_VALUE : value.toFixed(digits);

async function compareScenes(found: readonly Scene[], layout: UpmixLayout): Promise<void> {
  const rows = [[layout, 'L/R', 'surround', 'centre SDR', 'surround SDR', 'correlation', 'LFE', ...GENERAL]];
  for (const scene of found) {
    const mix = sceneMix(scene);
    const ours = upmixed(mix, layout);
    rows.push([scene.name, ...cells(measureScene(scene, ours)), ...general(mix, ours)]);
    const theirs = await surroundFilter(mix, layout);
    rows.push(['  ffmpeg surround', ...cells(measureScene(scene, theirs)), ...general(mix, theirs)]);
  }
  console.log('Dialogue in L/R and in the surrounds, relative to the centre; dB\n');
  console.log(`${table(rows)}\n`);
}

function printBounds(found: readonly Scene[]): void {
  const rows = found.map((scene) => {
    const { gainsDb, powersDb, averagedDb } = boundsOf(scene);
    return [scene.name, ...[gainsDb, powersDb, averagedDb].map((value) => spelled(value))];
  });
  const head = ['', 'best gains', 'exact powers', 'averaged powers'];
  console.log(`Surround SDR with known stems, dB\n\n${table([head, ...rows])}`);
}

function cells(found: ReturnType<typeof measureScene>): string[] {
  const { dialogueInFrontDb, dialogueAroundDb, centreSdrDb, surroundSdrDb, correlation, lfeDb } = found;
  return [
    ...[dialogueInFrontDb, dialogueAroundDb, centreSdrDb, surroundSdrDb].map((value) => spelled(value)),
    ...[spelled(correlation, 2), spelled(lfeDb)],
  ];
}

const GENERAL = ['downmix SNR', 'loudness LU', 'peak dBTP', 'gain dB'];

/** Downmix SNR after the best gain, loudness against the original, true peak, and the gain that keeps it low. */
function general(mix: StereoSound, channels: readonly Float32Array[]): string[] {
  let [cross, own, signal] = [0, 0, 0];
  const lo = [0, 1].map((side) =>
    channels[side]!.map((sample, index) => {
      const around = channels[4 + side]![index]! + (channels[6 + side]?.[index] ?? 0);
      return sample + DOWNMIX_GAIN * (channels[2]![index]! + around);
    }),
  );
  for (const [side, original] of [mix.left, mix.right].entries())
    for (const [index, sample] of original.entries()) {
      const made = lo[side]![index]!;
      cross += sample * made;
      own += made * made;
      signal += sample * sample;
    }
  const gain = cross / own;
  const snr = 10 * Math.log10(signal / Math.max(signal - gain * cross, 1e-30 * signal));
  const weights = channels.length === 2 ? [1, 1] : channels.map((_, index) => (index === 3 ? 0 : index > 3 ? 1.41 : 1));
  const changed = (lufs(channels, weights) ?? Number.NaN) + 20 * Math.log10(Math.abs(gain));
  const peak = Math.max(...channels.map(truePeak));
  const figures = { truePeakDbtp: peak === 0 ? null : 20 * Math.log10(peak) };
  const lowered = 20 * Math.log10(gainOf(figures));
  return [
    spelled(snr),
    spelled(changed - (lufs([mix.left, mix.right], [1, 1]) ?? Number.NaN), 2),
    ...[spelled(figures.truePeakDbtp), spelled(lowered)],
  ];
}

function lufs(channels: readonly Float32Array[], weights: readonly number[]): number | null {
  const loudness = new ProgrammeLoudness(weights);
  for (let index = 0; index < (channels[0]?.length ?? 0); index += 1)
    loudness.next(
      Float32Array.from(channels, (channel) => channel[index]!),
      0,
    );
  return loudness.lufs;
}

function truePeak(channel: Float32Array): number {
  const peak = new TruePeak();
  for (const sample of channel) peak.next(sample);
  return peak.value;
}

/** ffmpeg's filter, without the samples by which it is late. */
async function surroundFilter(mix: StereoSound, layout: UpmixLayout): Promise<Float32Array[]> {
  lateness ??= latenessOf(await surroundRaw(NOISE, '5.1'));
  const late = lateness;
  const padded = { left: padding(mix.left, late), right: padding(mix.right, late) };
  return (await surroundRaw(padded, layout)).map((channel) => channel.subarray(late, late + mix.left.length));
}

let lateness: number | undefined;
const NOISE_SAMPLES = 32_768;
const NOISE: StereoSound = { left: pinkNoise(NOISE_SAMPLES, 1), right: pinkNoise(NOISE_SAMPLES, 2) };

function padding(samples: Float32Array, count: number): Float32Array {
  const padded = new Float32Array(samples.length + count);
  padded.set(samples);
  return padded;
}

/** The delay, in samples, at which the stereo downmix of an upmix of the noise correlates best with the noise. */
function latenessOf(channels: readonly Float32Array[]): number {
  const fft = new Fft(2 * NOISE_SAMPLES);
  const transformed = (samples: ArrayLike<number>) => {
    const [re, im] = [new Float64Array(fft.size), new Float64Array(fft.size)];
    for (let index = 0; index < NOISE_SAMPLES; index += 1) re[index] = samples[index] ?? 0;
    fft.forward(re, im);
    return { re, im };
  };
  const lo = channels[0]!.map((sample, index) => sample + DOWNMIX_GAIN * (channels[2]![index]! + channels[4]![index]!));
  const [made, noise] = [transformed(lo), transformed(NOISE.left)];
  const re = made.re.map((value, bin) => value * noise.re[bin]! + made.im[bin]! * noise.im[bin]!);
  const im = made.im.map((value, bin) => value * noise.re[bin]! - made.re[bin]! * noise.im[bin]!);
  fft.inverse(re, im);
  const sizes = re.subarray(0, NOISE_SAMPLES).map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
}

async function surroundRaw(mix: StereoSound, layout: UpmixLayout): Promise<Float32Array[]> {
  const samples = new Float32Array(2 * mix.left.length);
  for (let index = 0; index < mix.left.length; index += 1)
    samples.set([mix.left[index]!, mix.right[index]!], 2 * index);
  const raw = ['-f', 'f32le', '-ar', `${RATE}`];
  const made = await piped(
    ['-v', 'error', ...raw, '-ac', '2', '-i', 'pipe:0', '-af', `surround=${layout}`, ...raw, 'pipe:1'],
    Buffer.from(samples.buffer),
  );
  return separate([made], CHANNELS[layout].length);
}

async function piped(args: readonly string[], input: Buffer): Promise<Float32Array> {
  const child = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  return floats(await buffer(child.stdout));
}

function floats(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 8))).buffer);
}

function decoded(path: string): Float32Array {
  const args = ['-v', 'error', '-i', path, '-vn', '-ac', '2', '-ar', `${RATE}`, '-f', 'f32le', 'pipe:1'];
  return floats(execFileSync('ffmpeg', args, { maxBuffer: 2 ** 31 - 1, stdio: ['ignore', 'pipe', 'ignore'] }));
}

async function readScenes(folder: string): Promise<Scene[]> {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const stems = ['dialogue', 'panned', 'ambience'].map((stem) => {
      const samples = decoded(join(folder, name, `${stem}.wav`));
      const [left, right] = separate([samples], 2);
      return { left: left!, right: right! };
    });
    return { name, dialogue: stems[0]!, panned: stems[1]!, ambience: stems[2]! };
  });
}

async function measureFiles(folder: string, layout: UpmixLayout): Promise<void> {
  const rows = [['file', 'seconds', 'downmix SNR', 'loudness LU', 'peak dBTP', 'gain dB', 'centre %', 'surround %']];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const figures = figuresOf(join(folder, entry.name), layout);
    if (figures === null || figures.sourceLufs === null || figures.upmixLufs === null) continue;
    rows.push([
      entry.name,
      ...[spelled(figures.samples / RATE), spelled(figures.downmixSnrDb)],
      ...[spelled(figures.upmixLufs - figures.sourceLufs, 2), spelled(figures.truePeakDbtp)],
      ...[spelled(20 * Math.log10(gainOf(figures))), spelled(figures.centrePercent), spelled(figures.surroundPercent)],
    ]);
  }
  console.log(`${table(rows)}\n`);
}

/** Null for a file without sound. */
function figuresOf(path: string, layout: UpmixLayout): UpmixFigures | null {
  try {
    const meter = new UpmixMeter('stereo', layout);
    meter.push(decoded(path));
    return meter.finish();
  } catch {
    return null;
  }
}

const SPEED_SECONDS = 60;
const BLOCK = 2 * 16_384;

/** CPU time of a minute of the first scene, in blocks, and what is kept in memory after ten of them. */
function measureSpeed(layout: UpmixLayout): void {
  const mix = sceneMix(scenes(SPEED_SECONDS)[0]!);
  const samples = new Float32Array(2 * mix.left.length);
  for (let index = 0; index < mix.left.length; index += 1)
    samples.set([mix.left[index]!, mix.right[index]!], 2 * index);
  const upmixer = new Upmixer({ source: 'stereo', layout });
  const minute = () => {
    const before = process.cpuUsage();
    for (let at = 0; at < samples.length; at += BLOCK) upmixer.push(samples.subarray(at, at + BLOCK));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  minute();
  const heapBefore = process.memoryUsage().arrayBuffers;
  const times = Array.from({ length: 10 }, minute).sort((a, b) => a - b);
  const heap = (process.memoryUsage().arrayBuffers - heapBefore) / 2 ** 20;
  const speeds = [times.at(-1)!, times[5]!, times[0]!].map((time) => (SPEED_SECONDS / time).toFixed(0));
  console.log(`${speeds[1]} times real time on one core (${speeds[0]} to ${speeds[2]} in ten minutes of sound),`);
  console.log(`${CHANNELS[layout].length} channels; buffers in memory changed by ${heap.toFixed(0)} MiB`);
}

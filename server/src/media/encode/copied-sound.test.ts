import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { directoryBytes, HEAD_BYTES, readBlock, readDirectory } from '@reelgraph/mp4';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo } from '../clips.fixture.ts';
import { INDEX_PATH } from '../copy/copy-package.ts';
import { planCopyOf } from '../copy/plan-copy.ts';
import { planAudio } from '../ladder/audio-rungs.ts';
import { remuxFile } from '../remux/remux-file.ts';
import { readRemuxable } from '../remux/remuxable.ts';
import { createRunner } from '../runner.ts';
import { stagesOf } from '../stages/stages.ts';
import { describeCopiedSound, encodeCopiedSound, readCopiedSound, soundPackets } from './copied-sound.ts';
import { audioOutput } from './encoder-args.ts';
import { mixFilters } from './video-filters.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const { signal } = new AbortController();
const LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 256 * 1024 ** 2, wallMs: 120_000 };
const SECONDS = 11;

/** Chords, clicks and a rising tone, different in each channel. */
function music(channels: number, rate: number): string[] {
  const channel = (index: number) =>
    `0.2*sin(2*PI*(220+110*${index})*t)+0.1*sin(2*PI*(300+90*${index})*t*t)+0.3*exp(-60*mod(t+0.13*${index}\\,0.5))*(2*random(${index})-1)`;
  const layout = { 1: 'mono', 2: 'stereo', 6: '5.1' }[channels];
  const all = Array.from({ length: channels }, (_, index) => channel(index)).join('|');
  return ['-f', 'lavfi', '-i', `aevalsrc=${all}:s=${rate}:d=${SECONDS}:c=${layout}`];
}

/** All samples of the only track of a file as it is played, channels interleaved. */
async function decoded(path: string, filters: readonly string[]): Promise<Float32Array> {
  const cwd = clips.fresh('decoded');
  await runner.prepareWorkDir(cwd);
  const graph = ['-map', '0:a', '-af', filters.join(','), '-c:a', 'pcm_f32le', '-f', 'f32le', 'out.f32'];
  await runner.run('ffmpeg', ['-i', inputArg(0), ...graph], { cwd, inputs: [path], limits: LIMITS });
  const bytes = await readFile(join(cwd, 'out.f32'));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** The file that segments are cut from: an MP4 or MOV file itself, or its copy. */
async function playedFile(path: string): Promise<string> {
  const file = await readRemuxable(runner, path, signal);
  if (!file) return path;
  const copy = await remuxFile(runner, path, file, { workDir: clips.fresh('copy'), signal });
  assert.ok(copy.standard, JSON.stringify(copy));
  return copy.path;
}

/** The sound of a file as it is encoded on request, all segments in a row, and as it is encoded in one piece. */
async function encodedBoth(path: string) {
  const file = await readFile(await playedFile(path));
  const source = {
    ...{ key: path, etag: 'e', sizeBytes: file.length },
    read: async (position: number, length: number) => file.subarray(position, position + length),
  };
  const plan = await planCopyOf(source);
  assert.ok(plan.standard && plan.sound, JSON.stringify(plan));
  const index = Buffer.from(plan.files.find((each) => each.path === INDEX_PATH)?.bytes ?? []);
  const start = HEAD_BYTES + directoryBytes(index);
  const { tracks } = readDirectory(index.subarray(HEAD_BYTES, start));
  const workOf = (number: number) => {
    const [position, length] = tracks.sound?.[number] ?? [0, 0];
    const samples = readBlock(index.subarray(start + position, start + position + length));
    return { file: source, samples, workDir: clips.fresh('sound'), signal };
  };
  const sound = await readCopiedSound(runner, plan.sound, workOf(0));
  assert.ok(sound);
  const { rendition } = describeCopiedSound(sound);
  const parts: Buffer[] = [];
  for (const number of rendition.durations.keys()) {
    const { init, bytes } = await encodeCopiedSound(runner, sound, number, workOf(number));
    if (number === 0) parts.push(init);
    parts.push(bytes);
  }
  const borders = plan.cuts.slice(1).map((_, number) => (soundPackets(sound, number + 1).first - 1) * 1024);
  const rung = planAudio({ audio: sound.audio }).audio;
  assert.ok(rung);
  const filters = [
    `aresample=${sound.rate}:async=1:first_pts=0`,
    ...mixFilters(rung, stagesOf({ ...NO_FACTS, audio: sound.audio })),
  ];
  const cwd = clips.fresh('whole');
  await runner.prepareWorkDir(cwd);
  const graph = ['-filter_complex', `[0:a]${filters.join(',')}[a]`];
  await runner.run('ffmpeg', ['-i', inputArg(0), ...graph, ...audioOutput(rung)], {
    cwd,
    inputs: [path],
    limits: LIMITS,
  });
  const format = [`aformat=sample_fmts=flt:channel_layouts=${rung.channels === 1 ? 'mono' : 'stereo'}`];
  return {
    ...{ rendition, borders, rate: sound.rate, channels: rung.channels },
    original: await decoded(path, [...filters, ...format]),
    // ffmpeg plays the first packet, which is priming, of a file in fragments.
    segments: (await decoded(await clips.write('segments.mp4', Buffer.concat(parts)), format)).subarray(
      1024 * rung.channels,
    ),
    whole: await decoded(join(cwd, 'audio.mp4'), format),
  };
}

const NO_FACTS = {
  ...{ demuxer: 'mov', durationMs: null, randomAccess: true, startMs: 0, video: null, audio: null, otherAudio: [] },
  ...{ cover: null, chapters: [], subtitles: [], undecodable: { video: [], audio: [] } },
};

/**
 * The configuration of slow AAC, which ffmpeg says not to be HE-AAC, with other signalling (ISO/IEC 14496-3 section
 * 1.6.5): none, so that it may be (implicit), or an extension to 48 kHz (explicit, backward compatible).
 */
function signalling(how: 'implicit' | 'explicit'): (file: Buffer) => Buffer {
  return (file) => {
    const at = file.indexOf(Buffer.from('130856e500', 'hex'));
    assert.ok(at >= 0);
    file.write(how === 'implicit' ? '000000' : '56e598', at + 2, 'hex');
    return file;
  };
}

/** Mean square of the difference in a part, where the found samples are `late`. */
function errorIn(
  { original, channels }: Awaited<ReturnType<typeof encodedBoth>>,
  found: Float32Array,
  [from, to]: readonly [number, number],
  late = 0,
): number {
  let sum = 0;
  for (let index = from * channels; index < to * channels; index += 1)
    sum += ((found[index + late * channels] ?? 0) - (original[index] ?? 0)) ** 2;
  return sum / ((to - from) * channels);
}

/** By how many samples, at most `most`, the segments are late. */
function lateness(found: Awaited<ReturnType<typeof encodedBoth>>, most: number): number {
  const { original, segments, channels } = found;
  const end = Math.floor(Math.min(original.length, segments.length) / channels) - most - 1;
  const shifts = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  const errors = shifts.map((late) => errorIn(found, segments, [most + 1, end], late));
  return shifts[errors.indexOf(Math.min(...errors))] ?? 0;
}

/** Decoders of AAC make up noise that is only described: another one for each segment. */
const NO_NOISE = ['-aac_pns', '0'];
interface Case {
  readonly name: string;
  readonly file: string;
  readonly channels?: number;
  readonly rate?: number;
  readonly args: readonly string[];
  readonly changed?: (file: Buffer) => Buffer;
}
const SURROUND_AAC = ['-c:a', 'aac', '-b:a', '384k', ...NO_NOISE];
const cases: Case[] = [
  { name: 'AC-3', file: 'ac3.mp4', channels: 6, args: ['-c:a', 'ac3', '-b:a', '448k'] },
  { name: 'AAC in 5.1', file: 'aac.mp4', channels: 6, rate: 44_100, args: SURROUND_AAC },
  { name: 'MP3 in Matroska', file: 'mp3.mkv', rate: 44_100, args: ['-c:a', 'libmp3lame', '-b:a', '192k'] },
  { name: 'E-AC-3', file: 'eac3.mp4', args: ['-c:a', 'eac3', '-b:a', '256k'] },
  { name: 'Opus', file: 'opus.mp4', args: ['-c:a', 'libopus', '-b:a', '160k'] },
  { name: 'MP3', file: 'mp3.mp4', rate: 44_100, args: ['-c:a', 'libmp3lame', '-b:a', '192k'] },
  { name: 'FLAC', file: 'flac.mp4', rate: 96_000, args: ['-c:a', 'flac', '-strict', '-2'] },
  { name: 'PCM', file: 'pcm.mov', args: ['-c:a', 'pcm_s16le'] },
  { name: 'PCM with 24 bits', file: 'pcm24.mov', channels: 1, rate: 44_100, args: ['-c:a', 'pcm_s24be'] },
  ...(['implicit', 'explicit'] as const).map((how) => ({
    ...{ name: `AAC that may be HE-AAC, ${how}`, file: `${how}.mp4`, channels: 1, rate: 24_000 },
    ...{ args: ['-c:a', 'aac', ...NO_NOISE], changed: signalling(how) },
  })),
  { name: 'AC-3 in Matroska', file: 'ac3.mkv', channels: 6, args: ['-c:a', 'ac3', '-b:a', '448k'] },
  { name: 'AAC in 5.1 in Matroska', file: 'aac.mkv', channels: 6, args: SURROUND_AAC },
  { name: 'Opus in Matroska', file: 'opus.mkv', args: ['-c:a', 'libopus', '-b:a', '160k'] },
  { name: 'FLAC in Matroska', file: 'flac.mkv', rate: 44_100, args: ['-c:a', 'flac'] },
  { name: 'PCM in Matroska', file: 'pcm.mkv', args: ['-c:a', 'pcm_s16le'] },
  { name: 'MPEG-1 layer II in MPEG-TS', file: 'mp2.ts', args: ['-c:a', 'mp2', '-b:a', '256k'] },
  { name: 'E-AC-3 in MPEG-TS', file: 'eac3.ts', args: ['-c:a', 'eac3', '-b:a', '256k'] },
];

describe('sound that is encoded beside a copied picture', () => {
  for (const { name, file, channels = 2, rate = 48_000, args, changed } of casesOf(cases, 1))
    it(`of ${name} is that of a whole encode, also where segments meet`, async () => {
      const inputs = [...testVideo('64x64', 25, SECONDS), ...music(channels, rate), ...QUICK_H264, '-g', '75'];
      const made = await clips.make(file, [...inputs, ...args]);
      const path = changed ? await clips.write(`changed-${file}`, changed(await readFile(made))) : made;
      const found = await encodedBoth(path);
      const { segments, whole, borders, rendition } = found;
      assert.ok(borders.length >= 2);
      // Matroska has times in milliseconds, rounded.
      const late = lateness(found, Math.round(0.001 * found.rate));
      if (/mp4|mov/.test(file)) assert.equal(late, 0, 'samples late');
      for (const border of borders) {
        const around = Math.round(0.02 * found.rate);
        const window = [border - around, border + around] as const;
        const moreDb = 10 * Math.log10(errorIn(found, segments, window, late) / errorIn(found, whole, window));
        assert.ok(moreDb <= 1, `${moreDb.toFixed(2)} dB more at sample ${border}`);
      }
      const listed = rendition.durations.reduce((sum, ticks) => sum + ticks, 0);
      assert.equal(listed, segments.length / found.channels, 'samples, without priming');
    });
});

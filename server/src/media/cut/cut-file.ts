import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLimits } from '@reelgraph/sandbox';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { ANONYMOUS, NO_OTHER_KEYFRAMES } from '../encode/encoder-args.ts';
import { KEEP_TICKS, TICK_BASE } from '../encode/times/timed-pictures.ts';
import { decodedFilters, fastestOf, sourceFilters } from '../encode/video-filters.ts';
import { isAnimation } from '../inspect/animation-times.ts';
import { type Fraction, formatFraction, toNumber } from '../inspect/fraction.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { type ShownPictures, TICKS_PER_SECOND, ticksAt } from '../inspect/picture-times.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { readShownPictures } from '../inspect/with-picture-times.ts';
import { keepsTimes, planLadder } from '../ladder/ladder.ts';
import type { Runner } from '../runner.ts';
import { stagesOf } from '../stages/stages.ts';
import { type KeptPart, keptFilters, keptParts } from './kept-pictures.ts';
import { lengthOf, type TimeRange } from './ranges.ts';

export const CUT_NAME = 'cut.mp4';

export interface CutOptions {
  /** An empty or missing folder for the result. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the kept ranges of a file, one after another, as an MP4 file with H.264 and AAC, in the sandbox: exact to the
 * frame, and to the sample of sound. It is encoded so finely that encoding it again for viewers costs no quality that
 * they see.
 * @throws AppError as `encodeChunk`.
 */
export async function cutFile(
  runner: Runner,
  path: string,
  { facts, ranges }: { readonly facts: MediaFacts; readonly ranges: readonly TimeRange[] },
  { workDir, signal }: CutOptions,
): Promise<{ path: string; sizeBytes: number }> {
  try {
    await runner.prepareWorkDir(workDir);
    const limits = cutLimits(facts, (await stat(path)).size);
    const isTimed = facts.video !== null && keepsTimes(facts.video);
    const shown = isTimed ? await readShownPictures(runner, path, facts, { signal }) : null;
    await runner.run('ffmpeg', cutArgs(facts, ranges, shown?.seconds), {
      cwd: workDir,
      inputs: [path],
      limits,
      signal,
    });
    const cut = join(workDir, CUT_NAME);
    return { path: cut, sizeBytes: (await stat(cut)).size };
  } catch (error) {
    throw explainEncodeError(error);
  }
}

/** A fine encoding of noise may be larger than its source. */
export function cutLimits(facts: MediaFacts, sizeBytes: number): RunLimits {
  const limits = defaultLimits(facts);
  return { ...limits, outputBytes: 4 * limits.outputBytes + 2 * sizeBytes };
}

/** Decoding begins a little before the first range, at a whole second: those are exact in every time base. */
const LEAD_MS = 2_000;

/**
 * Arguments of the ffmpeg process that cuts a file. `seconds`: when its pictures are shown, where they keep their
 * times. Pure.
 */
export function cutArgs(facts: MediaFacts, ranges: readonly TimeRange[], seconds?: ShownPictures['seconds']): string[] {
  const { video, audio, otherAudio, demuxer } = facts;
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) throw new Error('There is nothing to keep.');
  const canSeek = facts.randomAccess && !isAnimation(demuxer);
  const parts = seconds && keptParts(seconds, ranges);
  const firstMs = Math.min(first.startMs, ticksToMs(parts?.[0]?.from ?? Number.POSITIVE_INFINITY));
  const fromSeconds = canSeek ? Math.max(0, Math.floor((firstMs - LEAD_MS) / 1000)) : 0;
  const window = { fromSeconds, endMs: last.endMs };
  const tracks = audio === null ? [] : [audio, ...otherAudio];
  const graph = [
    ...(video ? [parts ? timedPictures(facts, video, parts, window) : evenPictures(facts, video, ranges, window)] : []),
    ...(tracks.length > 0 ? sound(tracks, ranges, window) : []),
  ];
  return [
    ...(fromSeconds > 0 ? ['-ss', `${fromSeconds}`] : []),
    ...pinnedInput(demuxer),
    ...['-filter_complex', graph.join(';')],
    ...(video ? ['-map', '[v]', ...pictureOutput(facts, video, parts ? lengthOf(ranges) : null)] : []),
    ...tracks.flatMap((track, index) => soundOutput(track, index)),
    ...[...ANONYMOUS, '-t', secondsOf(lengthOf(ranges)), '-movflags', '+faststart', '-f', 'mp4', CUT_NAME],
  ];
}

interface Window {
  /** Where decoding begins: times of the decoder count from there. */
  readonly fromSeconds: number;
  readonly endMs: number;
}

/** The frames that viewers see, at their constant rate, of each range. */
function evenPictures(facts: MediaFacts, video: VideoFacts, ranges: readonly TimeRange[], window: Window): string {
  const { fromSeconds } = window;
  const filters = decodedFilters(video, stagesOf(facts), fastestOf(planLadder(facts).video), {
    ...{ fromSeconds, startSeconds: fromSeconds, frames: null },
  });
  const split = ranges.map((_, part) => `[s${part}]`).join('');
  return [
    `[0:${video.index}]${[...filters, `split=${ranges.length}`].join(',')}${split}`,
    ...ranges.map(
      ({ startMs, endMs }, part) =>
        `[s${part}]trim=start=${secondsOf(startMs)}:end=${secondsOf(endMs)},setpts=PTS-STARTPTS[v${part}]`,
    ),
    `${ranges.map((_, part) => `[v${part}]`).join('')}concat=n=${ranges.length}[v]`,
  ].join(';');
}

/** The pictures that viewers see of each range, at their times. */
function timedPictures(
  facts: MediaFacts,
  video: VideoFacts,
  parts: readonly KeptPart[],
  { fromSeconds }: Window,
): string {
  const filters = [
    ...[...sourceFilters(video, stagesOf(facts), 'source'), TICK_BASE],
    ...(fromSeconds > 0 ? [`setpts=PTS+${fromSeconds * TICKS_PER_SECOND}`] : []),
    ...keptFilters(parts, fastestOf(planLadder(facts).video).leastStep),
  ];
  return `[0:${video.index}]${filters.join(',')}[v]`;
}

function sound(tracks: readonly AudioFacts[], ranges: readonly TimeRange[], window: Window): string[] {
  const labels = ranges.flatMap((_, part) => tracks.map((_track, track) => `[a${track}p${part}]`)).join('');
  const outputs = tracks.map((_, track) => `[a${track}]`).join('');
  return [
    ...tracks.flatMap((track, index) => soundParts(track, index, ranges, window)),
    `${labels}concat=n=${ranges.length}:v=0:a=${tracks.length}${outputs}`,
  ];
}

/** The sound of each range, with silence where there is none. */
function soundParts(track: AudioFacts, index: number, ranges: readonly TimeRange[], window: Window): string[] {
  const { fromSeconds, endMs } = window;
  const split = ranges.map((_, part) => `[t${index}p${part}]`).join('');
  const filters = [
    ...['aresample=48000:async=1:first_pts=0', `apad=whole_dur=${secondsOf(endMs - fromSeconds * 1000)}`],
    `asetpts=PTS+${fromSeconds}/TB`,
  ];
  return [
    `[0:${track.index}]${[...filters, `asplit=${ranges.length}`].join(',')}${split}`,
    ...ranges.map(
      ({ startMs, endMs: until }, part) =>
        `[t${index}p${part}]atrim=start=${secondsOf(startMs)}:end=${secondsOf(until)},asetpts=PTS-STARTPTS` +
        `[a${index}p${part}]`,
    ),
  ];
}

/** Two seconds between keyframes, so that workers can share the encoding of the result. */
const GROUP_SECONDS = 2;

/** `lengthMs`: where pictures keep their times, when the last one ends. */
export function pictureOutput(facts: MediaFacts, { bitDepth, colour }: VideoFacts, lengthMs: number | null): string[] {
  const { frameRate } = fastestOf(planLadder(facts).video);
  const tags = [
    ...(colour.primaries ? ['-color_primaries', colour.primaries] : []),
    ...(colour.transfer ? ['-color_trc', colour.transfer] : []),
    ...(colour.matrix ? ['-colorspace', colour.matrix] : []),
    ...(colour.range ? ['-color_range', colour.range] : []),
  ];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-sc_threshold', '0'],
    ...(lengthMs === null ? evenOutput(frameRate) : timedOutput(frameRate, lengthMs)),
    ...['-pix_fmt', bitDepth > 8 ? 'yuv420p10le' : 'yuv420p', ...tags],
  ];
}

function evenOutput(frameRate: Fraction): string[] {
  const group = `${Math.round(GROUP_SECONDS * toNumber(frameRate))}`;
  return ['-g', group, '-keyint_min', group];
}

function timedOutput(frameRate: Fraction, lengthMs: number): string[] {
  const group = `if(isnan(prev_forced_t),1,gte(t,prev_forced_t+${GROUP_SECONDS}))`;
  // The last picture is seen until the end, which nothing else tells.
  const duration = `if(eq(NEXT_DTS,NOPTS),max(1,${ticksAt(lengthMs / 1000)}-DTS),DURATION)`;
  return [
    ...['-fps_mode', 'passthrough', ...KEEP_TICKS, '-video_track_timescale', `${TICKS_PER_SECOND}`],
    // With B-frames, times of decoding reach as far before the start as the first pictures are apart.
    ...['-bf', '0', '-x264-params', `fps=${formatFraction(frameRate)}`],
    ...['-g', `${NO_OTHER_KEYFRAMES}`, '-forced-idr', '1', '-force_key_frames', `expr:${group}`],
    ...['-bsf:v', `setts=pts=PTS:dts=DTS:duration='${duration}'`],
  ];
}

function soundOutput({ channels, language, title }: AudioFacts, index: number): string[] {
  const named = (key: string, value: string | null) => (value ? [`-metadata:s:a:${index}`, `${key}=${value}`] : []);
  return [
    ...['-map', `[a${index}]`, `-c:a:${index}`, 'aac', `-b:a:${index}`, `${128_000 * Math.min(8, channels)}`],
    ...[...named('language', language), ...named('handler_name', title)],
  ];
}

function ticksToMs(ticks: number): number {
  return (1000 * ticks) / TICKS_PER_SECOND;
}

export function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3);
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import { planLadder } from '../encode/ladder.ts';
import { stagesOf } from '../encode/stages.ts';
import { decodedFilters, fastestOf } from '../encode/video-filters.ts';
import { isAnimation } from '../inspect/animation-times.ts';
import { toNumber } from '../inspect/fraction.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';
import type { RunLimits } from '../sandbox/limits.ts';
import { lengthOf, type TimeRange } from './ranges.ts';

const NAME = 'cut.mp4';

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
    await runner.run('ffmpeg', cutArgs(facts, ranges), { cwd: workDir, inputs: [path], limits, signal });
    const cut = join(workDir, NAME);
    return { path: cut, sizeBytes: (await stat(cut)).size };
  } catch (error) {
    throw explainEncodeError(error);
  }
}

/** A fine encoding of noise may be larger than its source. */
function cutLimits(facts: MediaFacts, sizeBytes: number): RunLimits {
  const limits = defaultLimits(facts);
  return { ...limits, outputBytes: 4 * limits.outputBytes + 2 * sizeBytes };
}

/** Decoding begins a little before the first range, at a whole second: those are exact in every time base. */
const LEAD_MS = 2_000;

/** Arguments of the ffmpeg process that cuts a file. Pure. */
export function cutArgs(facts: MediaFacts, ranges: readonly TimeRange[]): string[] {
  const { video, audio, otherAudio, demuxer } = facts;
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) throw new Error('There is nothing to keep.');
  const canSeek = facts.randomAccess && !isAnimation(demuxer);
  const fromSeconds = canSeek ? Math.max(0, Math.floor((first.startMs - LEAD_MS) / 1000)) : 0;
  const window = { fromSeconds, endMs: last.endMs };
  const tracks = audio === null ? [] : [audio, ...otherAudio];
  const parts = ranges.length;
  const labels = ranges.flatMap((_, part) => [
    ...(video ? [`[v${part}]`] : []),
    ...tracks.map((_track, track) => `[a${track}p${part}]`),
  ]);
  const outputs = [...(video ? ['[v]'] : []), ...tracks.map((_, track) => `[a${track}]`)];
  const joined = `${labels.join('')}concat=n=${parts}:v=${video ? 1 : 0}:a=${tracks.length}${outputs.join('')}`;
  const graph = [
    ...(video ? pictureParts(facts, video, ranges, window) : []),
    ...tracks.flatMap((track, index) => soundParts(track, index, ranges, window)),
    joined,
  ];
  return [
    ...(fromSeconds > 0 ? ['-ss', `${fromSeconds}`] : []),
    ...pinnedInput(demuxer),
    ...['-filter_complex', graph.join(';')],
    ...(video ? ['-map', '[v]', ...pictureOutput(facts, video)] : []),
    ...tracks.flatMap((track, index) => soundOutput(track, index)),
    ...[...ANONYMOUS, '-t', seconds(lengthOf(ranges)), '-movflags', '+faststart', '-f', 'mp4', NAME],
  ];
}

interface Window {
  /** Where decoding begins: times of the decoder count from there. */
  readonly fromSeconds: number;
  readonly endMs: number;
}

/** The frames that viewers see, at their constant rate, of each range. */
function pictureParts(facts: MediaFacts, video: VideoFacts, ranges: readonly TimeRange[], window: Window): string[] {
  const { fromSeconds } = window;
  const filters = decodedFilters(video, stagesOf(facts), fastestOf(planLadder(facts).video), {
    ...{ fromSeconds, startSeconds: fromSeconds, frames: null },
  });
  const split = ranges.map((_, part) => `[s${part}]`).join('');
  return [
    `[0:${video.index}]${[...filters, `split=${ranges.length}`].join(',')}${split}`,
    ...ranges.map(
      ({ startMs, endMs }, part) =>
        `[s${part}]trim=start=${seconds(startMs)}:end=${seconds(endMs)},setpts=PTS-STARTPTS[v${part}]`,
    ),
  ];
}

/** The sound of each range, with silence where there is none. */
function soundParts(track: AudioFacts, index: number, ranges: readonly TimeRange[], window: Window): string[] {
  const { fromSeconds, endMs } = window;
  const split = ranges.map((_, part) => `[t${index}p${part}]`).join('');
  const filters = [
    ...['aresample=48000:async=1:first_pts=0', `apad=whole_dur=${seconds(endMs - fromSeconds * 1000)}`],
    `asetpts=PTS+${fromSeconds}/TB`,
  ];
  return [
    `[0:${track.index}]${[...filters, `asplit=${ranges.length}`].join(',')}${split}`,
    ...ranges.map(
      ({ startMs, endMs: until }, part) =>
        `[t${index}p${part}]atrim=start=${seconds(startMs)}:end=${seconds(until)},asetpts=PTS-STARTPTS` +
        `[a${index}p${part}]`,
    ),
  ];
}

/** Two seconds between keyframes, so that workers can share the encoding of the result. */
const GROUP_SECONDS = 2;

function pictureOutput(facts: MediaFacts, { bitDepth, colour }: VideoFacts): string[] {
  const group = `${Math.round(GROUP_SECONDS * toNumber(fastestOf(planLadder(facts).video).frameRate))}`;
  const tags = [
    ...(colour.primaries ? ['-color_primaries', colour.primaries] : []),
    ...(colour.transfer ? ['-color_trc', colour.transfer] : []),
    ...(colour.matrix ? ['-colorspace', colour.matrix] : []),
    ...(colour.range ? ['-color_range', colour.range] : []),
  ];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-g', group, '-keyint_min', group],
    ...['-sc_threshold', '0', '-pix_fmt', bitDepth > 8 ? 'yuv420p10le' : 'yuv420p', ...tags],
  ];
}

function soundOutput({ channels, language, title }: AudioFacts, index: number): string[] {
  const named = (key: string, value: string | null) => (value ? [`-metadata:s:a:${index}`, `${key}=${value}`] : []);
  return [
    ...['-map', `[a${index}]`, `-c:a:${index}`, 'aac', `-b:a:${index}`, `${128_000 * Math.min(8, channels)}`],
    ...[...named('language', language), ...named('handler_name', title)],
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

import { toNumber } from '../inspect/fraction.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { audioRungOf, currentStages, type EncodeChunk, type EncodePlan, ladderOf, ticksOf } from './encode-plan.ts';
import type { VideoRung } from './ladder.ts';
import { keyframesOf, type VideoChunk } from './timeline.ts';
import { audioGraph, type ChunkWindow, videoGraph } from './video-filters.ts';

/** The video encoder: its names in the API and in ffmpeg. */
export const VIDEO_ENCODER = { name: 'X264', ffmpegName: 'libx264' } as const;
/** Removes private metadata of the author (location, device, software). */
export const ANONYMOUS = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** The file of a rendition that ffmpeg writes for a chunk. */
export function encodedName(folder: string): string {
  return `${folder}.mp4`;
}

/**
 * Arguments of one ffmpeg process that decodes a chunk once and writes each of its renditions as an MP4 file in the
 * work folder. Progress goes to standard output (see `parseProgress`). Pure.
 */
export function encodeArgs(plan: EncodePlan, chunk: EncodeChunk): string[] {
  return [
    '-progress',
    'pipe:1',
    '-stats_period',
    '1',
    ...(chunk.kind === 'video' ? videoArgs(plan, chunk) : audioArgs(plan, chunk.folder)),
  ];
}

/** Decoding begins this long before a chunk, so that its first frame is that of the whole video. */
const LEAD_SECONDS = 1;

function videoArgs(plan: EncodePlan, chunk: VideoChunk): string[] {
  const { facts, timeline } = plan;
  if (facts.video === null) throw new Error('The plan has no video.');
  const stages = currentStages(plan);
  const rungs = ladderOf(plan).video;
  const rate = toNumber(timeline.baseRate);
  const overlap = LEAD_SECONDS + Math.max(0, ...stages.map(({ overlapFrames }) => overlapFrames)) / rate;
  const startSeconds = chunk.startFrame / rate;
  const window: ChunkWindow = {
    fromSeconds: Math.max(0, Math.floor(startSeconds - overlap)),
    startSeconds,
    frames: chunk.endFrame === null ? null : chunk.endFrame - chunk.startFrame,
  };
  const length = window.frames === null ? null : startSeconds - window.fromSeconds + window.frames / rate + overlap;
  return [
    ...(window.fromSeconds > 0 ? ['-ss', `${window.fromSeconds}`] : []),
    ...(length === null ? [] : ['-t', length.toFixed(3)]),
    ...pinnedInput(facts.demuxer),
    ...['-filter_complex', videoGraph(facts.video, rungs, stages, window)],
    ...rungs.flatMap((rung, index) => videoOutput(plan, chunk, rung, index)),
  ];
}

/**
 * `avoid_negative_ts` is off so that reordering of B-frames and the priming of AAC become one plain edit list entry.
 */
const ONE_MP4 = [...ANONYMOUS, '-avoid_negative_ts', 'disabled', '-f', 'mp4'];

/** One thread per encoder: the output does not depend on the machine, and cores are used by encoding several chunks. */
function videoOutput({ timeline }: EncodePlan, chunk: VideoChunk, rung: VideoRung, index: number): string[] {
  return [
    ...['-map', `[v${index}]`, '-fps_mode', 'passthrough'],
    ...['-c:v', VIDEO_ENCODER.ffmpegName, '-preset', 'veryfast', '-profile:v', 'high'],
    ...['-level:v', level(rung.levelIdc), '-crf', '23'],
    ...['-maxrate', `${rung.maxrateBps}`, '-bufsize', `${rung.bufsizeBits}`],
    ...keyframeArgs(keyframesOf(timeline, chunk), timeline.segmentFrames, rung),
    ...['-sc_threshold', '0', '-flags', '+cgop', '-threads', '1'],
    ...['-video_track_timescale', `${ticksOf(rung).timescale}`, ...ONE_MP4, encodedName(rung.folder)],
  ];
}

/** More frames than a segment has. */
const NO_OTHER_KEYFRAMES = 100_000;

function keyframeArgs(keyframes: readonly number[] | null, segmentFrames: number, rung: VideoRung): string[] {
  if (keyframes === null) {
    const group = `${segmentFrames * rung.framesPerBase}`;
    return ['-g', group, '-keyint_min', group];
  }
  const rate = toNumber(rung.frameRate);
  const times = keyframes.map((frame) => ((frame * rung.framesPerBase) / rate).toFixed(6));
  return ['-g', `${NO_OTHER_KEYFRAMES}`, '-forced-idr', '1', '-force_key_frames', times.join(',')];
}

function audioArgs(plan: EncodePlan, folder: string): string[] {
  const rung = audioRungOf(plan, folder);
  return [
    ...pinnedInput(plan.facts.demuxer),
    ...['-filter_complex', audioGraph(plan.facts, rung, currentStages(plan)), '-map', '[a]'],
    ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', `${rung.bitrateBps}`],
    ...[...ONE_MP4, encodedName(folder)],
  ];
}

function level(idc: number): string {
  return `${Math.floor(idc / 10)}.${idc % 10}`;
}

/** One line of `-progress` output: the encoder's position in milliseconds; null for other lines. */
export function parseProgress(line: string): number | null {
  const match = /^out_time_us=(\d+)$/.exec(line);
  return match === null ? null : Number(match[1]) / 1000;
}

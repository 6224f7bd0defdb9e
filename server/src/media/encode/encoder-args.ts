import { type Fraction, formatFraction, toNumber } from '../inspect/fraction.ts';
import { loudnessOutput } from '../inspect/measure-loudness.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import { isDiscontinuous, pinnedInput } from '../inspect/probe.ts';
import type { AudioRung } from '../ladder/audio-rungs.ts';
import { ladderOf, type VideoRung } from '../ladder/ladder.ts';
import { type AddedCodec, CODECS } from '../ladder/video-codecs.ts';
import { isProcess, type Stage, stagesOf } from '../stages/stages.ts';
import { audioRungOf, type EncodeChunk, type EncodePlan, encodedSizes, ticksOf } from './encode-plan.ts';
import { type OnDemand, packetsOf, segmentChunk } from './on-demand.ts';
import { KEEP_TICKS, listTimes, TOLERANCE_TICKS } from './times/timed-pictures.ts';
import { allKeyframesOf, keyframesOf, type Timeline, type VideoChunk } from './times/timeline.ts';
import { type SampledFrames, sampledFrames } from './verify/sample-frames.ts';
import { rawSound, rawVideo, SAMPLES } from './verify/samples.ts';
import { audioGraph, type ChunkWindow, type Sizes, segmentAudioGraph, videoGraph } from './video-filters.ts';

/** The video encoder: its names in the API and in ffmpeg. */
export const VIDEO_ENCODER = { name: 'X264', ffmpegName: 'libx264' } as const;
/** Removes private metadata of the author (location, device, software). */
export const ANONYMOUS = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** The file of a rendition that ffmpeg writes for a chunk. */
export function encodedName(folder: string): string {
  return `${folder}.mp4`;
}

/** Options that report progress on standard output. */
export const PROGRESS = ['-progress', 'pipe:1', '-stats_period', '1'];

/**
 * Arguments of one ffmpeg process that decodes a chunk once and writes each of its renditions as an MP4 file in the
 * work folder. Progress goes to standard output (see `parseProgress`). Pure.
 */
export function encodeArgs(plan: EncodePlan, chunk: EncodeChunk, stages = stagesOf(plan.facts)): string[] {
  const args = chunk.kind === 'video' ? videoArgs(plan, chunk, stages) : audioArgs(plan, chunk.folder, stages);
  return [...PROGRESS, ...args, ...sharedClock(plan.facts)];
}

/**
 * ffmpeg lets the tracks that it reads of transport and program streams begin at 0. With the main ones read both, each
 * begins when it does in the file. Pure.
 */
export function sharedClock({ demuxer, video, audio }: MediaFacts): string[] {
  if (!isDiscontinuous(demuxer) || !video || !audio) return [];
  return ['-map', `0:${video.index}`, '-map', `0:${audio.index}`, '-c', 'copy', '-f', 'null', '-'];
}

/** Arguments of one ffmpeg process that writes the picture and the sound of one segment. Pure. */
export function segmentArgs(plan: EncodePlan, demand: OnDemand, number: number): string[] {
  const { video, audio } = demand;
  const chunk = segmentChunk(plan, demand, number);
  const stages = stagesOf(plan.facts);
  const decoded = decodedPart(plan, chunk, stages);
  const packets = packetsOf(plan, demand, number);
  const sound = audio && segmentAudioGraph(audio, stages, packets, decoded.window.fromSeconds);
  return [
    ...decoded.args,
    ...[
      '-filter_complex',
      [
        pictureGraph(plan, { all: [video], encoded: [video] }, stages, decoded.window, null),
        ...(sound ? [sound] : []),
      ].join(';'),
    ],
    ...videoOutput(plan, allKeyframesOf(plan.timeline, chunk) ?? [0], video, 0),
    ...(audio ? audioOutput(audio) : []),
  ];
}

/**
 * Decoding begins this long before a chunk that does not begin with a keyframe of the source, so that its first frame
 * is that of the whole video.
 */
const LEAD_SECONDS = 1;

function videoArgs(plan: EncodePlan, chunk: VideoChunk, stages: readonly Stage[]): string[] {
  const rungs = encodedSizes(plan);
  const { args, window } = decodedPart(plan, chunk, stages);
  const keyframes = allKeyframesOf(plan.timeline, chunk);
  const graph = pictureGraph(plan, sizesOf(plan), stages, window, sampledFrames(plan, chunk));
  return [
    ...[...args, '-filter_complex', graph],
    ...rungs.flatMap((rung, index) => videoOutput(plan, keyframes, rung, index)),
    ...sampleOutputs(plan.timeline),
  ];
}

function sampleOutputs({ timed }: Timeline): string[] {
  const { counted, ...pictures } = SAMPLES.video;
  return [
    ...Object.entries(pictures).flatMap(([label, file]) => rawVideo(`[${label}]`, file)),
    ...(timed ? listTimes('[counted]', counted) : rawVideo('[counted]', counted)),
  ];
}

function pictureGraph(
  { facts }: EncodePlan,
  sizes: Sizes,
  stages: readonly Stage[],
  window: ChunkWindow,
  sampled: SampledFrames | null,
): string {
  if (facts.video === null) throw new Error('The plan has no video.');
  return videoGraph(facts.video, sizes, stages, window, sampled);
}

/** The sizes of a plan. */
export function sizesOf(plan: EncodePlan): Sizes {
  return { all: ladderOf(plan).video, encoded: encodedSizes(plan) };
}

/** The part of the source that is decoded for a chunk, so many frames before and after it included. */
export function decodedPart(
  { facts, timeline }: EncodePlan,
  chunk: VideoChunk,
  stages: readonly Stage[],
  around = 0,
): { args: string[]; window: ChunkWindow } {
  const rate = toNumber(timeline.baseRate);
  const startSeconds = chunk.startFrame / rate;
  const frames = chunk.endFrame === null ? null : chunk.endFrame - chunk.startFrame;
  const filters = stages.filter((stage) => !isProcess(stage));
  const overlapFrames = around + Math.max(0, ...filters.map((stage) => stage.overlapFrames));
  const seek = seekTo(startSeconds, rate, beginsAtKeyframe({ facts, timeline }), overlapFrames);
  const length = frames === null ? null : startSeconds - seek.fromSeconds + (frames + around) / rate + LEAD_SECONDS;
  const cuts = timeline.timed && keyframesOf(timeline, chunk);
  const filled = timeline.timed?.filled === true;
  const timed = cuts ? { timed: { start: chunk.startFrame, end: chunk.endFrame, cuts, filled } } : {};
  return {
    args: [...seek.args, ...(length === null ? [] : ['-t', length.toFixed(3)]), ...pinnedInput(facts.demuxer)],
    window: { fromSeconds: seek.fromSeconds, startSeconds, frames, ...timed },
  };
}

/**
 * Whether ffmpeg finds the keyframe with which a chunk begins by its time. In Matroska it looks for one 130 ms earlier,
 * because it takes the times of an index for those of decoding. Pure.
 */
export function beginsAtKeyframe({ facts, timeline }: Pick<EncodePlan, 'facts' | 'timeline'>): boolean {
  // Whole seconds, at which decoding begins otherwise, are exact in every time base.
  return timeline.cuts !== null && timeline.timed === undefined && facts.demuxer === 'mov';
}

/** Where decoding begins, and the options for it. */
function seekTo(
  startSeconds: number,
  rate: number,
  atKeyframe: boolean,
  overlapFrames: number,
): { fromSeconds: number; args: string[] } {
  if (startSeconds === 0) return { fromSeconds: 0, args: [] };
  if (atKeyframe && overlapFrames === 0) {
    // Half a frame later: the keyframe may be that much later than the frame that it becomes.
    const fromSeconds = Number((startSeconds + 0.5 / rate).toFixed(6));
    return { fromSeconds, args: ['-noaccurate_seek', '-ss', `${fromSeconds}`] };
  }
  // Whole seconds are exact in every time base.
  const fromSeconds = Math.max(0, Math.floor(startSeconds - LEAD_SECONDS - overlapFrames / rate));
  return { fromSeconds, args: fromSeconds > 0 ? ['-ss', `${fromSeconds}`] : [] };
}

/**
 * `avoid_negative_ts` is off so that reordering of B-frames and the priming of AAC become one plain edit list entry.
 */
const ONE_MP4 = [...ANONYMOUS, '-avoid_negative_ts', 'disabled', '-f', 'mp4'];

/**
 * The output of a rendition. One thread per encoder: the output does not depend on the machine, and cores are used by
 * encoding several chunks.
 */
export function videoOutput(
  { timeline, codec }: Pick<EncodePlan, 'timeline' | 'codec'>,
  keyframes: readonly number[] | null,
  rung: VideoRung,
  index: number,
): string[] {
  const timedRate = timeline.timed ? rung.frameRate : null;
  return [
    ...['-map', `[v${index}]`, '-fps_mode', 'passthrough', ...(timedRate ? KEEP_TICKS : [])],
    ...(codec ? ['-c:v', CODECS[codec].encoder, ...codecArgs(codec, timedRate)] : h264Args(rung, timedRate)),
    ...['-maxrate', `${rung.maxrateBps}`, '-bufsize', `${rung.bufsizeBits}`],
    ...(codec ? groupArgs(keyframes, timeline.segmentFrames, rung) : keyframeArgs(keyframes, timeline, rung)),
    ...['-video_track_timescale', `${ticksOf(rung).timescale}`, ...ONE_MP4, encodedName(rung.folder)],
  ];
}

/** `timedRate`: of pictures that keep their times, which do not tell it. */
function h264Args({ levelIdc }: VideoRung, timedRate: Fraction | null): string[] {
  return [
    ...['-c:v', VIDEO_ENCODER.ffmpegName, '-preset', 'veryfast', '-profile:v', 'high'],
    ...['-level:v', level(levelIdc), '-crf', '23', '-sc_threshold', '0', '-flags', '+cgop', '-threads', '1'],
    ...(timedRate ? ['-x264-params', `fps=${formatFraction(timedRate)}`] : []),
    // Captions within the pictures are not offered: manifests say that there are none.
    ...['-a53cc', '0'],
  ];
}

function codecArgs(codec: AddedCodec, timedRate: Fraction | null): string[] {
  const { args, rateParams } = CODECS[codec];
  if (!timedRate) return [...args];
  // The last option is that with the encoder's own parameters.
  return [...args.slice(0, -1), `${args.at(-1)}:${rateParams(timedRate)}`];
}

/** Encoders of other codecs get whole segments, or segments of one length: not all of them take keyframes. */
function groupArgs(keyframes: readonly number[] | null, segmentFrames: number, rung: VideoRung): string[] {
  const isOne = keyframes !== null && keyframes.length <= 1;
  const frames = isOne ? NO_OTHER_KEYFRAMES : keyframes ? groupFrames(rung) : segmentFrames * rung.framesPerBase;
  return ['-g', `${frames}`, '-keyint_min', `${frames}`];
}

/** Of the length of groups where a segment has several. */
const GROUP_SECONDS = 2;

function groupFrames({ frameRate }: VideoRung): number {
  return Math.ceil(GROUP_SECONDS * toNumber(frameRate));
}

/** More frames than a segment has. */
export const NO_OTHER_KEYFRAMES = 100_000;

function keyframeArgs(
  keyframes: readonly number[] | null,
  { timed, segmentFrames }: Timeline,
  rung: VideoRung,
): string[] {
  if (keyframes === null) {
    const group = `${segmentFrames * rung.framesPerBase}`;
    return ['-g', group, '-keyint_min', group];
  }
  const times = keyframes.map((frame) => {
    // The first picture at or after that time.
    if (timed) return Math.max(0, (frame - TOLERANCE_TICKS) / TICKS_PER_SECOND);
    return (frame * rung.framesPerBase) / toNumber(rung.frameRate);
  });
  const forced = times.map((seconds) => seconds.toFixed(6)).join(',');
  return ['-g', `${NO_OTHER_KEYFRAMES}`, '-forced-idr', '1', '-force_key_frames', forced];
}

/** Whether the loudness of a track of sound is measured while it is encoded: that of the main one. */
export function isMeasured(plan: EncodePlan, folder: string): boolean {
  return folder === ladderOf(plan).audio?.folder;
}

function audioArgs(plan: EncodePlan, folder: string, stages: readonly Stage[]): string[] {
  const rung = audioRungOf(plan, folder);
  return [
    ...pinnedInput(plan.facts.demuxer),
    ...(isMeasured(plan, folder) ? loudnessOutput(rung.source.index) : []),
    ...['-filter_complex', audioGraph(plan.facts, rung, stages)],
    ...audioOutput(rung),
    ...rawSound('[staged]', SAMPLES.audio.staged),
  ];
}

/** The output of a track of sound. */
export function audioOutput({ codec, bitrateBps, folder }: AudioRung): string[] {
  return [
    ...['-map', '[a]', ...(codec === 'aac' ? ['-c:a', 'aac', '-profile:a', 'aac_low'] : ['-c:a', 'eac3'])],
    ...['-b:a', `${bitrateBps}`, ...ONE_MP4, encodedName(folder)],
  ];
}

/** Arguments that write the frames of a track of sound as they are. Pure. */
export function copyArgs(plan: EncodePlan, folder: string): string[] {
  const { source } = audioRungOf(plan, folder);
  const input = [...pinnedInput(plan.facts.demuxer), '-map', `0:${source.index}`, '-c:a', 'copy'];
  return [...PROGRESS, ...input, ...ONE_MP4, encodedName(folder), ...sharedClock(plan.facts)];
}

function level(idc: number): string {
  return `${Math.floor(idc / 10)}.${idc % 10}`;
}

/** One line of `-progress` output: the encoder's position in milliseconds; null for other lines. */
export function parseProgress(line: string): number | null {
  const match = /^out_time_us=(\d+)$/.exec(line);
  return match === null ? null : Number(match[1]) / 1000;
}

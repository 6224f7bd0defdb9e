import { type Fraction, formatFraction, toNumber } from '../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import { type AudioRung, isMainTrack } from '../ladder/audio-rungs.ts';
import type { VideoRung } from '../ladder/ladder.ts';
import type { Stage } from '../stages/stages.ts';
import { AAC_PACKET, AAC_RATE, type PacketRange } from './on-demand.ts';
import { selectTaken, TICK_BASE, TOLERANCE_TICKS } from './times/timed-pictures.ts';
import { comparedSound } from './verify/compare-sound.ts';
import { SAMPLE_SIZE, type SampledFrames, selectSampled } from './verify/sample-frames.ts';
import { REPORT_PICTURE, REPORT_SOUND } from './watch/change-watch.ts';

/** Where a chunk is decoded: frames from `startSeconds`, where time stamps count from `fromSeconds`. */
export interface ChunkWindow {
  readonly fromSeconds: number;
  readonly startSeconds: number;
  /** Null: to the end of the source. */
  readonly frames: number | null;
  /** Where pictures keep the times of the source. */
  readonly timed?: TimedWindow;
}

/** In ticks. */
interface TimedWindow {
  readonly start: number;
  readonly end: number | null;
  /** When segments begin, counted from the start. */
  readonly cuts: readonly number[];
  /** Whether pictures are repeated where there are none. */
  readonly filled: boolean;
}

/** Sizes of a ladder from large to small. Frames are decoded in the same way whichever of them are encoded. */
export interface Sizes {
  readonly all: readonly VideoRung[];
  readonly encoded: readonly VideoRung[];
}

/**
 * The filters between the decoder and the encoders of a chunk: a chain for the source, and one for each rendition, with
 * outputs `v0`, `v1` and so on. Time stamps of the outputs count frames from 0, or are those of the source. For the
 * verification of what is
 * encoded, where frames are sampled, `source` and `staged` are small pictures of them, before and after the stages that
 * change pictures, and `counted` has all frames. Pure.
 */
export function videoGraph(
  video: VideoFacts,
  { all, encoded: rungs }: Sizes,
  stages: readonly Stage[],
  window: ChunkWindow,
  sampled: SampledFrames | null,
): string {
  const fastest = fastestOf(all);
  const common = decodedFilters(video, stages, fastest, window);
  const changed = [...shrunk(video, all[0]), ...sourceFilters(video, stages, 'output')];
  const { split, chains } = renditionChains(video, { all, encoded: rungs }, stages, window);
  if (sampled === null)
    return [`[0:${video.index}]${[...common, ...changed, `split=${rungs.length}${split}`].join(',')}`, ...chains].join(
      ';',
    );
  return [
    `[0:${video.index}]${common.join(',')},split=3[decoded][compared][every]`,
    sourceSamples('[compared]', sampled, fastest),
    `[every]${onePixel(video)}${window.timed ? '' : ',setpts=N'}[counted]`,
    `[decoded]${[...changed, `split=${rungs.length + 1}${split}`].join(',')}[sampled]`,
    stagedSamples('[sampled]', video, stages, sampled, fastest),
    ...chains,
  ].join(';');
}

/** The rendition with the most frames: all others are made from its frames. */
export function fastestOf(rungs: readonly VideoRung[]): Pace {
  return rungs.reduce<Pace>(
    (best, rung) => (toNumber(rung.frameRate) > toNumber(best.frameRate) ? rung : best),
    rungs[0] ?? { framesPerBase: 1, frameRate: { num: 30, den: 1 } },
  );
}

type Pace = Pick<VideoRung, 'framesPerBase' | 'frameRate' | 'leastStep'>;

/**
 * Frames of the source, as displayed: ffmpeg rotates them before the graph (autorotate). They have a constant rate, or
 * keep their times, in ticks from the start of the window. `more` are frames before and after the window. Pure.
 */
export function decodedFilters(
  video: VideoFacts,
  stages: readonly Stage[],
  { frameRate, framesPerBase, leastStep = 1 }: Pace,
  { fromSeconds, startSeconds, frames, timed }: ChunkWindow,
  more = { before: 0, after: 0 },
): string[] {
  const { before, after } = more;
  if (timed) {
    const end = timed.end === null ? '' : `:end_pts=${timed.end - TOLERANCE_TICKS}`;
    return [
      ...[...sourceFilters(video, stages, 'source'), TICK_BASE],
      ...(fromSeconds > 0 ? [`setpts=PTS+${fromSeconds * TICKS_PER_SECOND}`] : []),
      ...(timed.filled ? [constantRate(frameRate, startSeconds), TICK_BASE] : []),
      // A late first picture is shown from the start on.
      `trim=start_pts=${timed.start - TOLERANCE_TICKS}${end}`,
      `setpts='if(eq(N,0),0,PTS-${timed.start})'`,
      selectTaken({ cuts: timed.cuts, leastStep }),
    ];
  }
  const left = frames === null ? framesLeft(video, frameRate, startSeconds) : null;
  return [
    ...sourceFilters(video, stages, 'source'),
    ...(fromSeconds > 0 ? [`setpts=PTS+${fromSeconds}/TB`] : []),
    // A late first frame is shown from the start on, gaps are filled, surplus is dropped.
    ...(left === null ? [] : ['tpad=stop=1:stop_mode=clone']),
    constantRate(frameRate, startSeconds - before / toNumber(frameRate)),
    ...(frames === null ? [] : [`trim=end_frame=${before + frames * framesPerBase + after}`]),
    ...(left === null ? [] : [`trim=end_frame=${before + left}`]),
  ];
}

/**
 * Frames from a time to the end, where all pictures of the source are at the times of a rate. `fps` does without the
 * last one where ffmpeg has no length for it, as in MP4 files of H.264 that declares a rate of 90000.
 */
function framesLeft({ frameRate, exactRate, pictureCount }: VideoFacts, rate: Fraction, startSeconds: number) {
  if (!exactRate || frameRate === null || pictureCount === undefined) return null;
  const endSeconds = pictureCount / toNumber(frameRate);
  return Math.max(1, Math.round((endSeconds - startSeconds) * toNumber(rate)));
}

/** The chains of renditions, and the outputs of the filter `split` that they begin with. Pure. */
export function renditionChains(
  video: VideoFacts,
  { all, encoded }: Sizes,
  stages: readonly Stage[],
  { startSeconds, timed }: Pick<ChunkWindow, 'startSeconds' | 'timed'>,
): { split: string; chains: string[] } {
  const fastest = fastestOf(all);
  const chains = encoded.map((rung, index) => {
    const filters = rungFilters(video, stages, rung);
    if (timed) {
      const { leastStep = 1 } = rung;
      const fewer = leastStep > (fastest.leastStep ?? 1) ? [selectTaken({ cuts: timed.cuts, leastStep })] : [];
      return `[s${index}]${[...fewer, ...filters].join(',')}[v${index}]`;
    }
    const slower = rung.framesPerBase < fastest.framesPerBase ? [constantRate(rung.frameRate, startSeconds)] : [];
    return `[s${index}]${[...slower, ...filters, 'setpts=N'].join(',')}[v${index}]`;
  });
  return { split: encoded.map((_, index) => `[s${index}]`).join(''), chains };
}

/** The chain to `source`: sampled frames before the stages that change pictures. Pure. */
export function sourceSamples(
  from: string,
  sampled: SampledFrames,
  { framesPerBase }: Pick<VideoRung, 'framesPerBase'>,
  first: readonly string[] = [],
): string {
  const small = `scale=w=${SAMPLE_SIZE.width}:h=${SAMPLE_SIZE.height}`;
  const filters = [
    ...[...first, selectSampled(sampled, framesPerBase), REPORT_PICTURE],
    ...[small, 'format=yuv420p', 'setpts=N'],
  ];
  return `${from}${filters.join(',')}[source]`;
}

/** The chain to `staged`: the same frames after them. Pure. */
export function stagedSamples(
  from: string,
  video: VideoFacts,
  stages: readonly Stage[],
  sampled: SampledFrames,
  { framesPerBase }: Pick<VideoRung, 'framesPerBase'>,
): string {
  const select = selectSampled(sampled, framesPerBase);
  return `${from}${[select, ...rungFilters(video, stages, SAMPLE_SIZE), 'setpts=N'].join(',')}[staged]`;
}

/** Cropping costs nothing, but not all sizes and formats of pixels can be. */
const CROPPED = 16;

/** Filters that leave one pixel of each frame: for counting them. Pure. */
export function onePixel({ width, height }: Pick<VideoFacts, 'width' | 'height'>): string {
  const crop = Math.min(width, height) < CROPPED ? '' : `crop=${CROPPED}:${CROPPED},`;
  return `${crop}scale=1:1,format=gray`;
}

function rungFilters(
  video: VideoFacts,
  stages: readonly Stage[],
  size: Pick<VideoRung, 'width' | 'height'>,
): readonly string[] {
  return stages.flatMap((stage) => (stage.kind === 'rung-filter' ? stage.filters(video, size) : []));
}

/** Of the stages that work on frames of the source, or on those at the rate of the renditions. Pure. */
export function sourceFilters(
  video: VideoFacts,
  stages: readonly Stage[],
  rate: 'source' | 'output',
): readonly string[] {
  return stages.flatMap((stage) => (stage.kind === 'source-filter' && stage.rate === rate ? stage.filters(video) : []));
}

function constantRate(rate: Fraction, startSeconds: number): string {
  return `fps=${formatFraction(rate)}:start_time=${Number(startSeconds.toFixed(6))}`;
}

/** Sources above the largest rung (8K) are scaled to its size first, before other filters. Pure. */
export function shrunk(video: VideoFacts, largest: Pick<VideoRung, 'width' | 'height'> | undefined): string[] {
  const needed = largest !== undefined && video.displayWidth > 1.1 * largest.width;
  return needed ? [`scale=w=${largest.width}:h=${largest.height}:flags=bicubic`] : [];
}

/**
 * The filters of a track of sound: from time 0 (silence until the sound starts), with gaps filled. Tracks other than
 * the main one are as long as the source. `staged` are the frames of it that are compared for verification. Pure.
 */
export function audioGraph(facts: MediaFacts, rung: AudioRung, stages: readonly Stage[]): string {
  const filters = [resampled(rung), ...mixFilters(rung, stages), ...lengthFilters(facts, rung)];
  return [
    `[0:${rung.source.index}]asplit[track][reported]`,
    `[reported]${REPORT_SOUND}`,
    `[track]${filters.join(',')},${soundOutputs()}`,
  ].join(';');
}

/** The end of a graph of sound: what is encoded, and what is compared for verification. */
export function soundOutputs(): string {
  return `asplit[a][compared];[compared]${comparedSound()}[staged]`;
}

/** Tracks other than the main one are as long as the source. Pure. */
export function lengthFilters(facts: MediaFacts, rung: AudioRung): string[] {
  if (isMainTrack(facts, rung) || facts.durationMs === null) return [];
  const seconds = facts.durationMs / 1000;
  return [`apad=whole_dur=${seconds}`, `atrim=end=${seconds}`];
}

/**
 * The filters of the sound of a segment: the samples of its packets, and silence where the source has none. Time stamps
 * of the source count from `fromSeconds`. Pure.
 */
export function segmentAudioGraph(
  rung: AudioRung,
  stages: readonly Stage[],
  { lead, end }: PacketRange,
  fromSeconds: number,
): string {
  const start = lead * AAC_PACKET - fromSeconds * AAC_RATE;
  // The encoder needs the samples of the packet after the last one, too.
  const stop = start + (end - lead + 1) * AAC_PACKET;
  const filters = [
    ...[resampled(rung), ...mixFilters(rung, stages)],
    ...['apad', `atrim=start_sample=${start}:end_sample=${stop}`, 'asetpts=N/SR/TB'],
  ];
  return `[0:${rung.source.index}]${filters.join(',')}[a]`;
}

/** From time 0, at the rate of the rendition, with silence in gaps. Pure. */
export function resampled({ sampleRate }: Pick<AudioRung, 'sampleRate'>): string {
  return `aresample=${sampleRate}:async=1:first_pts=0`;
}

/** The filters of stages on a track of sound. Pure. */
export function mixFilters(rung: AudioRung, stages: readonly Stage[]): string[] {
  return stages.flatMap((stage) => (stage.kind === 'audio-filter' ? stage.filters(rung) : []));
}

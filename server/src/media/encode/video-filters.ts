import { type Fraction, formatFraction } from '../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { type AudioRung, isMainTrack } from './audio-rungs.ts';
import type { VideoRung } from './ladder.ts';
import type { Stage } from './stages.ts';
import { comparedSound } from './verify/compare-sound.ts';
import { SAMPLE_SIZE, type SampledFrames, selectSampled } from './verify/sample-frames.ts';

/** Where a chunk is decoded: frames from `startSeconds`, where time stamps count from `fromSeconds`. */
export interface ChunkWindow {
  readonly fromSeconds: number;
  readonly startSeconds: number;
  /** Null: to the end of the source. */
  readonly frames: number | null;
}

/**
 * The filters between the decoder and the encoders of a chunk: a chain for the source, and one for each rendition, with
 * outputs `v0`, `v1` and so on. Time stamps of the outputs count frames from 0. For the verification of what is
 * encoded, `source` and `staged` are small pictures of sampled frames, before and after the stages that change
 * pictures, and `counted` has all frames. Pure.
 */
export function videoGraph(
  video: VideoFacts,
  rungs: readonly VideoRung[],
  stages: readonly Stage[],
  window: ChunkWindow,
  sampled: SampledFrames,
): string {
  const fastest = rungs.reduce(
    (best, rung) => (rung.framesPerBase > best.framesPerBase ? rung : best),
    rungs[0] ?? { framesPerBase: 1, frameRate: { num: 30, den: 1 } },
  );
  const { fromSeconds, startSeconds, frames } = window;
  // ffmpeg rotates frames before the graph (autorotate), so sizes here are as displayed.
  const common = [
    ...sourceFilters(video, stages, 'source'),
    ...(fromSeconds > 0 ? [`setpts=PTS+${fromSeconds}/TB`] : []),
    // A late first frame is shown from the start on, gaps are filled, surplus is dropped.
    constantRate(fastest.frameRate, startSeconds),
    ...(frames === null ? [] : [`trim=end_frame=${frames * fastest.framesPerBase}`]),
    'split=3[decoded][compared][every]',
  ];
  const select = selectSampled(sampled, fastest.framesPerBase);
  const small = `scale=w=${SAMPLE_SIZE.width}:h=${SAMPLE_SIZE.height}`;
  const changed = [
    ...shrunk(video, rungs[0]),
    ...sourceFilters(video, stages, 'output'),
    `split=${rungs.length + 1}${rungs.map((_, index) => `[s${index}]`).join('')}[sampled]`,
  ];
  const chains = rungs.map((rung, index) => {
    const slower = rung.framesPerBase < fastest.framesPerBase ? [constantRate(rung.frameRate, startSeconds)] : [];
    return `[s${index}]${[...slower, ...rungFilters(video, stages, rung), 'setpts=N'].join(',')}[v${index}]`;
  });
  return [
    `[0:${video.index}]${common.join(',')}`,
    `[compared]${select},${small},format=yuv420p,setpts=N[source]`,
    `[every]${onePixel(video)},setpts=N[counted]`,
    `[decoded]${changed.join(',')}`,
    `[sampled]${[select, ...rungFilters(video, stages, SAMPLE_SIZE), 'setpts=N'].join(',')}[staged]`,
    ...chains,
  ].join(';');
}

/** Cropping costs nothing, but not all sizes and formats of pixels can be. */
const CROPPED = 16;

function onePixel({ width, height }: VideoFacts): string {
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

function sourceFilters(video: VideoFacts, stages: readonly Stage[], rate: 'source' | 'output'): readonly string[] {
  return stages.flatMap((stage) => (stage.kind === 'source-filter' && stage.rate === rate ? stage.filters(video) : []));
}

function constantRate(rate: Fraction, startSeconds: number): string {
  return `fps=${formatFraction(rate)}:start_time=${Number(startSeconds.toFixed(6))}`;
}

/** Sources above the largest rung (8K) are scaled to its size first, before other filters. */
function shrunk(video: VideoFacts, largest: VideoRung | undefined): string[] {
  const needed = largest !== undefined && video.displayWidth > 1.1 * largest.width;
  return needed ? [`scale=w=${largest.width}:h=${largest.height}:flags=bicubic`] : [];
}

/**
 * The filters of a track of sound: from time 0 (silence until the sound starts), with gaps filled. Tracks other than
 * the main one are as long as the source. `staged` are the frames of it that are compared for verification. Pure.
 */
export function audioGraph(facts: MediaFacts, rung: AudioRung, stages: readonly Stage[]): string {
  const seconds = isMainTrack(facts, rung) || facts.durationMs === null ? null : facts.durationMs / 1000;
  const filters = [
    `aresample=${rung.sampleRate}:async=1:first_pts=0`,
    ...stages.flatMap((stage) => (stage.kind === 'audio-filter' ? stage.filters(rung) : [])),
    ...(seconds === null ? [] : [`apad=whole_dur=${seconds}`, `atrim=end=${seconds}`]),
  ];
  return `[0:${rung.source.index}]${filters.join(',')},asplit[a][compared];[compared]${comparedSound()}[staged]`;
}

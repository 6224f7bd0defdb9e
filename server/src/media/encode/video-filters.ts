import { type Fraction, formatFraction } from '../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { type AudioRung, isMainTrack } from './audio-rungs.ts';
import type { VideoRung } from './ladder.ts';
import { AAC_PACKET, AAC_RATE, type PacketRange } from './on-demand.ts';
import type { Stage } from './stages.ts';

/** Where a chunk is decoded: frames from `startSeconds`, where time stamps count from `fromSeconds`. */
export interface ChunkWindow {
  readonly fromSeconds: number;
  readonly startSeconds: number;
  /** Null: to the end of the source. */
  readonly frames: number | null;
}

/**
 * The filters between the decoder and the encoders of a chunk: a chain for the source, and one for each rendition, with
 * outputs `v0`, `v1` and so on. Time stamps of the outputs count frames from 0. Pure.
 */
export function videoGraph(
  video: VideoFacts,
  rungs: readonly VideoRung[],
  stages: readonly Stage[],
  window: ChunkWindow,
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
    ...shrunk(video, rungs[0]),
    ...sourceFilters(video, stages, 'output'),
    `split=${rungs.length}${rungs.map((_, index) => `[s${index}]`).join('')}`,
  ];
  const chains = rungs.map((rung, index) => {
    const slower = rung.framesPerBase < fastest.framesPerBase ? [constantRate(rung.frameRate, startSeconds)] : [];
    const scaled = stages.flatMap((stage) => (stage.kind === 'rung-filter' ? stage.filters(video, rung) : []));
    return `[s${index}]${[...slower, ...scaled, 'setpts=N'].join(',')}[v${index}]`;
  });
  return [`[0:${video.index}]${common.join(',')}`, ...chains].join(';');
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
 * the main one are as long as the source. Pure.
 */
export function audioGraph(facts: MediaFacts, rung: AudioRung, stages: readonly Stage[]): string {
  const seconds = isMainTrack(facts, rung) || facts.durationMs === null ? null : facts.durationMs / 1000;
  const filters = [
    ...soundFilters(rung, stages),
    ...(seconds === null ? [] : [`apad=whole_dur=${seconds}`, `atrim=end=${seconds}`]),
  ];
  return `[0:${rung.source.index}]${filters.join(',')}[a]`;
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
    ...soundFilters(rung, stages),
    ...['apad', `atrim=start_sample=${start}:end_sample=${stop}`, 'asetpts=N/SR/TB'],
  ];
  return `[0:${rung.source.index}]${filters.join(',')}[a]`;
}

function soundFilters(rung: AudioRung, stages: readonly Stage[]): string[] {
  return [
    `aresample=${rung.sampleRate}:async=1:first_pts=0`,
    ...stages.flatMap((stage) => (stage.kind === 'audio-filter' ? stage.filters(rung) : [])),
  ];
}

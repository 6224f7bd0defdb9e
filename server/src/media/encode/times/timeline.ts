import { type Fraction, toNumber } from '../../inspect/fraction.ts';
import { type PictureTimes, TICKS_PER_SECOND } from '../../inspect/picture-times.ts';

/**
 * A part of a video that is encoded by itself. Frames are those of the ladder's base rate; where pictures keep the
 * times of the source, ticks.
 */
export interface VideoChunk {
  /** From 0. */
  readonly number: number;
  readonly startFrame: number;
  /** Null: to the end of the source. */
  readonly endFrame: number | null;
  /** Number of its first segment, from 0. */
  readonly firstSegment: number;
}

/** When segments begin. */
export interface Timeline {
  readonly baseRate: Fraction;
  /** Frames of a segment where `cuts` is null. */
  readonly segmentFrames: number;
  /** Frames at which segments begin, rising from 0; null where all have the same length. */
  readonly cuts: readonly number[] | null;
  /** Frames with keyframes beside those with which segments begin, rising. Absent: there are none. */
  readonly keyframes?: readonly number[];
  /** Where pictures keep the times of the source, `baseRate` being the ticks of a second. */
  readonly timed?: TimedPictures;
  /**
   * Where programs read pictures at a constant rate, of a source with another one: when segments begin in the other
   * renditions, and the last one ends, in ticks.
   */
  readonly borders?: readonly number[];
}

/** What is planned of pictures that keep the times of the source. */
export interface TimedPictures {
  /** When the last one ends, in ticks. */
  readonly end: number;
  /** Present: a part of which nothing can be decoded is filled with the picture before it. */
  readonly filled?: true;
}

export interface ChunkOptions {
  /** Null where it is not known before the source was decoded. */
  readonly durationMs: number | null;
  /** Whether any moment can be decoded without what is before it. */
  readonly randomAccess: boolean;
  /** CPU seconds for a second of the source. */
  readonly costPerSecond: number;
}

/** A chunk takes about so much CPU time: a worker that is lost has lost no more. */
const CHUNK_CPU_SECONDS = 30;
const SHORTEST_CHUNK_SECONDS = 20;
const LONGEST_CHUNK_SECONDS = 600;
/** Short videos are divided further, so that several cores encode them. */
const SHORT_VIDEO_CHUNKS = 4;
const SHORT_VIDEO_CHUNK_SECONDS = 8;
/** What is left at the end is a chunk of its own only if it is longer. */
const SHORTEST_LAST_SECONDS = 2;

/** Divides a video into chunks that begin with a segment. The first one is short: it is played first. Pure. */
export function planChunks(timeline: Timeline, options: ChunkOptions): VideoChunk[] {
  const rate = toNumber(timeline.baseRate);
  const starts = segmentStarts(timeline, options);
  const lengthFrames = chunkSeconds(options) * rate;
  const endFrame = ((options.durationMs ?? 0) / 1000) * rate - SHORTEST_LAST_SECONDS * rate;
  const begins = [0];
  for (const [segment, start] of starts.entries()) {
    const chunk = begins.length - 1;
    const first = starts[begins[chunk] ?? 0] ?? 0;
    // Half a segment of tolerance: a chunk of 20 s has 5 segments of 4.004 s.
    const isFull = chunk === 0 || start - first >= lengthFrames - timeline.segmentFrames / 2;
    if (segment > 0 && isFull && start < endFrame) begins.push(segment);
  }
  return begins.map((segment, number) => {
    const next = begins[number + 1];
    return {
      number,
      startFrame: starts[segment] ?? 0,
      endFrame: next === undefined ? null : (starts[next] ?? null),
      firstSegment: segment,
    };
  });
}

/** Frames at which segments begin, as far as the declared duration says. */
function segmentStarts({ baseRate, segmentFrames, cuts }: Timeline, options: ChunkOptions): readonly number[] {
  if (options.durationMs === null || !options.randomAccess) return [0];
  if (cuts !== null) return cuts;
  return everySegment((options.durationMs / 1000) * toNumber(baseRate), segmentFrames);
}

/** Frames at which segments of one length begin, one at least. Pure. */
export function everySegment(frames: number, segmentFrames: number): number[] {
  const count = Math.max(1, Math.ceil(frames / segmentFrames));
  return Array.from({ length: count }, (_, segment) => segment * segmentFrames);
}

function chunkSeconds({ durationMs, costPerSecond }: ChunkOptions): number {
  const byCost = CHUNK_CPU_SECONDS / Math.max(costPerSecond, 0.001);
  const usual = Math.min(LONGEST_CHUNK_SECONDS, Math.max(SHORTEST_CHUNK_SECONDS, byCost));
  const byLength = (durationMs ?? 0) / 1000 / SHORT_VIDEO_CHUNKS;
  return Math.min(usual, Math.max(SHORT_VIDEO_CHUNK_SECONDS, byLength));
}

/** Frames within a chunk, counted from its start, at which its segments begin; null where all have the same length. */
export function keyframesOf({ cuts }: Pick<Timeline, 'cuts'>, { startFrame, endFrame }: VideoChunk): number[] | null {
  if (cuts === null) return null;
  return cuts
    .filter((cut) => cut >= startFrame && (endFrame === null || cut < endFrame))
    .map((cut) => cut - startFrame);
}

/** Longer intervals before a segment are not seen as jitter by players. */
const LONG_STEP_SECONDS = 0.25;

/** When segments of about this length begin with pictures of a source that keep their times. Pure. */
export function timedCuts({ points, end }: PictureTimes, segmentTicks: number): number[] {
  const cuts = [0];
  for (const point of points) {
    const isLast = end - point < SHORTEST_SEGMENT_SECONDS * TICKS_PER_SECOND;
    if (point - (cuts.at(-1) ?? 0) >= segmentTicks && !isLast) cuts.push(point);
  }
  return cuts;
}

/** A last segment shorter than this is part of the one before. */
const SHORTEST_SEGMENT_SECONDS = 1;

/**
 * Pictures after which nothing is shown until a segment begins: as keyframes they are the last ones of their segments
 * in the order of decoding, too, and have their true durations. Pure.
 */
export function keyframesBeforeGaps({ points, before }: PictureTimes, cuts: readonly number[]): number[] {
  const begins = new Set(cuts);
  return points.flatMap((point, index) => {
    const previous = before[index] ?? point;
    const isLong = point - previous > LONG_STEP_SECONDS * TICKS_PER_SECOND;
    return begins.has(point) && isLong && !begins.has(previous) ? [previous] : [];
  });
}

/** By how much a file may be longer than it says, and more. */
const LONGER = 1.1;

/** Frames within a chunk at which keyframes are; null where they are those of segments of one length. Pure. */
export function allKeyframesOf({ cuts, keyframes, segmentFrames }: Timeline, chunk: VideoChunk): number[] | null {
  if (!keyframes) return keyframesOf({ cuts }, chunk);
  const { startFrame, endFrame } = chunk;
  const end = endFrame ?? Math.max(startFrame, keyframes.at(-1) ?? 0) + 1;
  // Files may be longer than they say.
  const count = Math.ceil((LONGER * (end - startFrame)) / segmentFrames) + 2;
  const starts = cuts ?? Array.from({ length: count }, (_, segment) => startFrame + segment * segmentFrames);
  return keyframesOf({ cuts: [...new Set([...starts, ...keyframes])].sort((a, b) => a - b) }, chunk);
}

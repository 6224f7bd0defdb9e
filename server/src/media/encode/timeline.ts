import { type Fraction, toNumber } from '../inspect/fraction.ts';

/** A part of a video that is encoded by itself. Frames are those of the ladder's base rate. */
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
  const frames = Math.max(1, (options.durationMs / 1000) * toNumber(baseRate));
  return Array.from({ length: Math.ceil(frames / segmentFrames) }, (_, segment) => segment * segmentFrames);
}

function chunkSeconds({ durationMs, costPerSecond }: ChunkOptions): number {
  const byCost = CHUNK_CPU_SECONDS / Math.max(costPerSecond, 0.001);
  const usual = Math.min(LONGEST_CHUNK_SECONDS, Math.max(SHORTEST_CHUNK_SECONDS, byCost));
  const byLength = (durationMs ?? 0) / 1000 / SHORT_VIDEO_CHUNKS;
  return Math.min(usual, Math.max(SHORT_VIDEO_CHUNK_SECONDS, byLength));
}

/** Frames within a chunk, counted from its start, at which its segments begin; null where all have the same length. */
export function keyframesOf({ cuts }: Timeline, { startFrame, endFrame }: VideoChunk): number[] | null {
  if (cuts === null) return null;
  return cuts
    .filter((cut) => cut >= startFrame && (endFrame === null || cut < endFrame))
    .map((cut) => cut - startFrame);
}

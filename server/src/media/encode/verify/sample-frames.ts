import { toNumber } from '../../inspect/fraction.ts';
import { ladderOf } from '../../ladder/ladder.ts';
import type { EncodePlan } from '../encode-plan.ts';
import { selectTaken, slowestStep, type TakenPictures, TOLERANCE_TICKS, taken } from '../times/timed-pictures.ts';
import { keyframesOf, type VideoChunk } from '../times/timeline.ts';

/** Size of the pictures that are compared: enough to tell scenes, colours and faults apart, whatever the shape. */
export const SAMPLE_SIZE = { width: 64, height: 36 } as const;

/**
 * Frames of a chunk that are compared, counted from its start at the ladder's base rate: the first of each segment, and
 * one each `step` within it.
 */
export interface SampledFrames {
  /** Frames at which segments begin; or the length of all segments. */
  readonly starts: readonly number[] | number;
  readonly step: number;
  /** Where pictures keep the times of the source: the pictures of all renditions, which are sampled. */
  readonly timed?: TakenPictures;
}

/** Chunks as long as this are compared where segments begin only. */
const MANY_SECONDS = 660;

/** The frames of a chunk that are compared. Pure. */
export function sampledFrames(plan: EncodePlan, chunk: VideoChunk): SampledFrames {
  const { timeline, facts } = plan;
  const rate = toNumber(timeline.baseRate);
  const { startFrame, endFrame } = chunk;
  const seconds =
    endFrame === null ? (facts.durationMs ?? 0) / 1000 - startFrame / rate : (endFrame - startFrame) / rate;
  const step = seconds > MANY_SECONDS || facts.durationMs === null ? timeline.segmentFrames : Math.round(rate);
  const cuts = keyframesOf(timeline, chunk);
  const timed = timeline.timed && cuts ? { timed: { cuts, leastStep: slowestStep(ladderOf(plan).video) } } : {};
  return { starts: cuts ?? timeline.segmentFrames, step: Math.max(1, step), ...timed };
}

export interface SampledFrame {
  readonly frame: number;
  readonly startsSegment: boolean;
}

/** The sampled frames of a chunk that has so many frames. Pure. */
export function framesBelow({ starts, step }: SampledFrames, count: number): SampledFrame[] {
  const begins =
    typeof starts === 'number'
      ? Array.from({ length: Math.ceil(count / starts) }, (_, segment) => segment * starts)
      : starts.filter((start) => start < count);
  return begins.flatMap((begin, segment) => {
    const end = begins[segment + 1] ?? count;
    return Array.from({ length: Math.ceil((end - begin) / step) }, (_, index) => ({
      frame: begin + index * step,
      startsSegment: index === 0,
    }));
  });
}

/** The sampled pictures of a chunk, of those with these times. Pure. */
export function picturesAt({ step, timed }: SampledFrames, times: readonly number[]): SampledFrame[] {
  if (!timed) return [];
  const { cuts } = timed;
  let segment = -1;
  return taken(taken(times, timed), { cuts, leastStep: step }).map((frame) => {
    const before = segment;
    while (segment + 1 < cuts.length && frame >= (cuts[segment + 1] ?? 0) - TOLERANCE_TICKS) segment += 1;
    return { frame, startsSegment: segment > before };
  });
}

/** The ffmpeg filter that keeps the sampled frames, at so many frames for each of the base rate. Pure. */
export function selectSampled({ starts, step, timed }: SampledFrames, framesPerBase: number): string {
  if (timed) return [selectTaken(timed), selectTaken({ ...timed, leastStep: step })].join(',');
  const every = step * framesPerBase;
  if (typeof starts === 'number') return `select='not(mod(mod(n,${starts * framesPerBase}),${every}))'`;
  return `select='${choice(
    starts.map((start) => start * framesPerBase),
    every,
  )}'`;
}

/** Nested by halves: each frame is compared with few of many starts. */
function choice(starts: readonly number[], every: number): string {
  const [first = 0] = starts;
  if (starts.length <= 1) return `not(mod(n-${first},${every}))`;
  const middle = Math.ceil(starts.length / 2);
  return `if(lt(n,${starts[middle]}),${choice(starts.slice(0, middle), every)},${choice(starts.slice(middle), every)})`;
}

import { type Fraction, toNumber } from '../inspect/fraction.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { planLadder } from '../ladder/ladder.ts';
import { type AddedCodec, sizesIn } from '../ladder/video-codecs.ts';
import type { VideoRendition } from '../renditions/rendition.ts';
import { STAGES, type Stage, stagesOf } from '../stages/stages.ts';
import { type EncodePlan, isDivisible, planEncode, plannedStages } from './encode-plan.ts';
import type { Timeline, VideoChunk } from './times/timeline.ts';

/**
 * Plans the pictures of a video in another codec, with segments that begin with those of a size that it has already.
 * Each segment is a chunk: other videos wait for little, and encoders need not be told where keyframes are.
 * Null where the codec is not worth it, and where segments follow keyframes that cannot be found in the source. Pure.
 */
export function planCodec(
  facts: MediaFacts,
  codec: AddedCodec,
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
  all: readonly Stage[] = STAGES,
): EncodePlan | null {
  const { stages: _, ...plan } = planEncode(facts, secondsOf(beside), all);
  if (sizesIn(codec, planLadder(facts, plan.staged ?? null).video).length === 0) return null;
  const segments = planBeside(facts, plan.timeline, beside, stagesOf(facts, all));
  return segments && { ...plan, ...segments, codec, stages: plannedStages({ facts, codec }, all) };
}

/**
 * Chunks with a segment each, which begin with those of a size that a video has already. Null where these follow
 * keyframes that cannot be found in the source. Pure.
 */
export function planBeside(
  facts: MediaFacts,
  planned: Timeline,
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
  stages: readonly Stage[],
): Pick<EncodePlan, 'timeline' | 'chunks'> | null {
  const { baseRate, segmentFrames } = planned;
  const starts = startsOf(beside, baseRate);
  const last = (beside.durations.at(-1) ?? 0) / beside.timescale;
  const isRegular =
    starts.every((frame, index) => frame === index * segmentFrames) &&
    Math.round(last * toNumber(baseRate)) <= segmentFrames;
  const divisible = isDivisible(facts, stages);
  if (!isRegular && !divisible && !planned.borders) return null;
  // Pictures with times of their own are divided by lists of starts only.
  const timeline: Timeline = { ...planned, cuts: isRegular && !planned.timed ? null : starts };
  const chunks = segmentChunks(divisible ? starts : [0]).map((chunk) => ({ kind: 'video' as const, ...chunk }));
  return { timeline, chunks };
}

/** When the segments of a size begin, in seconds. */
function secondsOf({ timescale, durations }: Pick<VideoRendition, 'timescale' | 'durations'>): number[] {
  let ticks = 0;
  return durations.map((duration) => {
    const start = ticks / timescale;
    ticks += duration;
    return start;
  });
}

/** The same in frames of the base rate. Pure. */
export function startsOf(beside: Pick<VideoRendition, 'timescale' | 'durations'>, rate: Fraction): number[] {
  return secondsOf(beside).map((seconds) => Math.round(seconds * toNumber(rate)));
}

function segmentChunks(starts: readonly number[]): VideoChunk[] {
  return starts.map((startFrame, number) => {
    return { number, startFrame, endFrame: starts[number + 1] ?? null, firstSegment: number };
  });
}

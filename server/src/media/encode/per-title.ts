import { isDeepStrictEqual } from 'node:util';
import { ladderOf, type VideoRung } from '../ladder/ladder.ts';
import { costOf, ENCODERS, type EncodePlan, encodedLadder, encodedSizes, stagesOfPlan } from './encode-plan.ts';
import type { EncodedChunk } from './encoded.ts';
import { planOnDemand } from './on-demand.ts';

/** With fewer chunks, hardly any work is left when the choice is made. */
const LEAST_CHUNKS = 8;
/** Bit rates of neighbouring sizes are a factor of 1.5 to 2 apart, as Apple's Technical Note TN2224 recommends. */
const STEP = { least: 1.5, most: 2 } as const;
/** Sizes up to 640x360 take 12 % of the CPU time, and slow connections need all steps. */
const SMALL_PIXELS = 640 * 360;

/**
 * The numbers of the chunks of the picture that tell which sizes a title needs: the first two, the one in the middle
 * and the one after three quarters, so that an intro does not decide. None for short videos, for a few sizes, and where
 * a video is given other renditions. Pure.
 */
export function sampleChunks(plan: EncodePlan): number[] {
  const count = plan.chunks.filter(({ kind }) => kind === 'video').length;
  const isAdded = [plan.codec, plan.upmix, plan.upscale, plan.only].some((each) => each !== undefined);
  if (isAdded || count < LEAST_CHUNKS || dispensable(plan).length === 0) return [];
  return [0, 1, Math.floor(count / 2), Math.floor((3 * count) / 4)];
}

/**
 * The folders of the sizes that a title needs, by what was encoded of its sample chunks; null for all. A size is left
 * out where, in all of them, the next larger one takes no more bits, or, above 640x360, less than 1.5 times its bit
 * rate and at most twice that of the next smaller one. Pure.
 */
export function sizesForTitle(plan: EncodePlan, samples: readonly EncodedChunk[]): string[] | null {
  const sizes = encodedSizes(plan);
  const open = new Set(dispensable(plan));
  const kept: VideoRung[] = [];
  for (const [index, size] of sizes.entries()) {
    const [larger, smaller] = [kept.at(-1), sizes[index + 1]];
    const isNeeded = !larger || !smaller || !open.has(size.folder) || !isCovered(samples, { larger, size, smaller });
    if (isNeeded) kept.push(size);
  }
  return kept.length === sizes.length ? null : kept.map(({ folder }) => folder);
}

/** The CPU time of chunks of the picture with these sizes only, in that with all that the plan encodes. Pure. */
export function costShare(plan: EncodePlan, folders: readonly string[]): number {
  const stages = stagesOfPlan(plan);
  const costWith = (only: EncodePlan['only']) =>
    costOf(
      plan.facts,
      { ...encodedLadder({ ...plan, ...(only ? { only } : {}) }), audio: null, otherAudio: [] },
      stages,
    );
  return costWith(folders) / costWith(plan.only);
}

/** The folders of the sizes of the ladder that are not encoded. Pure. */
export function omittedSizes(plan: EncodePlan): string[] {
  const encoded = encodedSizes(plan);
  return ladderOf(plan)
    .video.filter(({ folder }) => encoded.every((size) => size.folder !== folder))
    .map(({ folder }) => folder);
}

/** Whether sizes that were chosen with an earlier plan are those that would be chosen with this one. Pure. */
export function hasSameSizes(plan: EncodePlan, earlier: Omit<EncodePlan, 'chunks'>): boolean {
  const isSameEncoder = earlier.stages.some((stage) => isDeepStrictEqual(stage, ENCODERS.video));
  return isSameEncoder && isDeepStrictEqual(ladderOf(plan).video, ladderOf(earlier).video);
}

/** The folders of all but the largest, the smallest, and the one that is played while the video is encoded. */
function dispensable(plan: EncodePlan): string[] {
  const played = planOnDemand(plan)?.video.folder;
  const between = encodedSizes(plan).slice(1, -1);
  return between.map(({ folder }) => folder).filter((folder) => folder !== played);
}

type Neighbours = Readonly<Record<'larger' | 'size' | 'smaller', VideoRung>>;

/** Whether the next larger size is as good for slow connections in all samples. */
function isCovered(samples: readonly EncodedChunk[], { larger, size, smaller }: Neighbours): boolean {
  const isSmall = size.width * size.height <= SMALL_PIXELS;
  return samples.every((sample) => {
    const [most, own, least] = [larger, size, smaller].map(({ folder }) => bitsPerSecond(sample, folder));
    if (!most || !own || !least) return false;
    return most <= own || (!isSmall && most < STEP.least * own && most <= STEP.most * least);
  });
}

/** Of a rendition in a chunk; 0 where it has none. */
function bitsPerSecond({ parts }: EncodedChunk, folder: string): number {
  const part = parts.find((each) => each.folder === folder);
  if (!part || part.segments.length === 0) return 0;
  const ticks = part.segments.reduce((sum, [duration]) => sum + duration, 0);
  const bytes = part.segments.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0);
  return (8 * bytes * part.timescale) / ticks;
}

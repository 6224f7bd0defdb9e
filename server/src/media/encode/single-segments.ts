import { toNumber } from '../inspect/fraction.ts';
import { ladderOf, smallestClearRung } from '../ladder/ladder.ts';
import { type EncodeChunk, type EncodePlan, encodedSizes } from './encode-plan.ts';

/** A size whose segments can be encoded one by one. */
export interface SingleSize {
  /** Of the rendition. */
  readonly folder: string;
  /** At most, a segment has all that the encoder's buffer holds, too. */
  readonly peakBps: number;
}

/**
 * The sizes of a video that it can do without: all above the smallest one that has the bit rate of its size. None where
 * segments cannot be encoded one by one: without random access or a known duration, and with stages that are programs.
 * Pure.
 */
export function dispensableSizes(plan: Pick<EncodePlan, 'facts' | 'staged' | 'timeline'>): SingleSize[] {
  const { facts, staged, timeline } = plan;
  if (facts.durationMs === null || !facts.randomAccess || staged) return [];
  const { video } = ladderOf(plan);
  const kept = smallestClearRung({ video });
  const seconds = shortestFrames(timeline) / toNumber(timeline.baseRate);
  return video
    .slice(0, kept ? video.indexOf(kept) : 0)
    .map(({ folder, maxrateBps, bufsizeBits }) => ({ folder, peakBps: Math.ceil(maxrateBps + bufsizeBits / seconds) }));
}

function shortestFrames({ cuts, segmentFrames }: EncodePlan['timeline']): number {
  if (cuts === null) return segmentFrames;
  return cuts.reduce(
    (least, cut, index) => (index === 0 ? least : Math.min(least, cut - (cuts[index - 1] ?? 0))),
    segmentFrames,
  );
}

/** A segment of so many, from 0, as a part of the video that is encoded by itself. Pure. */
export function singleSegment(
  { timeline: { cuts, segmentFrames } }: Pick<EncodePlan, 'timeline'>,
  number: number,
  segments: number,
): EncodeChunk & { readonly kind: 'video' } {
  const startOf = (segment: number) => (cuts === null ? segment * segmentFrames : (cuts[segment] ?? null));
  const startFrame = startOf(number) ?? 0;
  const endFrame = number === segments - 1 ? null : startOf(number + 1);
  return { kind: 'video', number, firstSegment: number, startFrame, endFrame };
}

/** The place of a size in the ladder, from 0; -1 where there is none. Pure. */
export function placeOfSize(plan: Pick<EncodePlan, 'facts' | 'staged' | 'only'>, folder: string): number {
  return encodedSizes(plan).findIndex((size) => size.folder === folder);
}

import { bitRates } from './describe-encoded.ts';
import { type EncodePlan, encodedSizes } from './encode-plan.ts';
import { type EncodedChunk, joinChunks } from './encoded.ts';
import { planOnDemand } from './on-demand.ts';

/** By how much the bit rates of two sizes differ at least: with less, a player gains nothing by changing. */
export const LEAST_FACTOR = 1.4;

/** Bits per second of a rendition, as manifests and the API have them. */
export interface SizeRates {
  readonly folder: string;
  readonly peakBps: number;
  readonly averageBps: number;
}

/**
 * The folders of the encoded sizes of a plan whose bit rates are apart; null for all. Of two that are close the larger
 * one stays; the largest always, and the one that was played while the video was encoded if it can. Pure.
 */
export function sizesApart(plan: EncodePlan, chunks: readonly EncodedChunk[]): string[] | null {
  const sizes = encodedSizes(plan).map(({ folder }) => ({ folder, ...bitRates(joinChunks(folder, chunks).segments) }));
  const kept = ratesApart(sizes, plan.codec ? null : (planOnDemand(plan)?.video.folder ?? null));
  return kept.length === sizes.length ? null : kept.map(({ folder }) => folder);
}

/** Of sizes from large to small those that are apart from all others that are kept, and take fewer bits. Pure. */
export function ratesApart<Size extends SizeRates>(sizes: readonly Size[], preferred: string | null): Size[] {
  const [largest] = sizes;
  const played = sizes.find(({ folder }) => folder === preferred);
  const kept = new Set(largest ? [largest] : []);
  for (const size of [...(played ? [played] : []), ...sizes]) {
    const place = sizes.indexOf(size);
    const isApart = [...kept].every((other) =>
      sizes.indexOf(other) < place ? isBelow(size, other) : isBelow(other, size),
    );
    if (isApart) kept.add(size);
  }
  return sizes.filter((size) => kept.has(size));
}

function isBelow(smaller: SizeRates, larger: SizeRates): boolean {
  return LEAST_FACTOR * smaller.peakBps <= larger.peakBps && LEAST_FACTOR * smaller.averageBps <= larger.averageBps;
}

import { describeEncoded } from '../encode/describe-encoded.ts';
import { explainEncodeError } from '../encode/encode-errors.ts';
import type { EncodePlan } from '../encode/encode-plan.ts';
import { type EncodedChunk, joinChunks } from '../encode/encoded.ts';
import { ladderOf } from '../ladder/ladder.ts';
import type { Rendition, VideoRendition } from '../renditions/rendition.ts';
import { type AddedPackage, addedPackage, checkAligned } from './finish-codec.ts';

/** Ends the labels of sizes that were made by upscaling. */
const SUFFIX = ' enhanced';

/**
 * The package of the encoded chunks of a plan that upscales. Pure.
 * @throws AppError TRANSCODE_FAILED where its segments are not those of the size that it was planned with.
 */
export function finishUpscale(
  plan: EncodePlan,
  chunks: readonly EncodedChunk[],
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
): AddedPackage {
  try {
    const ladder = ladderOf(plan);
    const encoded = ladder.video.map(({ folder }) => joinChunks(folder, chunks));
    for (const rendition of encoded) checkAligned(rendition, beside);
    const renditions = describeEncoded(ladder, encoded).map(
      (rendition): Rendition =>
        rendition.kind === 'VIDEO'
          ? { ...rendition, label: `${rendition.label}${SUFFIX}`, iframes: null, enhanced: true }
          : rendition,
    );
    return addedPackage(renditions, encoded);
  } catch (error) {
    throw explainEncodeError(error);
  }
}

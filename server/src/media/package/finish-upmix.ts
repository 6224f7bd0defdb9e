import { describeEncoded } from '../encode/describe-encoded.ts';
import { explainEncodeError } from '../encode/encode-errors.ts';
import type { EncodePlan } from '../encode/encode-plan.ts';
import { type EncodedChunk, joinChunks } from '../encode/encoded.ts';
import { audioRungs } from '../ladder/audio-rungs.ts';
import { ladderOf } from '../ladder/ladder.ts';
import type { Rendition } from '../renditions/rendition.ts';
import { type AddedPackage, addedPackage } from './finish-codec.ts';

/**
 * The package of the encoded chunks of a plan that upmixes the main track. `taken` are the names of the other tracks.
 * Pure. @throws AppError TRANSCODE_FAILED where something is missing.
 */
export function finishUpmix(plan: EncodePlan, chunks: readonly EncodedChunk[], taken: readonly string[]): AddedPackage {
  try {
    const ladder = ladderOf(plan);
    const encoded = audioRungs(ladder).map(({ folder }) => joinChunks(folder, chunks));
    const renditions = describeEncoded(ladder, encoded).map(
      (rendition): Rendition =>
        rendition.kind === 'AUDIO' ? { ...rendition, name: nameOf(rendition.channels, taken), upmix: true } : rendition,
    );
    return addedPackage(renditions, encoded);
  } catch (error) {
    throw explainEncodeError(error);
  }
}

/** What viewers choose: `5.1 upmix`. */
function nameOf(channels: number, taken: readonly string[]): string {
  const plain = `${channels - 1}.1 upmix`;
  let name = plain;
  for (let count = 2; taken.includes(name); count += 1) name = `${plain} (${count})`;
  return name;
}

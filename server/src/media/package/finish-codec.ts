import { finishedPlaylist } from '@reelgraph/manifests';
import { describeEncoded } from '../encode/describe-encoded.ts';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { type EncodePlan, encodedLadder } from '../encode/encode-plan.ts';
import {
  type EncodedChunk,
  type EncodedRendition,
  INIT_NAME,
  joinChunks,
  PackageError,
  PLAYLIST_NAME,
  segmentName,
} from '../encode/encoded.ts';
import type { Rendition, VideoRendition } from '../renditions/rendition.ts';

/** Renditions that are added to a video, in a package of their own. */
export interface AddedPackage {
  /** Pictures from large to small; folders are relative to the package. */
  readonly renditions: readonly Rendition[];
  /** Files other than segments. */
  readonly files: readonly { readonly path: string; readonly bytes: Buffer; readonly contentType: string }[];
  /** Of the whole package, with segments. */
  readonly totalBytes: number;
  readonly totalFiles: number;
}

/**
 * The package of the encoded chunks of a plan for another codec. Pure.
 * @throws AppError TRANSCODE_FAILED where its segments are not those of the size that they were planned with.
 */
export function finishCodec(
  plan: EncodePlan,
  chunks: readonly EncodedChunk[],
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
): AddedPackage {
  try {
    return finish(plan, chunks, beside);
  } catch (error) {
    throw explainEncodeError(error);
  }
}

function finish(
  plan: EncodePlan,
  chunks: readonly EncodedChunk[],
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
): AddedPackage {
  const ladder = encodedLadder(plan);
  const encoded = ladder.video.map(({ folder }) => joinChunks(folder, chunks));
  for (const rendition of encoded) checkAligned(rendition, beside);
  const renditions = describeEncoded(ladder, encoded).map((rendition) =>
    // Players jump with the keyframes of H.264, which all of them decode.
    rendition.kind === 'VIDEO' ? { ...rendition, label: `${rendition.label} ${plan.codec}`, iframes: null } : rendition,
  );
  return addedPackage(renditions, encoded);
}

/** The package of renditions and of what was encoded of them. Pure. */
export function addedPackage(renditions: readonly Rendition[], encoded: readonly EncodedRendition[]): AddedPackage {
  const files = encoded.flatMap(filesOf);
  const segments = encoded.flatMap((rendition) => rendition.segments);
  const sizes = [...files.map(({ bytes }) => bytes.length), ...segments.map(({ sizeBytes }) => sizeBytes)];
  return { renditions, files, totalBytes: sizes.reduce((sum, size) => sum + size, 0), totalFiles: sizes.length };
}

/** @throws PackageError where the segments of a rendition are not those of another one. */
export function checkAligned(
  { folder, timescale, durations }: EncodedRendition,
  beside: Pick<VideoRendition, 'timescale' | 'durations'>,
): void {
  const isSame =
    durations.length === beside.durations.length &&
    durations.every((duration, index) => {
      const other = (beside.durations[index] ?? 0) * timescale;
      // Rounded, where their time scales differ.
      return Math.abs(duration * beside.timescale - other) <= (timescale === beside.timescale ? 0 : beside.timescale);
    });
  if (!isSame) throw new PackageError(`The segments of ${folder} are not those of the other sizes.`);
}

function filesOf({ folder, init, segments }: EncodedRendition): AddedPackage['files'] {
  const listed = segments.map(({ durationSeconds }, index) => ({ uri: segmentName(index), durationSeconds }));
  const playlist = Buffer.from(finishedPlaylist(6, INIT_NAME, listed));
  return [
    { path: `${folder}/${INIT_NAME}`, bytes: init, contentType: 'video/mp4' },
    { path: `${folder}/${PLAYLIST_NAME}`, bytes: playlist, contentType: 'application/vnd.apple.mpegurl' },
  ];
}

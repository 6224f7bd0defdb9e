import { isVideo, type Rendition } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import {
  deleteMediaIndex,
  keepsOriginals,
  type MediaIndex,
  mediaIndexOf,
  renditionsOfVideo,
} from '../../assets/index.ts';

/** Peak bit rate of a copy that stays, in terms of the encoded quality of its size. */
const MOST_OF_ENCODED = 2;

/** The streams of a video that has been encoded. */
export interface EncodedStreams {
  readonly renditions: readonly Rendition[];
  /** Of the copy among them. */
  readonly index: MediaIndex | null;
  /** Prefix of the files of a copy that is not offered any more. */
  readonly dropped: string | null;
}

/**
 * Decides whether a video that was played as it was uploaded is offered so beside what was encoded, and forgets its
 * index if not.
 */
export async function keepCopy(
  tx: Transaction,
  video: { readonly videoAssetId: string; readonly contentId: string; readonly channelId: string },
  encoded: readonly Rendition[],
): Promise<EncodedStreams> {
  const { videoAssetId, contentId, channelId } = video;
  const index = await mediaIndexOf(tx, videoAssetId);
  if (!index) return { renditions: encoded, index, dropped: null };
  const copy = copyBeside(await renditionsOfVideo(tx, videoAssetId, contentId), encoded);
  // A copy of the uploaded file is not stored for good.
  if (copy && !index.isRemuxed && (await keepsOriginals(tx, channelId)))
    return { renditions: [copy, ...encoded], index, dropped: null };
  await deleteMediaIndex(tx, videoAssetId);
  return { renditions: encoded, index: null, dropped: index.keyPrefix };
}

const SUFFIX = ' source';

/**
 * The pictures of the uploaded file as the best quality beside what was encoded. Null unless segments begin at the same
 * times, in the same units (with others, hls.js shifts a quality when it switches), and where the bit rate is far above
 * that of the same size: players would choose what costs most to deliver. Pure.
 */
export function copyBeside(earlier: readonly Rendition[], encoded: readonly Rendition[]): Rendition | null {
  const copy = earlier.filter(isVideo).find(({ origin }) => origin === 'COPY');
  const same = encoded.filter(isVideo).find(({ width, height }) => width === copy?.width && height === copy.height);
  if (!copy || !same || copy.timescale !== same.timescale) return null;
  if (!haveSameSegments(copy, same)) return null;
  if (copy.peakBps > MOST_OF_ENCODED * same.peakBps) return null;
  return { ...copy, label: `${same.label}${SUFFIX}` };
}

/** Of frames that are rounded to those of a constant rate. */
const TOLERANCE_SECONDS = 0.02;

function haveSameSegments(copy: Rendition, encoded: Rendition): boolean {
  let distance = 0;
  return (
    copy.durations.length === encoded.durations.length &&
    copy.durations.slice(0, -1).every((duration, index) => {
      distance += duration / copy.timescale - (encoded.durations[index] ?? 0) / encoded.timescale;
      return Math.abs(distance) <= TOLERANCE_SECONDS;
    })
  );
}

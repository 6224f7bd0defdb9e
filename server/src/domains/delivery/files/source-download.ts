import type { Platform } from '../../../platform/platform.ts';
import { originalDeleted } from '../../assets/index.ts';
import { mediaBytes } from './assembled-downloads.ts';
import { filesOfContent } from './source-download.store.ts';

/** A video as one file that never changes under its key. */
export interface SourceDownload {
  /** For `readMedia`. */
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** `video/…`, or application/octet-stream if unknown. */
  readonly contentType: string;
  /** False for audio only. */
  readonly hasVideo: boolean;
}

/**
 * The newest playable video of a content as one file: the uploaded file or, if it was deleted or is an animated image,
 * the best MP4 rendition. Null when there is neither.
 * @throws AppError INVALID_INPUT with `field` when the channel did not keep the file, and there is no rendition.
 */
export async function sourceDownloadOf(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  contentId: string,
  field: string,
): Promise<SourceDownload | null> {
  const files = await filesOfContent(db, contentId);
  if (!files) return null;
  const { sourceKey, mimeType, madeKey, hasVideo } = files;
  const originalKey = mimeType?.startsWith('image/') ? null : sourceKey;
  const original = originalKey === null ? null : await store.head(originalKey);
  const contentType = mimeType?.startsWith('video/') ? mimeType : 'application/octet-stream';
  if (originalKey !== null && original)
    return { objectKey: originalKey, sizeBytes: original.sizeBytes, contentType, hasVideo };
  const madeBytes = madeKey === null ? null : await mediaBytes(store, madeKey);
  if (madeKey !== null && madeBytes !== null)
    return { objectKey: madeKey, sizeBytes: madeBytes, contentType: 'video/mp4', hasVideo };
  if (sourceKey === null) throw originalDeleted(field);
  return null;
}

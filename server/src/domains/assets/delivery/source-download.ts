import type { Platform } from '../../../platform/platform.ts';
import { filesOfContent } from './source-download.store.ts';

/** A video as one object that never changes under its key. */
export interface WholeFile {
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** `video/…`, or application/octet-stream where that is not known. */
  readonly contentType: string;
  /** False for sound alone. */
  readonly picture: boolean;
}

/**
 * The newest video of a content that can be played, as one file: as it was uploaded, or, where that is not kept any more, the best MP4 file that was
 * made of it. Null when there is neither.
 */
export async function wholeFileOf({ db, store }: Pick<Platform, 'db' | 'store'>, contentId: string): Promise<WholeFile | null> {
  const files = await filesOfContent(db, contentId);
  if (!files) return null;
  const { sourceKey, mimeType, madeKey, picture } = files;
  const source = await store.head(sourceKey);
  const contentType = mimeType?.startsWith('video/') ? mimeType : 'application/octet-stream';
  if (source) return { objectKey: sourceKey, sizeBytes: source.sizeBytes, contentType, picture };
  const made = madeKey === null ? null : await store.head(madeKey);
  return madeKey !== null && made ? { objectKey: madeKey, sizeBytes: made.sizeBytes, contentType: 'video/mp4', picture } : null;
}

import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { evictedLargest, evictedRendition } from './cold-renditions.store.ts';
import { restoreEvicted, wantEvicted } from './rebuild.ts';

const VIDEO_DOWNLOAD = /^media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([^/]+)\/.*\/video\.mp4\.index$/;

/**
 * Requires the size that a download is assembled of: where it was evicted, it is encoded again.
 * @throws AppError SERVICE_UNAVAILABLE until it is stored.
 */
export async function requireStoredDownload(
  tools: { readonly db: Database; readonly store: ObjectStore },
  objectKey: string,
): Promise<void> {
  const [, contentId = '', videoAssetId, name = ''] = VIDEO_DOWNLOAD.exec(objectKey) ?? [];
  if (videoAssetId === undefined) return;
  const folder = await evictedLargest(tools.db, videoAssetId, name);
  if (folder === null || (await restoreEvicted(tools, { contentId, videoAssetId }, folder))) return;
  const evicted = await evictedRendition(tools.db, videoAssetId, folder);
  if (evicted) await wantEvicted(tools, videoAssetId, evicted, { segment: 0, whole: true });
  throw new AppError('SERVICE_UNAVAILABLE', t`This file is encoded again, because nobody has watched it for long.`, {
    suggestedFix: t`Repeat the request later: encoding takes about as long as the video.`,
    retryAfterSeconds: 60,
  });
}

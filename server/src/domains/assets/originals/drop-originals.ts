import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { orderObjectPurge } from '../quota/object-purges.store.ts';
import { dropCopyRendition } from '../renditions/renditions.store.ts';
import { lockContentOfVideo, newestVideoAsset } from '../videos/video-assets.store.ts';
import { dropOriginal } from './originals.store.ts';

/** Like replaced packages: players may still cut segments from it, and jobs may still read it. */
const DELETED_AFTER_MS = 86_400_000;

/**
 * Consumes asset.ready: where the channel keeps no originals, the uploaded file of the video no longer counts as
 * storage, and is deleted a day later.
 */
export function dropOriginals(clock: Clock): Consumer {
  return {
    name: 'assets.drop-originals',
    types: ['asset.ready'],
    async handle(tx, { subjectId, payload }) {
      const { videoAssetId } = payload;
      // With the content locked, no job of the video is being queued.
      if (typeof videoAssetId !== 'string' || !(await lockContentOfVideo(tx, subjectId))) return;
      await giveUpOriginal(tx, { contentId: subjectId, videoAssetId }, clock.now());
    },
  };
}

/** Gives up the uploaded file of a video where its channel keeps none and no job needs it any more. */
export async function giveUpOriginal(
  tx: Transaction,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
  nowMs: number,
): Promise<void> {
  const dropped = await dropOriginal(tx, videoAssetId, new Date(nowMs).toISOString());
  if (!dropped) return;
  const { channelId, sourceKey, sizeBytes } = dropped;
  const copy = await dropCopyRendition(tx, videoAssetId);
  for (const key of [sourceKey, copy]) if (key !== null) await orderObjectPurge(tx, key, nowMs + DELETED_AFTER_MS);
  const payload = { videoAssetId, sizeBytes };
  await appendEvent(tx, { type: 'asset.original_deleted', channelId, subjectId: contentId, payload });
}

/** The same for the newest video of a content. */
export async function giveUpNewestOriginal(tx: Transaction, contentId: string, nowMs: number): Promise<void> {
  const videoAssetId = await newestVideoAsset(tx, contentId);
  if (videoAssetId !== null) await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
}

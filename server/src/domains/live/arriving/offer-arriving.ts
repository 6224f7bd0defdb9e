import type { Rendition } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  arrivingPrefix,
  insertArrivingVideo,
  replaceRenditions,
  sourceKey,
  withdrawObjectPurge,
} from '../../assets/index.ts';
import { publishArriving } from '../../catalog/index.ts';
import { lockIngestion } from '../../ingest/index.ts';
import { type ArrivingSegment, insertArrivingSegment } from './arriving-segments.store.ts';
import { insertArriving, type PlayedUpload, playableUpload } from './arriving-videos.store.ts';

/** An upload of which a first segment is stored. */
export interface OfferedUpload {
  readonly upload: PlayedUpload;
  readonly videoAssetId: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly renditions: readonly Rendition[];
}

/**
 * Makes the video of an upload, which is played from what has arrived. Its content is published, if its owner requested
 * that and others may watch it. False where the upload has ended meanwhile, or its content has another video.
 */
export async function offerArriving(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { upload, videoAssetId, mimeType, width, height, renditions }: OfferedUpload,
  segment: ArrivingSegment,
): Promise<boolean> {
  const { id: ingestionId, channelId, contentId, hint, filename } = upload;
  const nowMs = clock.now();
  const now = new Date(nowMs).toISOString();
  const packagePrefix = arrivingPrefix(contentId, videoAssetId);
  return db.transaction(async (tx) => {
    if ((await lockIngestion(tx, ingestionId))?.state !== 'OPEN') return false;
    const playable = await playableUpload(tx, ingestionId);
    if (!playable || playable.videoAssetId !== null) return false;
    const hasPublished = await publishArriving(tx, contentId, nowMs);
    const video = {
      ...{ id: videoAssetId, channelId, contentId, hint, filename, sourceKey: sourceKey(videoAssetId) },
      ...{ mimeType, width, height, packagePrefix, isShown: hasPublished },
    };
    await insertArrivingVideo(tx, video, now);
    await replaceRenditions(tx, videoAssetId, renditions);
    await insertArriving(tx, { videoAssetId, ingestionId, hasPublished }, now);
    await insertArrivingSegment(tx, videoAssetId, segment, now);
    await withdrawObjectPurge(tx, packagePrefix);
    await appendEvent(tx, { type: 'asset.arriving', channelId, subjectId: contentId, payload: { videoAssetId } });
    return true;
  });
}

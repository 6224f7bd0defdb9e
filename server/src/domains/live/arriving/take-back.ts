import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { arrivingPrefix, orderObjectPurge, removeVideoAsset } from '../../assets/index.ts';
import { withdrawContent } from '../../catalog/index.ts';
import { newestTranscodeJob, withdrawOnDemand } from '../../transcode/index.ts';
import { type ArrivingVideoRow, arrivedVideoOf, forgetArriving, lockArrivingOf } from './arriving-videos.store.ts';

/** Removes the video of an upload that ends without a file, and the publication that was made for it. */
export async function takeBack(
  tx: Transaction,
  { videoAssetId, contentId, hasPublished }: ArrivingVideoRow,
  nowMs: number,
): Promise<void> {
  await removeVideoAsset(tx, videoAssetId);
  await orderObjectPurge(tx, arrivingPrefix(contentId, videoAssetId), nowMs);
  if (hasPublished) await withdrawContent(tx, contentId, nowMs);
}

/**
 * Takes back what is played of uploads whose processing failed or was cancelled, so that nothing is played of a file
 * that would not be without it.
 */
export function takeBackUnprocessed(clock: Clock): Consumer {
  return {
    name: 'live.take-back-arrived',
    types: ['job.updated'],
    async handle(tx, event) {
      const { contentId, status } = event.payload;
      if (typeof contentId !== 'string' || (status !== 'ERROR' && status !== 'CANCELLED')) return;
      if ((await newestTranscodeJob(tx, contentId))?.id !== event.subjectId) return;
      const arriving = await lockArrivingOf(tx, contentId);
      if (arriving) await takeBack(tx, arriving, clock.now());
      else await withdrawVideo(tx, event, contentId, clock.now());
    },
  };
}

/** The video has its file, which cannot be played. */
async function withdrawVideo(
  tx: Transaction,
  { payload: { status } }: LoggedEvent,
  contentId: string,
  nowMs: number,
): Promise<void> {
  const videoAssetId = await arrivedVideoOf(tx, contentId);
  if (videoAssetId === null) return;
  const prefix = arrivingPrefix(contentId, videoAssetId);
  const next = status === 'ERROR' ? 'FAILED' : 'DRAFT';
  await forgetArriving(tx, videoAssetId);
  await orderObjectPurge(tx, prefix, nowMs);
  const now = new Date(nowMs).toISOString();
  const withdrawn = await withdrawOnDemand(tx, videoAssetId, prefix, next, now);
  if (!withdrawn) return;
  const { channelId, wasPublished } = withdrawn;
  const type = wasPublished ? 'content.unpublished' : 'content.updated';
  await appendEvent(tx, { type, channelId, subjectId: contentId, payload: {} });
}

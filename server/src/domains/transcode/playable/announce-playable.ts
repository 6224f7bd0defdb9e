import type { Rendition } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { arrivingPrefix, orderObjectPurge, replaceRenditions, videoSourceFacts } from '../../assets/index.ts';
import { earlyPosterJob } from './early-poster.job.ts';
import { markVideoPlayable, type PlayableFacts } from './playable.store.ts';

/** Replaced packages are deleted a day later, because players may still use them. */
export const REPLACED_MS = 86_400_000;

/**
 * Makes a video playable while it is being processed, with an event and soon with a poster. False when it is already,
 * or is not processed.
 */
export async function announcePlayable(
  { clock, jobs }: Pick<Platform, 'clock' | 'jobs'>,
  tx: Transaction,
  videoAssetId: string,
  facts: PlayableFacts,
  renditions: readonly Rendition[],
): Promise<boolean> {
  const nowMs = clock.now();
  const earlier = await videoSourceFacts(tx, videoAssetId);
  const marked = await markVideoPlayable(tx, videoAssetId, facts, new Date(nowMs).toISOString());
  if (!marked) return false;
  await replaceRenditions(tx, videoAssetId, renditions);
  const { channelId, contentId } = marked;
  const arrived = arrivingPrefix(contentId, videoAssetId);
  if (earlier?.packagePrefix === arrived) await orderObjectPurge(tx, arrived, nowMs + REPLACED_MS);
  await appendEvent(tx, { type: 'asset.playable', channelId, subjectId: contentId, payload: { videoAssetId } });
  await jobs.send(tx, earlyPosterJob, { videoAssetId });
  return true;
}

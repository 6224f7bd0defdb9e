import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { markVideoPlayable, type PlayableFacts } from './playable.store.ts';

/** Makes a video playable while it is being processed, with an event. False when it is already, or is not processed. */
export async function announcePlayable(
  clock: Clock,
  tx: Transaction,
  videoAssetId: string,
  facts: PlayableFacts,
): Promise<boolean> {
  const marked = await markVideoPlayable(tx, videoAssetId, facts, new Date(clock.now()).toISOString());
  if (!marked) return false;
  const { channelId, contentId } = marked;
  await appendEvent(tx, { type: 'asset.playable', channelId, subjectId: contentId, payload: { videoAssetId } });
  return true;
}

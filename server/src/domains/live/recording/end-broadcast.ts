import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { markEnded } from '../broadcasts/broadcasts.store.ts';

/** Who ends a broadcast. */
export interface Ending {
  /** Whether its channel does, so that its encoder is refused for a while. */
  readonly byRequest: boolean;
  /** Only while this encoder is the one of the broadcast; null for any, and none. */
  readonly connectionId: string | null;
}

/**
 * Ends a broadcast; false where it had ended. The process that receives it notices, and completes its recording; one
 * that nobody receives is completed by a worker.
 */
export function endBroadcast(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  broadcastId: string,
  ending: Ending,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const stream = await markEnded(tx, broadcastId, new Date(clock.now()).toISOString(), ending);
    if (!stream) return false;
    await appendEvent(tx, { type: 'stream.ended', channelId: stream.channelId, subjectId: stream.contentId });
    return true;
  });
}

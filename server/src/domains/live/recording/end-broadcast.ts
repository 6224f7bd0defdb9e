import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { holdOff, markEnded } from '../broadcasts/broadcasts.store.ts';
import { holdOffUntil } from '../broadcasts/hold-off.ts';
import { closeChat } from '../chat/chats.store.ts';

/** Who ends a broadcast. */
export interface Ending {
  /** Whether its channel does, so that its encoder is held off. */
  readonly byRequest: boolean;
  /** Only while this encoder is the one of the broadcast; null for any, and none. */
  readonly connectionId: string | null;
}

/**
 * Ends a broadcast; false where it had ended. The process that receives it notices, and completes its recording; one
 * that no process receives is completed by a worker.
 */
export function endBroadcast(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  broadcastId: string,
  { byRequest, connectionId }: Ending,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const nowMs = clock.now();
    const now = new Date(nowMs).toISOString();
    const stream = await markEnded(tx, broadcastId, now, connectionId);
    if (!stream) return false;
    if (byRequest && stream.inputId !== null)
      await holdOff(tx, stream.inputId, new Date(holdOffUntil(nowMs, nowMs)).toISOString(), now);
    await closeChat(tx, stream.contentId, now);
    await appendEvent(tx, { type: 'stream.ended', channelId: stream.channelId, subjectId: stream.contentId });
    return true;
  });
}

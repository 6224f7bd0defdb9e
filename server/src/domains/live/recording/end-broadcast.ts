import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { EndReason } from '../broadcasts/broadcast-states.ts';
import { holdOff, markEnded } from '../broadcasts/broadcasts.store.ts';
import { holdOffUntil } from '../broadcasts/hold-off.ts';
import { closeChat } from '../chat/chats.store.ts';

/** How a broadcast ends. */
export interface Ending {
  /** REQUESTED: its encoder is held off. */
  readonly reason: EndReason;
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
  { reason, connectionId }: Ending,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const nowMs = clock.now();
    const now = new Date(nowMs).toISOString();
    const stream = await markEnded(tx, broadcastId, { nowIso: now, connectionId, reason });
    if (!stream) return false;
    if (reason === 'REQUESTED' && stream.inputId !== null)
      await holdOff(tx, stream.inputId, new Date(holdOffUntil(nowMs, nowMs)).toISOString(), now);
    await closeChat(tx, stream.contentId, now);
    const { channelId, contentId: subjectId } = stream;
    await appendEvent(tx, { type: 'stream.ended', channelId, subjectId, payload: { reason: stream.reason } });
    return true;
  });
}

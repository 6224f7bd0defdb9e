import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { withdrawContent } from '../../catalog/index.ts';
import { closeChat } from '../chat/chats.store.ts';
import { giveUp } from './schedule.store.ts';

/** Ends the wait of a stream for which no encoder came, or whose live input is deleted: it becomes a draft. */
export async function giveUpMissed({ db, clock }: Pick<Platform, 'db' | 'clock'>, contentId: string): Promise<void> {
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    const given = await giveUp(tx, contentId, new Date(nowMs).toISOString());
    if (!given) return;
    const { state, channelId, hasVideo } = given;
    if (!hasVideo) await withdrawContent(tx, contentId, nowMs);
    await closeChat(tx, contentId, new Date(nowMs).toISOString());
    await appendEvent(tx, { type: 'stream.canceled', channelId, subjectId: contentId, payload: { state } });
  });
}

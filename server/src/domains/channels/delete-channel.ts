import type { Database } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { judgeChannelChange, judgeSurrender } from './channel.policy.ts';
import { deleteChannelRow } from './channels.store.ts';
import { lockChannel } from './members.store.ts';

/**
 * Deletes a channel for good with everything that belongs to it: contents, uploads, playlists, comments below its contents. The deletion
 * of the files is ordered in the same transaction, by the triggers of the tables that refer to them.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED for the channel, INVALID_INPUT for the one that came with the account.
 */
export function deleteChannel(db: Database, accountId: string, channelId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const channel = await lockChannel(tx, channelId, accountId);
    const refused = judgeSurrender(channel, 'deleted', 'id');
    if (refused) throw refused;
    if (!channel) throw judgeChannelChange(null, 'id');
    await deleteChannelRow(tx, channelId);
    await appendEvent(tx, { type: 'channel.deleted', channelId, subjectId: channelId });
  });
}

import type { CommandContext } from '../../gql/index.ts';
import { authorize } from '../../kernel/policy.ts';
import type { Database } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { surrender } from './channel.policy.ts';
import { clearDeletedChannel, deleteChannelRow, hideOfChannel } from './channels.store.ts';
import { lockChannel } from './members/members.store.ts';
import { requireAccount } from './require-account.ts';

/** Who may delete a channel. */
export const CHANNEL_DELETION = surrender('deleted');

/** Contents or playlists that one statement hides. */
const HIDDEN_AT_ONCE = 1_000;
/** So long a caller waits for what the channel leaves; workers do the rest. */
const PATIENCE_MS = 3_000;

/**
 * Deletes a channel for good with everything that belongs to it: contents, uploads, playlists, comments below its contents. At once nobody sees
 * any of it, and its handle is free; where there is very much, the rest of it goes in the background. The deletion of the files is ordered with
 * the rows that refer to them, by the triggers of their tables.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED for the channel, INVALID_INPUT for the one that came with the account.
 */
export async function deleteChannel(context: CommandContext, channelId: string): Promise<void> {
  const { db } = context.services.channels;
  await hideForGood(db, requireAccount(context).accountId, channelId);
  for (const begunMs = performance.now(); performance.now() - begunMs < PATIENCE_MS; ) {
    // It is deleted; what fails now is done again by workers, which log it.
    if (!(await clearDeletedChannel(db, channelId).catch(() => false))) break;
  }
}

function hideForGood(db: Database, accountId: string, channelId: string): Promise<void> {
  return db.transaction(async (tx) => {
    authorize(CHANNEL_DELETION, await lockChannel(tx, channelId, accountId), 'id');
    while (await hideOfChannel(tx, channelId, HIDDEN_AT_ONCE));
    await deleteChannelRow(tx, channelId);
    await appendEvent(tx, { type: 'channel.deleted', channelId, subjectId: channelId });
  });
}

import type { CommandContext, ViewerScope } from '../../gql/index.ts';
import { t } from '../../kernel/languages/message.ts';
import { authorize } from '../../kernel/policy.ts';
import type { Database } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { surrender } from './channel.policy.ts';
import { clearDeletedChannel, deleteChannelRow, hideOfChannel } from './channels.store.ts';
import { lockChannel } from './members/members.store.ts';

/** Who may delete a channel. */
export const CHANNEL_DELETION = surrender(
  t`This channel cannot be deleted: it is the primary channel of your account.`,
);

/** Contents or playlists hidden by one statement. */
const HIDDEN_AT_ONCE = 1_000;
/** How long the caller waits for the cleanup; workers do the rest. */
const PATIENCE_MS = 3_000;

/**
 * Permanently deletes a channel with everything that belongs to it: contents, uploads, playlists, comments on its
 * contents. All of it is hidden at once and the handle becomes free; very large channels are cleaned up in the
 * background. Triggers schedule the deletion of files together with their rows.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED for the channel, INVALID_INPUT for the account's first channel.
 */
export async function deleteChannel(context: CommandContext, channelId: string): Promise<void> {
  const { db } = context.services.channels;
  await hideForGood(db, context.scope, channelId);
  for (const begunMs = performance.now(); performance.now() - begunMs < PATIENCE_MS; ) {
    // It is deleted; workers retry the cleanup if it fails now.
    if (!(await clearDeletedChannel(db, channelId).catch(() => false))) break;
  }
}

function hideForGood(db: Database, viewer: ViewerScope, channelId: string): Promise<void> {
  return db.transaction(async (tx) => {
    authorize(CHANNEL_DELETION, await lockChannel(tx, channelId, viewer), 'id');
    while (await hideOfChannel(tx, channelId, HIDDEN_AT_ONCE));
    await deleteChannelRow(tx, channelId);
    await appendEvent(tx, { type: 'channel.deleted', channelId, subjectId: channelId });
  });
}

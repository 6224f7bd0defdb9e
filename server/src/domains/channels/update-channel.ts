import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import { judgeChannelChange } from './channel.policy.ts';
import { type ChannelChanges, readChannelChanges } from './channel-input.ts';
import { isChannelOwnedBy, writeChannel } from './channels.store.ts';

/**
 * Changes what `input` gives of an own channel. Throws INVALID_INPUT or FIELD_REQUIRED for the texts, RESOURCE_NOT_FOUND,
 * UNAUTHORIZED, and RESOURCE_ALREADY_EXISTS when another channel has the handle.
 */
export async function updateChannel(
  { db, accountId, nowMs }: { db: Database; accountId: string; nowMs: number },
  channelId: string,
  input: ChannelChanges,
): Promise<void> {
  const changes = readChannelChanges(input);
  await db.transaction(async (tx) => {
    const refused = judgeChannelChange(await isChannelOwnedBy(tx, channelId, accountId), 'id');
    if (refused) throw refused;
    const written = await writeChannel(tx, channelId, changes, nowMs);
    if (written === 'taken') throw handleTaken(changes.handle);
  });
}

function handleTaken(handle: string | null): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', `The handle ${handle} is taken.`, { field: 'input.handle', suggestedFix: 'Choose another handle.' });
}

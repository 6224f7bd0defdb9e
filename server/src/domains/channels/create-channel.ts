import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { handleTaken } from './channel.policy.ts';
import { type ChannelInput, readNewChannel } from './channel-fields.ts';
import { checkChannelQuota } from './channel-limit.policy.ts';
import { insertChannel } from './channels.store.ts';
import { lockOwnerAccount } from './owners.store.ts';

/**
 * Creates an additional channel of the account and returns its id.
 * @throws AppError FIELD_REQUIRED or INVALID_INPUT for the input, INVALID_INPUT (field `input`) when the plan allows no
 *   more channels, RESOURCE_ALREADY_EXISTS when another channel has the handle.
 */
export async function createChannel(
  db: Database,
  accountId: string,
  input: ChannelInput,
  nowMs: number,
): Promise<string> {
  const values = readNewChannel(input);
  const id = newId<'channel'>(nowMs);
  return db.transaction(async (tx) => {
    const owner = await lockOwnerAccount(tx, accountId, nowMs);
    const refused = owner && checkChannelQuota(owner, 'input');
    if (refused) throw refused;
    if (!(await insertChannel(tx, { id, accountId, values }, nowMs))) throw handleTaken(values.handle);
    await appendEvent(tx, { type: 'channel.created', channelId: id, subjectId: id });
    return id;
  });
}

import type { StatementCommand } from '../../gql/index.ts';
import { CHANNEL_CHANGE, handleTaken } from './channel.policy.ts';
import { type ChannelInput, readChannelChanges } from './channel-fields.ts';
import { type ChannelUpdate, channelTarget, updateChannelWrites } from './channels.store.ts';

/**
 * Updates the account's channel, in one round trip. INVALID_INPUT or FIELD_REQUIRED for the texts, RESOURCE_NOT_FOUND,
 * UNAUTHORIZED, and RESOURCE_ALREADY_EXISTS when another channel has the handle.
 */
export const updateChannel: StatementCommand<{ readonly id: string; readonly input: ChannelInput }, ChannelUpdate> = {
  prepare: ({ id, input }, env) => ({
    id: env.parseDid(id, ['channel'], 'id').id,
    changes: readChannelChanges(input),
  }),
  payload: ({ id }) => id,
  target: channelTarget('id', ({ id }) => id, 'channel:update'),
  policy: CHANNEL_CHANGE,
  writes: updateChannelWrites,
  row: 'changed',
  conflicts: { channels_handle_key: ({ changes }) => handleTaken(changes.handle) },
};

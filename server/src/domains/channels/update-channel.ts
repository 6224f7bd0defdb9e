import { type RevisionInput, revised, type StatementCommand } from '../../gql/index.ts';
import { CHANNEL_CHANGE, handleTaken } from './channel.policy.ts';
import { CHANNEL_FIELDS, type ChannelInput, readChannelChanges } from './channel-fields.ts';
import { type ChannelUpdate, channelTarget, locked, updateChannelWrites } from './channels.store.ts';

interface Args {
  readonly id: string;
  readonly input: ChannelInput & RevisionInput;
}

/**
 * Updates the account's channel, in one round trip. INVALID_INPUT or FIELD_REQUIRED for the texts, RESOURCE_NOT_FOUND,
 * UNAUTHORIZED, RESOURCE_ALREADY_EXISTS when another channel has the handle, and CONFLICT.
 */
export const updateChannel: StatementCommand<Args, ChannelUpdate> = revised(
  { row: 'ch', fields: CHANNEL_FIELDS, changes: ({ changes }) => changes },
  {
    prepare: ({ id, input }, env) => ({
      id: env.parseDid(id, ['channel'], 'id').id,
      changes: readChannelChanges(input),
      ifRevision: input.ifRevision ?? null,
    }),
    payload: ({ id }) => id,
    target: locked(channelTarget('id', ({ id }) => id, 'channel:update')),
    policy: CHANNEL_CHANGE,
    writes: updateChannelWrites,
    row: 'changed',
    conflicts: { channels_handle_key: ({ changes }) => handleTaken(changes.handle) },
  },
);

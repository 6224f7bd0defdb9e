import { type BasedOn, readChanges, readNew, refuseRevision, revised, type StatementCommand } from '../../gql/index.ts';
import { newId } from '../../kernel/ids.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { CHANNEL_CHANGE, givenChannelTarget } from '../channels/index.ts';
import { PLAYLIST_CHANGE } from './playlist.policy.ts';
import {
  createPlaylistWrites,
  deletePlaylistWrites,
  type NewPlaylist,
  PLAYLIST_TARGET,
  updatePlaylistWrites,
} from './playlist-commands.store.ts';
import {
  type GivenPlaylistInput,
  PLAYLIST_FIELDS,
  type PlaylistChanges,
  withPlaylistInput,
} from './playlist-fields.ts';

export interface CreatePlaylistArgs {
  readonly channel?: Maybe<string>;
  readonly input: GivenPlaylistInput;
}

/** Creates an empty playlist in the given channel, or in the account's own. One round trip. */
export const createPlaylist: StatementCommand<CreatePlaylistArgs, NewPlaylist> = {
  prepare({ channel, input }, env) {
    refuseRevision(input);
    return {
      id: newId<'playlist'>(env.nowMs),
      channel: channel == null ? null : env.parseDid(channel, ['channel'], 'channel').id,
      values: withPlaylistInput(input, (fields) => readNew(PLAYLIST_FIELDS, fields)),
    };
  },
  payload: ({ id }) => id,
  target: givenChannelTarget('playlist:manage'),
  policy: CHANNEL_CHANGE,
  writes: createPlaylistWrites,
  row: 'changed',
};

interface Target {
  readonly id: string;
}

interface Update extends Target, BasedOn {
  readonly changes: PlaylistChanges;
}

/** Updates a playlist. One round trip. */
export const updatePlaylist: StatementCommand<Target & { readonly input: GivenPlaylistInput }, Update> = revised(
  { row: 'p', fields: PLAYLIST_FIELDS, changes: ({ changes }: Update) => changes },
  {
    prepare: ({ id, input }, env) => ({
      id: env.parseDid(id, ['playlist'], 'id').id,
      changes: withPlaylistInput(input, (fields) => readChanges(PLAYLIST_FIELDS, fields)),
      ifRevision: input.ifRevision ?? null,
    }),
    payload: ({ id }) => id,
    target: PLAYLIST_TARGET,
    policy: PLAYLIST_CHANGE,
    writes: updatePlaylistWrites,
    row: 'changed',
  },
);

/** Permanently deletes a playlist; its contents are kept. One round trip, and one for the channel where selected. */
export const deletePlaylist: StatementCommand<Target, Target> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['playlist'], 'id').id }),
  payload: ({ id }, env, { channel_id: channel }) => ({ id: env.did('playlist', id), channel }),
  target: { ...PLAYLIST_TARGET, payloadColumns: ['channel_id'] },
  policy: PLAYLIST_CHANGE,
  writes: deletePlaylistWrites,
};

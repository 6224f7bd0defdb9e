import type { StatementCommand } from '../../gql/index.ts';
import { newId } from '../../kernel/ids.ts';
import { judgeChannelChange, readChannelAuthority } from '../channels/index.ts';
import { judgePlaylistChange, readPlaylistAuthority } from './playlist.policy.ts';
import {
  CHANNEL_FACTS,
  createPlaylistCtes,
  deletePlaylistCtes,
  type NewPlaylist,
  PLAYLIST_FACTS,
  updatePlaylistCtes,
} from './playlist-commands.store.ts';
import { type PlaylistChanges, type PlaylistTexts, readNewPlaylist, readPlaylistChanges } from './playlist-input.ts';

export interface CreatePlaylistArgs {
  readonly channel?: string | null | undefined;
  readonly input: PlaylistTexts;
}

/** Makes an empty playlist in the given channel, or in the account's own. One round trip. */
export const createPlaylist: StatementCommand<CreatePlaylistArgs, NewPlaylist> = {
  prepare: ({ channel, input }, env) => ({
    id: newId<'playlist'>(env.nowMs),
    channel: channel == null ? null : env.parseDid(channel, ['channel'], 'channel').id,
    ...readNewPlaylist(input),
  }),
  payload: ({ id }) => id,
  ctes: createPlaylistCtes,
  row: 'changed',
  returns: () => CHANNEL_FACTS,
  check(outcome) {
    const refused = judgeChannelChange(readChannelAuthority(outcome), 'channel');
    if (refused) throw refused;
  },
};

function checkPlaylist(outcome: Readonly<Record<string, unknown>>): void {
  const refused = judgePlaylistChange(readPlaylistAuthority(outcome), 'id');
  if (refused) throw refused;
}

interface Target {
  readonly id: string;
}

/** Changes what is given of a playlist. One round trip. */
export const updatePlaylist: StatementCommand<Target & { readonly input: PlaylistTexts }, Target & PlaylistChanges> = {
  prepare: ({ id, input }, env) => ({ id: env.parseDid(id, ['playlist'], 'id').id, ...readPlaylistChanges(input) }),
  payload: ({ id }) => id,
  ctes: updatePlaylistCtes,
  row: 'changed',
  returns: () => PLAYLIST_FACTS,
  check: checkPlaylist,
};

/** Deletes a playlist for good; the contents in it stay. One round trip. */
export const deletePlaylist: StatementCommand<Target, Target> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['playlist'], 'id').id }),
  payload: ({ id }, env) => ({ id: env.did('playlist', id) }),
  ctes: deletePlaylistCtes,
  returns: () => PLAYLIST_FACTS,
  check: checkPlaylist,
};
